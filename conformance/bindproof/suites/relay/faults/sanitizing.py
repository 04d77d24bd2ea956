"""Planted faults of the chapter *Events* (EVT) about what rewrites events."""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites import Fault
from bindproof.suites.relay.faults.spoiled_log import FOREIGN_UUID, PLANTED, Spoiled, plant
from bindproof.suites.relay.observation.published import FIELDS, Payload, Publication, payloads, publications
from bindproof.suites.relay.observation.scopes import ends_of
from bindproof.suites.relay.observation.spans import families
from bindproof.suites.relay.observation.transcript import Entry
from bindproof.suites.relay.scenario.callbacks import callback_of
from bindproof.suites.relay.scenario.no_json import WORD as NO_JSON

FAULTS: dict[str, Fault] = {}

EVENT_FAMILIES = ("event.metadata", "mark.sanitize", "start.sanitize", "end.sanitize")


def _is_fields(run: Entry) -> bool:
    return run.replied and isinstance(run.reply, dict) and isinstance(run.reply.get("category_profile"), dict | None)


def told(spoiled: Spoiled, one: Publication | Payload) -> list[Json]:
    """Return the event of a publication, as every subscriber was told it."""
    event = one.told[1]
    return [
        other
        for events in spoiled.transcript.events.values()
        for _, other in events
        if all(other.get(key) == event.get(key) for key in ("uuid", "scope_category", "timestamp"))
    ]


def _tell(spoiled: Spoiled, found: list[Publication], key: str, value: Json = PLANTED) -> bool:
    """Tell something else in one member of events."""
    for event in [event for one in found for event in told(spoiled, one)]:
        event[key] = value
    return bool(found)


def _sanitized(spoiled: Spoiled) -> list[Publication]:
    return [] if _is_seen_by_it(spoiled) else [one for one in publications(spoiled.transcript) if one.sanitizers]


def _is_seen_by_it(spoiled: Spoiled) -> bool:
    """Tell whether what is told shows which replies failed, as JSON lacks something in them (DLC-014)."""
    return NO_JSON in spoiled.reading.words


@plant(FAULTS, "stale_fields", "subscribers are not told what a sanitizer returned", "EVT-016")
def stale_fields(spoiled: Spoiled) -> bool:
    """Replace the data of every event whose last sanitizer returned some."""
    found = [one for one in _sanitized(spoiled) if all(map(_is_fields, one.sanitizers))]
    return _tell(spoiled, [one for one in found if "data" in one.sanitizers[-1].reply], "data")


@plant(FAULTS, "keep_left_out", "what a sanitizer leaves out stays", "EVT-017")
def keep_left_out(spoiled: Spoiled) -> bool:
    """Fill the data of every event whose last sanitizer left them out."""
    found = [one for one in _sanitized(spoiled) if all(map(_is_fields, one.sanitizers))]
    return _tell(spoiled, [one for one in found if "data" not in one.sanitizers[-1].reply], "data")


@plant(FAULTS, "rewrite_schema", "the schema of an event that is rewritten changes", "EVT-018")
def rewrite_schema(spoiled: Spoiled) -> bool:
    """Give every event that something looked at a schema."""
    found = [one for one in publications(spoiled.transcript) if one.runs()]
    return _tell(spoiled, found, "data_schema", {"name": "planted", "version": "1"})


@plant(FAULTS, "fail_open", "a failing sanitizer leaves the data", "EVT-019", "EVT-030")
def fail_open(spoiled: Spoiled) -> bool:
    """Fill the data of every event of which the last sanitizer failed."""
    return _tell(spoiled, [one for one in _sanitized(spoiled) if not _is_fields(one.sanitizers[-1])], "data")


def _last_injected(spoiled: Spoiled) -> list[Publication]:
    return [one for one in publications(spoiled.transcript) if one.injectors and not one.sanitizers]


@plant(FAULTS, "another_moment", "an injector that is not the first is given another time", "EVT-018")
def another_moment(spoiled: Spoiled) -> bool:
    """Give the last of several injectors an event of another time."""
    found = [one.injectors[-1] for one in publications(spoiled.transcript) if len(one.injectors) > 1]
    for run in found:
        spoiled.log[run.entered]["given"]["event"]["timestamp"] = "2020-01-01T00:00:00.000000000+00:00"
    return bool(found)


@plant(FAULTS, "drop_injected", "what an injector answers is not added", "EVT-020")
def drop_injected(spoiled: Spoiled) -> bool:
    """Tell the metadata as they were before the last injector, where it added something."""
    found = [one for one in _last_injected(spoiled) if one.injectors[-1].replied]
    found = [one for one in found if one.told[1]["metadata"] != one.injectors[-1].given["event"]["metadata"]]
    for one in found:
        for event in told(spoiled, one):
            event["metadata"] = one.injectors[-1].given["event"]["metadata"]
    return bool(found)


@plant(FAULTS, "inject_anyway", "an injector that failed adds something", "EVT-021")
def inject_anyway(spoiled: Spoiled) -> bool:
    """Change the metadata after the last injector, where it raised or answered with null inside."""
    found = [one for one in _last_injected(spoiled) if _is_unfit(one.injectors[-1])]
    return _tell(spoiled, found, "metadata")


def _is_unfit(run: Entry) -> bool:
    return run.raised is not None or (isinstance(run.reply, dict) and None in run.reply.values())


@plant(FAULTS, "late_injector", "an injector runs after a sanitizer", "EVT-022", also=("EVT-049",))
def late_injector(spoiled: Spoiled) -> bool:
    """Exchange an injector and a sanitizer that left the metadata alone."""
    done = False
    for one in publications(spoiled.transcript):
        if len(one.injectors) == len(one.sanitizers) == 1 and _is_fields(one.sanitizers[0]):
            run, after = one.injectors[0], one.sanitizers[0]
            alone = run.left is not None and after.left is not None
            if alone and after.reply.get("metadata") == after.given["fields"]["metadata"]:
                for first, second in ((run.entered, after.entered), (run.left or 0, after.left or 0)):
                    spoiled.log[first], spoiled.log[second] = spoiled.log[second], spoiled.log[first]
                done = True
    return done


def _payloads(spoiled: Spoiled) -> list[Payload]:
    rewritten = {"start.sanitize", "end.sanitize"} & families(spoiled.transcript)
    return [] if rewritten or _is_seen_by_it(spoiled) else payloads(spoiled.transcript)


def _passes(run: Entry) -> bool:
    return run.returned and (run.reply is not None or run.part.startswith("tool."))


@plant(FAULTS, "stale_payload", "an event does not show what sanitizers left", "EVT-023", also=("EVT-045",))
def stale_payload(spoiled: Spoiled) -> bool:
    """Replace the data of every event whose payload was sanitized."""
    found = [one for one in _payloads(spoiled) if all(map(_passes, one.runs))]
    for event in [event for one in found for event in told(spoiled, one)]:
        event["data"] = PLANTED
    return bool(found)


@plant(
    FAULTS,
    "sanitized_args",
    "the execution is given what a sanitizer left",
    "EVT-024",
    also=("AUT-001", "AUT-010", "EVT-050", "MID-012"),
)
def sanitized_args(spoiled: Spoiled) -> bool:
    """Replace the args of every tool call whose args were sanitized, where no intercept changes them."""
    found = [one for one in payloads(spoiled.transcript) if one.runs[0].part == "tool.sanitize_request"]
    found = [one for one in found if not one.act.of("tool.request", "tool.execution")]
    for one in found:
        for run in one.act.of("provider"):
            spoiled.log[run.entered]["given"]["args"] = PLANTED
    return bool(found) or _sanitized_bodies(spoiled)


def _sanitized_bodies(spoiled: Spoiled) -> bool:
    found = [one for one in payloads(spoiled.transcript) if one.runs[0].part == "llm.sanitize_request"]
    found = [
        one for one in found if one.act.of("provider") and not one.act.of("llm.request", "llm.execution", "encode")
    ]
    for one in found:
        for run in one.act.of("provider"):
            spoiled.log[run.entered]["given"]["request"]["content"] = PLANTED
    return bool(found)


@plant(FAULTS, "payload_of_a_failure", "a failing sanitizer of a call leaves its payload", "EVT-025", "EVT-029")
def payload_of_a_failure(spoiled: Spoiled) -> bool:
    """Fill the data of every event whose sanitizer of the payload failed."""
    found = [one for one in _payloads(spoiled) if not all(map(_passes, one.runs))]
    for event in [event for one in found for event in told(spoiled, one)]:
        event["data"] = PLANTED
    return bool(found)


@plant(FAULTS, "hide_after_a_failure", "a failing sanitizer of a call hides its payload", "EVT-029")
def hide_after_a_failure(spoiled: Spoiled) -> bool:
    """Empty the data of every event whose last sanitizer of the payload raised, where something was told."""
    found = [one for one in _payloads(spoiled) if one.runs[-1].raised is not None]
    events = [event for one in found for event in told(spoiled, one) if event["data"] is not None]
    for event in events:
        event["data"] = None
    return bool(events)


@plant(FAULTS, "rewrite_unseen", "an event is rewritten that nobody is told", "EVT-026", also=("MID-027",))
def rewrite_unseen(spoiled: Spoiled) -> bool:
    """Let a sanitizer or an injector run where there is no subscriber."""
    steps = [act.step for act in spoiled.transcript.acts if act.step["step"] == "register" and act.error is None]
    rewriting = [step for step in steps if step["family"] in EVENT_FAMILIES]
    if "subscriber" in families(spoiled.transcript) or not rewriting or spoiled.transcript.published:
        return False
    key = {"callback": callback_of(rewriting[0]), "k": 0}
    event = {"kind": "mark", "name": "planted", "uuid": FOREIGN_UUID, **dict.fromkeys(FIELDS)}
    given: Json = {"event": event, "fields": dict.fromkeys(FIELDS)}
    spoiled.insert(-2, {"fact": "enter", **key, "given": given}, {"fact": "leave", **key, "reply": {}})
    return True


@plant(FAULTS, "unsanitized_annotation", "the annotation is not decoded from what sanitizers left", "EVT-027")
def unsanitized_annotation(spoiled: Spoiled) -> bool:
    """Replace the annotation of every start whose request a sanitizer changed."""
    found = [one for one in payloads(spoiled.transcript) if one.runs[0].part == "llm.sanitize_request"]
    found = [one for one in found if one.act.of("decode") and all(map(_passes, one.runs))]
    found = [one for one in found if one.runs[0].given["request"] != one.runs[-1].reply]
    for event in [event for one in found for event in told(spoiled, one)]:
        event["category_profile"] = {**(event["category_profile"] or {}), "annotated_request": PLANTED}
    return bool(found)


@plant(FAULTS, "forget_codec", "a sanitizer is not told of the call's codec", "AUT-017", "AUT-018", "DLC-011")
def forget_codec(spoiled: Spoiled) -> bool:
    """Tell every sanitizer of an LLM's payload of no codec, where there is one."""
    found = [given["codec"] for given in _told_a_codec(spoiled) if given["codec"]["kind"] != "none"]
    for codec in found:
        codec.update(kind="none", id=None, resolves=False)
    return bool(found)


@plant(FAULTS, "misname_codec", "a sanitizer is told another name of a built-in codec", "AUT-018", "DLC-011")
def misname_codec(spoiled: Spoiled) -> bool:
    """Name every codec that a sanitizer of an LLM's payload is told of, where all calls have built-in ones."""
    steps = [
        act.step for act in spoiled.transcript.acts if act.step["step"] == "call" and act.step["kind"].startswith("llm")
    ]
    if any(isinstance(step["codec"], dict) for step in steps):
        return False
    found = [given["codec"] for given in _told_a_codec(spoiled) if given["codec"]["kind"] != "none"]
    for codec in found:
        codec.update(kind="builtin", id="planted")
    return bool(found)


@plant(FAULTS, "forget_codecs", "an execution intercept is not told of its call's codecs", "AUT-026")
def forget_codecs(spoiled: Spoiled) -> bool:
    """Tell what wraps an execution of no codec, where there is one."""
    entered = [run for act in spoiled.transcript.acts for run in act.everything if "codecs" in run.given]
    told = [codec for run in entered for codec in spoiled.log[run.entered]["given"]["codecs"].values()]
    found = [codec for codec in told if codec is not None and codec["kind"] != "none"]
    for codec in found:
        codec.update(kind="none", id=None, resolves=False)
    return bool(found)


def _told_a_codec(spoiled: Spoiled) -> list[Json]:
    """Return what sanitizers were given that are told of codecs."""
    return [spoiled.log[run.entered]["given"] for run in spoiled.transcript.published if "codec" in run.given]


@plant(FAULTS, "bare_guardrail", "guardrails do not bear the call's metadata", "EVT-028")
def bare_guardrail(spoiled: Spoiled) -> bool:
    """Replace the metadata of every guardrail."""
    acts = [act for act in spoiled.transcript.acts if act.of("llm.conditional", "tool.conditional")]
    if spoiled.transcript.published or len({str(act.step.get("metadata")) for act in acts}) != 1:
        return False
    events = [event for told in spoiled.transcript.events.values() for _, event in told]
    found = [event for event in events if event.get("category") == "guardrail"]
    for event in found:
        event["metadata"] = PLANTED
    return bool(found)


@plant(
    FAULTS,
    "sanitized_headers",
    "the provider is given the headers that a sanitizer left",
    "EVT-024",
    "AUT-003",
    also=("EVT-050", "MID-012"),
)
def sanitized_headers(spoiled: Spoiled) -> bool:
    """Give the provider a header that a sanitizer added, where no intercept and no codec changes the request."""
    found = [one for one in payloads(spoiled.transcript) if one.runs[0].part == "llm.sanitize_request"]
    found = [one for one in found if not one.act.of("llm.request", "llm.execution", "encode")]
    found = [one for one in found if one.act.of("provider") and one.act.step["codec"] == "none"]
    for one in found:
        headers = spoiled.log[one.act.of("provider")[-1].entered]["given"]["request"]["headers"]
        headers["planted"] = "1"
    return bool(found)


@plant(FAULTS, "spare_stand_ins", "sanitizers are not given what stands in for an answer", "EVT-047")
def spare_stand_ins(spoiled: Spoiled) -> bool:
    """Give the first sanitizer null in place of the data of every end whose response is null."""
    found = [
        one.runs[0]
        for one in payloads(spoiled.transcript)
        if one.runs[0].part == "llm.sanitize_response" and one.runs[0].given["response"] is not None
        if one.act.step["step"] == "start"
        for end in ends_of(spoiled.transcript, one.act)
        if end.error is None and end.step["output"] is None and end.step["data"] is not None
    ]
    for run in found:
        spoiled.log[run.entered]["given"]["response"] = None
    return bool(found)
