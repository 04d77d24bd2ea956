"""Chapter *Events* (EVT), publication: what runs between the emission of an event and its subscribers.

Enters: an event as it was emitted, the registrations of that moment. Leaves: records of the callbacks that rewrote it,
and the event that each subscriber is told.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from bindproof_reference.relay import builtin, dialects
from bindproof_reference.relay.callbacks import Raised
from bindproof_reference.relay.events import Emitted, merged
from bindproof_reference.relay.run import PUBLICATION, Run
from bindproof_reference.relay.values import Json, Opaque, copy, literal

_KEY = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*")
MISSING = {"data": None, "category_profile": None, "metadata": None}


class Chains(NamedTuple):
    """The registrations that an event goes through, as they were when it was emitted."""

    injectors: list[Json]
    sanitizers: list[Json]


def publish(run: Run, event: Emitted, chains: Chains, audience: Sequence[str]) -> None:
    """Publish one event: injectors, then sanitizers, then each subscriber."""
    event = _sanitize(run, _inject(run, event, chains.injectors), chains.sanitizers)
    told = event.matcher() if audience else None
    for subscriber in audience:
        run.deliver(subscriber, told)


def _inject(run: Run, event: Emitted, chain: list[Json]) -> Emitted:
    for step in chain:
        shown = {"event": event.matcher()}
        reply = run.played_and_read(f"{step['as']}.inject", step["do"], {}, {}, shown, PUBLICATION)
        if not isinstance(reply, Raised) and _is_addition(reply.reply):  # EVT-021
            event = event.rewritten({**event.fields(), "metadata": _added(event.metadata, reply.reply)})
    return event


def _is_addition(reply: Json) -> bool:
    """Tell whether an injector's reply is flat metadata (EVT-021)."""
    return isinstance(reply, dict) and all(_KEY.fullmatch(key) and _is_flat(value) for key, value in reply.items())


def _is_flat(value: Json) -> bool:
    sorts = {_sort(item) for item in value} if isinstance(value, list) else {_sort(value)}
    return "" not in sorts and len(sorts) < 2


def _sort(value: Json) -> str:
    if isinstance(value, bool):
        return "truth"
    if isinstance(value, int | float):
        return "number"
    return "text" if isinstance(value, str) else ""


def _added(metadata: Json, addition: Json) -> Json:
    """Return metadata with what it does not have yet; what is no object stays (EVT-020)."""
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
        callback = f"{step['as']}.sanitize"
        reply = run.played_and_read(callback, step["do"], {"fields": given}, natural, shown, PUBLICATION)
        rewritten = None if isinstance(reply, Raised) else dialects.read(reply.reply, own)
        if _is_fields(rewritten):
            event = event.rewritten(rewritten)  # EVT-016
            continue
        event = event.rewritten(MISSING)  # EVT-019, EVT-030
        if run.rules.sanitizers_fail_closed:
            break
    return event


def _is_fields(reply: Json) -> bool:
    return isinstance(reply, dict) and isinstance(reply.get("category_profile"), dict | None)


def sanitized(run: Run, chain: list[Json], given: Json, key: str, codec: Json = None) -> tuple[Json, bool]:
    """Return a payload as a chain of tool or LLM sanitizers leaves it, and whether it was given up (EVT-025).

    given: what each is given; `key` is the member that holds the payload. A sanitizer that fails gives it up. codec:
    the one that each can get (AUT-022).
    """
    payload = given[key]
    built_in = codec if isinstance(codec, str) and codec in builtin.FORMS else None
    for step in chain:
        seen = {**given, key: payload}
        run.in_hand = (built_in, payload)
        callback = f"{step['as']}.sanitize"
        reply = run.played_and_read(callback, step["do"], seen, copy(payload), None, PUBLICATION)
        run.in_hand = None
        omitted = step["family"].startswith("llm.") and not isinstance(reply, Raised) and reply.reply is None
        if not isinstance(reply, Raised) and not omitted and _is_payload(step["family"], reply.reply):
            payload = reply.reply
        elif run.rules.sanitizers_fail_closed:
            return None, True
        elif omitted and step["family"] == "llm.sanitize_response":
            payload = None
    return payload, False


def _is_payload(family: str, reply: Json) -> bool:
    if family != "llm.sanitize_request":
        return True
    return isinstance(reply, dict) and isinstance(reply.get("headers"), dict) and "content" in reply
