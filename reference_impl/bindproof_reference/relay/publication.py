"""Chapter *Events* (EVT), publication: what runs between the emission of an event and its subscribers.

Enters: an event as it was emitted, the registrations of that moment. Leaves: records of the callbacks that rewrote it,
and the event that each subscriber is told.
"""

from __future__ import annotations

from collections.abc import Sequence

from bindproof_reference.relay import dialects
from bindproof_reference.relay.callbacks import Raised
from bindproof_reference.relay.events import Emitted, merged
from bindproof_reference.relay.run import PUBLICATION, Run
from bindproof_reference.relay.values import Json, Opaque, copy, literal

MISSING = {"data": None, "category_profile": None, "metadata": None}


def publish(run: Run, event: Emitted, chains: dict[str, list[Json]], audience: Sequence[str]) -> None:
    """Publish one event: injectors, then sanitizers, then each subscriber; nothing runs where there is none."""
    if not audience:
        return
    event = _inject(run, event, chains["event.metadata"])
    kind = event.fixed["kind"]
    family = "mark.sanitize" if kind == "mark" else f"{event.fixed['scope_category']}.sanitize"
    event = _sanitize(run, event, chains[family])
    for subscriber in audience:
        run.deliver(subscriber, event.matcher())


def _inject(run: Run, event: Emitted, chain: list[Json]) -> Emitted:
    for step in chain:
        reply = run.play(f"{step['as']}.inject", step["do"], {}, {}, {"event": event.matcher()}, PUBLICATION)
        if not isinstance(reply, Raised) and _is_addition(reply.reply):  # EVT-008
            event = event.rewritten({**event.fields(), "metadata": _added(event.metadata, reply.reply)})
    return event


def _is_addition(reply: Json) -> bool:
    return isinstance(reply, dict) and all(_is_plain(value) or _is_plain_list(value) for value in reply.values())


def _is_plain(value: Json) -> bool:
    return isinstance(value, str | bool | int | float)


def _is_plain_list(value: Json) -> bool:
    return isinstance(value, list) and all(map(_is_plain, value)) and len({type(item) for item in value}) <= 1


def _added(metadata: Json, addition: Json) -> Json:
    """Return metadata with what it does not have yet; what is no object stays (EVT-008)."""
    if isinstance(metadata, Opaque):
        known = metadata.matcher["$contains"]
        return merged(metadata, {key: value for key, value in addition.items() if key not in known})
    if metadata is None:
        return addition or None
    return {**addition, **metadata} if isinstance(metadata, dict) else metadata


def _sanitize(run: Run, event: Emitted, chain: list[Json]) -> Emitted:
    argument, own = (dialects.own_names(run.dialect, "fields", side) for side in ("argument", "reply"))
    for step in chain:
        fields = event.fields()
        given, natural = dialects.spell(fields, argument), dialects.spell(fields, own)
        shown = {"event": event.matcher(), "fields": {name: literal(value) for name, value in given.items()}}
        reply = run.play(f"{step['as']}.sanitize", step["do"], {"fields": given}, natural, shown, PUBLICATION)
        rewritten = None if isinstance(reply, Raised) else dialects.read(reply.reply, own)
        if not _is_fields(rewritten):
            return event.rewritten(MISSING)  # EVT-007
        event = event.rewritten(rewritten)  # EVT-005
    return event


def _is_fields(reply: Json) -> bool:
    return isinstance(reply, dict) and isinstance(reply.get("category_profile"), dict | None)


def sanitized(run: Run, chain: list[Json], given: Json, key: str) -> tuple[Json, bool]:
    """Return a payload as a chain of tool or LLM sanitizers leaves it, and whether it was given up (EVT-010).

    given: what each is given; `key` is the member that holds the payload. A sanitizer that fails gives it up.
    """
    payload = given[key]
    for step in chain:
        seen = {**given, key: payload}
        reply = run.play(f"{step['as']}.sanitize", step["do"], seen, copy(payload), None, PUBLICATION)
        omitted = step["family"].startswith("llm.") and not isinstance(reply, Raised) and reply.reply is None
        if isinstance(reply, Raised) or omitted or not _is_payload(step["family"], reply.reply):
            return None, True
        payload = reply.reply
    return payload, False


def _is_payload(family: str, reply: Json) -> bool:
    if family != "llm.sanitize_request":
        return True
    return isinstance(reply, dict) and isinstance(reply.get("headers"), dict) and "content" in reply
