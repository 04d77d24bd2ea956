"""Planted faults of the chapter *Events* (EVT) about what rewrites events."""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites import Fault
from bindproof.suites.relay.faults.altering import Altered, alter
from bindproof.suites.relay.faults.planting import FOREIGN_UUID, PLANTED
from bindproof.suites.relay.observation.published import FIELDS, Payload, Publication, payloads, publications
from bindproof.suites.relay.observation.spans import families
from bindproof.suites.relay.observation.story import Run
from bindproof.suites.relay.scenario.callbacks import callback_of

FAULTS: dict[str, Fault] = {}

EVENT_FAMILIES = ("event.metadata", "mark.sanitize", "start.sanitize", "end.sanitize")


def _is_fields(run: Run) -> bool:
    return run.replied and isinstance(run.reply, dict) and isinstance(run.reply.get("category_profile"), dict | None)


def _told(altered: Altered, one: Publication | Payload) -> list[Json]:
    """The event of a publication, as every subscriber was told it."""
    event = one.told[1]
    return [
        other
        for events in altered.story.events.values()
        for _, other in events
        if all(other.get(key) == event.get(key) for key in ("uuid", "scope_category", "timestamp"))
    ]


def _tell(altered: Altered, found: list[Publication], key: str, value: Json = PLANTED) -> bool:
    """Tell something else in one member of events."""
    for event in [event for one in found for event in _told(altered, one)]:
        event[key] = value
    return bool(found)


def _sanitized(altered: Altered) -> list[Publication]:
    return [one for one in publications(altered.story) if one.sanitizers]


@alter(FAULTS, "stale_fields", "subscribers are not told what a sanitizer returned", "EVT-016")
def stale_fields(altered: Altered) -> bool:
    """Replace the data of every event whose last sanitizer returned some."""
    found = [one for one in _sanitized(altered) if all(map(_is_fields, one.sanitizers))]
    return _tell(altered, [one for one in found if "data" in one.sanitizers[-1].reply], "data")


@alter(FAULTS, "keep_left_out", "what a sanitizer leaves out stays", "EVT-017")
def keep_left_out(altered: Altered) -> bool:
    """Fill the data of every event whose last sanitizer left them out."""
    found = [one for one in _sanitized(altered) if all(map(_is_fields, one.sanitizers))]
    return _tell(altered, [one for one in found if "data" not in one.sanitizers[-1].reply], "data")


@alter(FAULTS, "rewrite_schema", "the schema of an event that is rewritten changes", "EVT-018")
def rewrite_schema(altered: Altered) -> bool:
    """Give every event that something looked at a schema."""
    found = [one for one in publications(altered.story) if one.runs()]
    return _tell(altered, found, "data_schema", {"name": "planted", "version": "1"})


@alter(FAULTS, "fail_open", "a failing sanitizer leaves the data", "EVT-019", "EVT-030")
def fail_open(altered: Altered) -> bool:
    """Fill the data of every event of which the last sanitizer failed."""
    return _tell(altered, [one for one in _sanitized(altered) if not _is_fields(one.sanitizers[-1])], "data")


def _last_injected(altered: Altered) -> list[Publication]:
    return [one for one in publications(altered.story) if one.injectors and not one.sanitizers]


@alter(FAULTS, "drop_injected", "what an injector answers is not added", "EVT-020")
def drop_injected(altered: Altered) -> bool:
    """Tell the metadata as they were before the last injector, where it added something."""
    found = [one for one in _last_injected(altered) if one.injectors[-1].replied]
    found = [one for one in found if one.told[1]["metadata"] != one.injectors[-1].given["event"]["metadata"]]
    for one in found:
        for event in _told(altered, one):
            event["metadata"] = one.injectors[-1].given["event"]["metadata"]
    return bool(found)


@alter(FAULTS, "inject_anyway", "an injector that failed adds something", "EVT-021")
def inject_anyway(altered: Altered) -> bool:
    """Change the metadata after the last injector, where it raised or answered with null inside."""
    found = [one for one in _last_injected(altered) if _is_unfit(one.injectors[-1])]
    return _tell(altered, found, "metadata")


def _is_unfit(run: Run) -> bool:
    return run.raised is not None or (isinstance(run.reply, dict) and None in run.reply.values())


@alter(FAULTS, "late_injector", "an injector runs after a sanitizer", "EVT-022")
def late_injector(altered: Altered) -> bool:
    """Exchange an injector and a sanitizer that left the metadata alone."""
    done = False
    for one in publications(altered.story):
        if len(one.injectors) == len(one.sanitizers) == 1 and _is_fields(one.sanitizers[0]):
            run, after = one.injectors[0], one.sanitizers[0]
            alone = run.left is not None and after.left is not None
            if alone and after.reply.get("metadata") == after.given["fields"]["metadata"]:
                for first, second in ((run.entered, after.entered), (run.left or 0, after.left or 0)):
                    altered.log[first], altered.log[second] = altered.log[second], altered.log[first]
                done = True
    return done


def _payloads(altered: Altered) -> list[Payload]:
    rewritten = {"start.sanitize", "end.sanitize"} & families(altered.story)
    return [] if rewritten else payloads(altered.story)


def _passes(run: Run) -> bool:
    return run.replied and not run.refused and (run.reply is not None or run.part.startswith("tool."))


@alter(FAULTS, "stale_payload", "an event does not show what sanitizers left", "EVT-023")
def stale_payload(altered: Altered) -> bool:
    """Replace the data of every event whose payload was sanitized."""
    found = [one for one in _payloads(altered) if all(map(_passes, one.runs))]
    for event in [event for one in found for event in _told(altered, one)]:
        event["data"] = PLANTED
    return bool(found)


@alter(FAULTS, "sanitized_args", "the execution is given what a sanitizer left", "EVT-024")
def sanitized_args(altered: Altered) -> bool:
    """Replace the args of every tool call whose args were sanitized, where no intercept changes them."""
    found = [one for one in payloads(altered.story) if one.runs[0].part == "tool.sanitize_request"]
    found = [one for one in found if not one.act.of("tool.request", "tool.execution")]
    for one in found:
        for run in one.act.of("provider"):
            altered.log[run.entered]["given"]["args"] = PLANTED
    return bool(found) or _sanitized_bodies(altered)


def _sanitized_bodies(altered: Altered) -> bool:
    found = [one for one in payloads(altered.story) if one.runs[0].part == "llm.sanitize_request"]
    found = [one for one in found if not one.act.of("llm.request", "llm.execution", "encode")]
    for one in found:
        for run in one.act.of("provider"):
            altered.log[run.entered]["given"]["request"]["content"] = PLANTED
    return bool(found)


@alter(FAULTS, "payload_of_a_failure", "a failing sanitizer of a call leaves its payload", "EVT-025", "EVT-029")
def payload_of_a_failure(altered: Altered) -> bool:
    """Fill the data of every event whose sanitizer of the payload failed."""
    found = [one for one in _payloads(altered) if not all(map(_passes, one.runs))]
    for event in [event for one in found for event in _told(altered, one)]:
        event["data"] = PLANTED
    return bool(found)


@alter(FAULTS, "hide_after_a_failure", "a failing sanitizer of a call hides its payload", "EVT-029")
def hide_after_a_failure(altered: Altered) -> bool:
    """Empty the data of every event whose last sanitizer of the payload raised, where something was told."""
    found = [one for one in _payloads(altered) if one.runs[-1].raised is not None]
    events = [event for one in found for event in _told(altered, one) if event["data"] is not None]
    for event in events:
        event["data"] = None
    return bool(events)


@alter(FAULTS, "rewrite_unseen", "an event is rewritten that nobody is told", "EVT-026")
def rewrite_unseen(altered: Altered) -> bool:
    """Let a sanitizer or an injector run where there is no subscriber."""
    steps = [act.step for act in altered.story.acts if act.step["step"] == "register" and act.error is None]
    rewriting = [step for step in steps if step["family"] in EVENT_FAMILIES]
    if "subscriber" in families(altered.story) or not rewriting or altered.story.published:
        return False
    key = {"callback": callback_of(rewriting[0]), "k": 0}
    event = {"kind": "mark", "name": "planted", "uuid": FOREIGN_UUID, **dict.fromkeys(FIELDS)}
    given: Json = {"event": event, "fields": dict.fromkeys(FIELDS)}
    altered.insert(-2, {"fact": "enter", **key, "given": given}, {"fact": "leave", **key, "reply": {}})
    return True


@alter(FAULTS, "unsanitized_annotation", "the annotation is not decoded from what sanitizers left", "EVT-027")
def unsanitized_annotation(altered: Altered) -> bool:
    """Replace the annotation of every start whose request a sanitizer changed."""
    found = [one for one in payloads(altered.story) if one.runs[0].part == "llm.sanitize_request"]
    found = [one for one in found if one.act.of("decode") and all(map(_passes, one.runs))]
    found = [one for one in found if one.runs[0].given["request"] != one.runs[-1].reply]
    for event in [event for one in found for event in _told(altered, one)]:
        event["category_profile"] = {**(event["category_profile"] or {}), "annotated_request": PLANTED}
    return bool(found)


@alter(FAULTS, "forget_codec", "a sanitizer is not told of the call's codec", "AUT-017", "AUT-018", "DLC-011")
def forget_codec(altered: Altered) -> bool:
    """Tell every sanitizer of an LLM's payload of no codec, where there is one."""
    found = [given["codec"] for given in _told_a_codec(altered) if given["codec"]["kind"] != "none"]
    for codec in found:
        codec.update(kind="none", id=None, resolves=False)
    return bool(found)


@alter(FAULTS, "misname_codec", "a sanitizer is told another name of a built-in codec", "AUT-018", "DLC-011")
def misname_codec(altered: Altered) -> bool:
    """Name every codec that a sanitizer of an LLM's payload is told of, where all calls have built-in ones."""
    steps = [
        act.step for act in altered.story.acts if act.step["step"] == "call" and act.step["kind"].startswith("llm")
    ]
    if any(isinstance(step["codec"], dict) for step in steps):
        return False
    found = [given["codec"] for given in _told_a_codec(altered) if given["codec"]["kind"] != "none"]
    for codec in found:
        codec.update(kind="builtin", id="planted")
    return bool(found)


def _told_a_codec(altered: Altered) -> list[Json]:
    """Return what sanitizers were given that are told of codecs."""
    return [altered.log[run.entered]["given"] for run in altered.story.published if "codec" in run.given]


@alter(FAULTS, "bare_guardrail", "guardrails do not bear the call's metadata", "EVT-028")
def bare_guardrail(altered: Altered) -> bool:
    """Replace the metadata of every guardrail."""
    acts = [act for act in altered.story.acts if act.of("llm.conditional", "tool.conditional")]
    if altered.story.published or len({str(act.step.get("metadata")) for act in acts}) != 1:
        return False
    events = [event for told in altered.story.events.values() for _, event in told]
    found = [event for event in events if event.get("category") == "guardrail"]
    for event in found:
        event["metadata"] = PLANTED
    return bool(found)
