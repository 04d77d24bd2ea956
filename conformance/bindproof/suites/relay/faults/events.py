"""Planted faults of the chapter *Events* (EVT) about what events say."""

from __future__ import annotations

from itertools import pairwise

from bindproof.core.model import Json
from bindproof.suites import Fault
from bindproof.suites.relay.faults.altering import Altered, alter
from bindproof.suites.relay.faults.planting import PLANTED
from bindproof.suites.relay.observation.calls import names_of_marks
from bindproof.suites.relay.observation.spans import Span, families, spans

FAULTS: dict[str, Fault] = {}

SEVERITY = "nemo_relay.log.severity"


def _events(altered: Altered) -> list[Json]:
    """Every event that was told, where nothing ran when it was published."""
    return [] if altered.story.published else [event for told in altered.story.events.values() for _, event in told]


def _spans(altered: Altered, *kinds: str) -> list[Span]:
    return [span for kind in kinds for span in spans(altered.story, kind)] if not altered.story.published else []


def _scopes(altered: Altered) -> list[Span]:
    return _spans(altered, "scope")


def _marks(altered: Altered) -> list[Json]:
    """The events of the program's marks that nothing rewrites, of names that no call or intercept uses."""
    steps = altered.story.acts
    marks = [act for act in steps if act.step["step"] == "mark" and act.within is None]
    names = {act.step["name"] for act in marks if act.error is None}
    names -= {act.step.get("name") for act in steps if act.step["step"] != "mark"}
    names -= {str(name) for act in steps for run in act.all() for name in names_of_marks(run.reply)}
    return [event for event in _events(altered) if event["kind"] == "mark" and event["name"] in names]


@alter(FAULTS, "odd_event_key", "an event has a key that its schema does not know", "EVT-001")
def odd_event_key(altered: Altered) -> bool:
    """Add a key to every event."""
    for event in _events(altered):
        event["planted"] = 1
    return bool(_events(altered))


@alter(FAULTS, "one_uuid", "two marks have one uuid", "EVT-002")
def one_uuid(altered: Altered) -> bool:
    """Give all marks that a program emits the uuid of the first."""
    found = _marks(altered)
    for event in found:
        event["uuid"] = found[0]["uuid"]
    return len({event["name"] for event in found}) > 1


@alter(FAULTS, "other_end", "an end has other attributes than its start", "EVT-003")
def other_end(altered: Altered) -> bool:
    """Give every end an attribute."""
    ends = [end for span in _spans(altered, "scope", "llm", "tool") for _, end in span.ends]
    for end in ends:
        end["attributes"] = ["planted"]
    return bool(ends)


@alter(FAULTS, "wrong_category", "the category of a scope is not its type", "EVT-004")
def wrong_category(altered: Altered) -> bool:
    """Give every scope another category, on start and end."""
    found = [(span, event) for span in _scopes(altered) for _, event in [span.start, *span.ends]]
    for span, event in found:
        event["category"] = "retriever" if span.act.step["type"] != "retriever" else "embedder"
    return bool(found)


@alter(FAULTS, "stale_input", "a scope's start does not show its input", "EVT-005")
def stale_input(altered: Altered) -> bool:
    """Replace the data of every scope's start."""
    for span in _scopes(altered):
        span.start[1]["data"] = PLANTED
    return bool(_scopes(altered))


@alter(FAULTS, "stale_mark", "a mark does not say what it was given", "EVT-006")
def stale_mark(altered: Altered) -> bool:
    """Replace the data of every mark that a program emits."""
    for event in _marks(altered):
        event["data"] = PLANTED
    return bool(_marks(altered))


@alter(FAULTS, "forget_severity", "schema and severity of a mark are lost", "EVT-007")
def forget_severity(altered: Altered) -> bool:
    """Take them out of every mark."""
    found = [event for event in _marks(altered) if event["data_schema"] or SEVERITY in _members(event["metadata"])]
    for event in found:
        event["data_schema"] = None
        event["metadata"] = {key: value for key, value in _members(event["metadata"]).items() if key != SEVERITY}
    return bool(found)


def _members(value: Json) -> Json:
    return value if isinstance(value, dict) else {}


@alter(FAULTS, "vague_severity", "a severity without a place is refused with an error that does not say so", "EVT-008")
def vague_severity(altered: Altered) -> bool:
    """Make the error of every mark that was refused say something else."""
    found = [act for act in altered.story.acts if act.step["step"] == "mark" and act.error is not None]
    for act in found:
        altered.log[act.done or 0]["error"]["message"] = "planted"
    return bool(found)


@alter(FAULTS, "forget_metadata", "the metadata of a call are not on its start", "EVT-009")
def forget_metadata(altered: Altered) -> bool:
    """Take the metadata from every start."""
    found = [span.start[1] for span in _spans(altered, "scope", "llm", "tool") if span.start[1]["metadata"]]
    found = [event for event in found if isinstance(event["metadata"], dict)]
    for event in found:
        event["metadata"] = None
    return bool(found)


@alter(FAULTS, "forget_status", "the end of a call does not say how it went", "EVT-010")
def forget_status(altered: Altered) -> bool:
    """Take the status from the end of every call that succeeded, unless a sanitizer may have done that."""
    if "end.sanitize" in families(altered.story):
        return False
    found = [span for span in _spans(altered, "llm", "tool") if span.act.step["step"] == "call"]
    found = [span for span in found if span.act.step["kind"] != "llm_stream"]
    ends = [end for span in found if span.act.error is None for _, end in span.ends]
    for end in ends:
        end["metadata"] = {key: value for key, value in end["metadata"].items() if not key.startswith("otel.")}
    return bool(ends)


@alter(FAULTS, "end_at_start", "a scope ends when it starts", "EVT-011")
def end_at_start(altered: Altered) -> bool:
    """Give every scope's end the time of its start."""
    ends = [(span, end) for span in _scopes(altered) for _, end in span.ends]
    for span, end in ends:
        end["timestamp"] = span.start[1]["timestamp"]
    return bool(ends)


@alter(FAULTS, "zulu_time", "a time has the offset Z", "EVT-013")
def zulu_time(altered: Altered) -> bool:
    """Write the offset of every mark that a program emits in another way."""
    for event in _marks(altered):
        event["timestamp"] = event["timestamp"].replace("+00:00", "Z")
    return bool(_marks(altered))


@alter(FAULTS, "scope_profile", "a scope has a profile", "EVT-014")
def scope_profile(altered: Altered) -> bool:
    """Give the start of every scope a profile."""
    for span in _scopes(altered):
        span.start[1]["category_profile"] = {}
    return bool(_scopes(altered))


@alter(FAULTS, "told_late", "an event is told after a later one", "EVT-015")
def told_late(altered: Altered) -> bool:
    """Exchange a mark with the event before it, where all events are of the program's own steps."""
    acts = altered.story.acts
    if any(act.step["step"] in ("call", "helper") or act.within is not None for act in acts) or altered.story.published:
        return False
    done = False
    for events in altered.story.events.values():
        for (one, first), (other, second) in pairwise(events):
            if second["kind"] == "mark" and first["name"] != second["name"]:
                altered.log[one]["event"], altered.log[other]["event"] = second, first
                done = True
                break
    return done
