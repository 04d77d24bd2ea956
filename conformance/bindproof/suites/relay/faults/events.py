"""Planted faults of the chapter *Events* (EVT) about what events say."""

from __future__ import annotations

from itertools import pairwise

from bindproof.core.model import Json
from bindproof.suites import Fault
from bindproof.suites.relay.faults.spoiled_log import PLANTED, Spoiled, plant
from bindproof.suites.relay.observation.null_answers import answers_null
from bindproof.suites.relay.observation.outcomes import names_of_marks
from bindproof.suites.relay.observation.spans import ToldSpan, call_spans, families, spans
from bindproof.suites.relay.observation.status import STATUS, is_error
from bindproof_reference.relay.tools import says_failed

FAULTS: dict[str, Fault] = {}

SEVERITY = "nemo_relay.log.severity"


def _events(spoiled: Spoiled) -> list[Json]:
    """Every event that was told, where nothing ran when it was published."""
    return (
        []
        if spoiled.transcript.published
        else [event for told in spoiled.transcript.events.values() for _, event in told]
    )


def _spans(spoiled: Spoiled, *kinds: str) -> list[ToldSpan]:
    return (
        [span for kind in kinds for span in spans(spoiled.transcript, kind)] if not spoiled.transcript.published else []
    )


def _scopes(spoiled: Spoiled) -> list[ToldSpan]:
    return _spans(spoiled, "scope")


def _marks(spoiled: Spoiled) -> list[Json]:
    """The events of the program's marks that nothing rewrites, of names that no call or intercept uses."""
    steps = spoiled.transcript.acts
    marks = [act for act in steps if act.step["step"] == "mark" and act.within is None]
    names = {act.step["name"] for act in marks if act.error is None}
    names -= {act.step.get("name") for act in steps if act.step["step"] != "mark"}
    names -= {str(name) for act in steps for run in act.all() for name in names_of_marks(run.reply)}
    return [event for event in _events(spoiled) if event["kind"] == "mark" and event["name"] in names]


@plant(FAULTS, "odd_event_key", "an event has a key that its schema does not know", "EVT-001", also=("LIF-009",))
def odd_event_key(spoiled: Spoiled) -> bool:
    """Add a key to every event."""
    for event in _events(spoiled):
        event["planted"] = 1
    return bool(_events(spoiled))


@plant(FAULTS, "one_uuid", "two marks have one uuid", "EVT-002")
def one_uuid(spoiled: Spoiled) -> bool:
    """Give all marks that a program emits the uuid of the first."""
    found = _marks(spoiled)
    for event in found:
        event["uuid"] = found[0]["uuid"]
    return len({event["name"] for event in found}) > 1


@plant(
    FAULTS,
    "uneven_times",
    "what is told to several subscribers has another time for one of them",
    "EVT-031",
    also=("MRK-003", "TOL-008", "TOL-009", "STR-006", "EVT-018"),
)
def uneven_times(spoiled: Spoiled) -> bool:
    """Move every mark that was told before to another subscriber."""
    seen: set[Json] = set()
    again = []
    for event in _events(spoiled):
        if event.get("kind") == "mark":
            again += [event] if event["uuid"] in seen else []
            seen.add(event["uuid"])
    for event in again:
        event["timestamp"] = "2020-01-01T00:00:00.000000000+00:00"
    return bool(again)


@plant(
    FAULTS,
    "show_the_null",
    "the end of a call whose answer is null shows that, and not the call's data",
    "EVT-056",
    also=("AUT-016", "EVT-023", "EVT-029", "EVT-031", "EVT-049"),
)
def show_the_null(spoiled: Spoiled) -> bool:
    """Clear the data of the end of every managed call whose answer is null and which has data."""
    if spoiled.rewrites("end.sanitize"):
        return False
    found = [span for span in call_spans(spoiled.transcript) if span.act.step["data"] is not None]
    ends = [end for span in found if answers_null(spoiled.transcript, span.act) for _, end in span.ends]
    for end in ends:
        end["data"] = None
    return bool(ends)


@plant(FAULTS, "other_end", "an end has other attributes than its start", "EVT-003", also=("EVT-031",))
def other_end(spoiled: Spoiled) -> bool:
    """Give every end an attribute."""
    ends = [end for span in _spans(spoiled, "scope", "llm", "tool") for _, end in span.ends]
    for end in ends:
        end["attributes"] = ["planted"]
    return bool(ends)


@plant(FAULTS, "wrong_category", "the category of a scope is not its type", "EVT-004", also=("EVT-031",))
def wrong_category(spoiled: Spoiled) -> bool:
    """Give every scope another category, on start and end."""
    found = [(span, event) for span in _scopes(spoiled) for _, event in [span.start, *span.ends]]
    for span, event in found:
        event["category"] = "retriever" if span.act.step["type"] != "retriever" else "embedder"
    return bool(found)


@plant(FAULTS, "stale_input", "a scope's start does not show its input", "EVT-005")
def stale_input(spoiled: Spoiled) -> bool:
    """Replace the data of every scope's start."""
    for span in _scopes(spoiled):
        span.start[1]["data"] = PLANTED
    return bool(_scopes(spoiled))


@plant(FAULTS, "stale_mark", "a mark does not say what it was given", "EVT-006", also=("MTR-001",))
def stale_mark(spoiled: Spoiled) -> bool:
    """Replace the data of every mark that a program emits."""
    for event in _marks(spoiled):
        event["data"] = PLANTED
    return bool(_marks(spoiled))


@plant(FAULTS, "forget_severity", "schema and severity of a mark are lost", "EVT-007", also=("MTR-001",))
def forget_severity(spoiled: Spoiled) -> bool:
    """Take them out of every mark."""
    found = [event for event in _marks(spoiled) if event["data_schema"] or SEVERITY in _members(event["metadata"])]
    for event in found:
        event["data_schema"] = None
        event["metadata"] = {key: value for key, value in _members(event["metadata"]).items() if key != SEVERITY}
    return bool(found)


def _members(value: Json) -> Json:
    return value if isinstance(value, dict) else {}


@plant(
    FAULTS,
    "vague_severity",
    "a severity without a place is refused with an error that does not say so",
    "EVT-008",
    also=("LIF-030",),
)
def vague_severity(spoiled: Spoiled) -> bool:
    """Make the error of every mark that was refused say something else."""
    found = [act for act in spoiled.transcript.acts if act.step["step"] == "mark" and act.error is not None]
    found = [act for act in found if act.step["measurements"] is None]
    for act in found:
        spoiled.log[act.done or 0]["error"]["message"] = "planted"
    return bool(found)


@plant(FAULTS, "forget_metadata", "the metadata of a call are not on its start", "EVT-009")
def forget_metadata(spoiled: Spoiled) -> bool:
    """Take the metadata from every start."""
    found = [span.start[1] for span in _spans(spoiled, "scope", "llm", "tool") if span.start[1]["metadata"]]
    found = [event for event in found if isinstance(event["metadata"], dict)]
    for event in found:
        event["metadata"] = None
    return bool(found)


@plant(
    FAULTS, "end_without_metadata", "the metadata of a scope are not on its end", "EVT-009", also=("EVT-031", "EVT-044")
)
def end_without_metadata(spoiled: Spoiled) -> bool:
    """Take the metadata from every scope's end that nothing rewrites."""
    if spoiled.rewrites("end.sanitize", "event.metadata"):
        return False
    spans = [span for span in _scopes(spoiled) if isinstance(span.act.step["metadata"], dict)]
    ends = [end for span in spans if span.act.step["metadata"] for _, end in span.ends]
    for end in ends:
        end["metadata"] = None
    return bool(ends)


@plant(FAULTS, "lost_end_status", "the end of a call that a program ends itself has no status", "EVT-033", "EVT-034")
def lost_end_status(spoiled: Spoiled) -> bool:
    """Take the status from the end of every LLM call that a program ended itself."""
    if spoiled.rewrites("end.sanitize", "event.metadata"):
        return False
    spans = [span for span in _spans(spoiled, "llm") if span.act.step["step"] == "start"]
    ends = [end for span in spans for _, end in span.ends if isinstance(end["metadata"], dict)]
    for end in ends:
        end["metadata"] = {key: value for key, value in end["metadata"].items() if key != STATUS}
    return bool(ends)


@plant(FAULTS, "deaf_to_results", "the end of a tool call does not heed what its result says", "EVT-035")
def deaf_to_results(spoiled: Spoiled) -> bool:
    """Let the end of every tool call say OK whose result says that it failed."""
    if spoiled.rewrites("end.sanitize", "event.metadata", "tool.sanitize_response"):
        return False
    found = [end for span in _spans(spoiled, "tool") for _, end in span.ends]
    found = [end for end in found if says_failed(end["data"]) and is_error(end["metadata"])]
    found = found if spoiled.rules.tool_results_may_fail else []
    for end in found:
        end["metadata"] = {**end["metadata"], STATUS: "OK"}
    return bool(found)


@plant(
    FAULTS,
    "forget_status",
    "the end of a call does not say how it went",
    "EVT-010",
    also=("EVT-009", "LIF-007", "REF-000", "EVT-035"),
)
def forget_status(spoiled: Spoiled) -> bool:
    """Take the status from the end of every call that succeeded, unless a sanitizer may have done that."""
    if "end.sanitize" in families(spoiled.transcript):
        return False
    found = [span for span in _spans(spoiled, "llm", "tool") if span.act.step["step"] == "call"]
    found = [span for span in found if span.act.step["kind"] != "llm_stream"]
    ends = [end for span in found if span.act.error is None for _, end in span.ends]
    for end in ends:
        end["metadata"] = {key: value for key, value in end["metadata"].items() if not key.startswith("otel.")}
    return bool(ends)


@plant(FAULTS, "end_at_start", "a scope ends when it starts", "EVT-011", also=("EVT-031", "EVT-037"))
def end_at_start(spoiled: Spoiled) -> bool:
    """Give every scope's end the time of its start."""
    ends = [(span, end) for span in _scopes(spoiled) for _, end in span.ends]
    for span, end in ends:
        end["timestamp"] = span.start[1]["timestamp"]
    return bool(ends)


@plant(FAULTS, "zulu_time", "a time has the offset Z", "EVT-013")
def zulu_time(spoiled: Spoiled) -> bool:
    """Write the offset of every mark that a program emits in another way."""
    for event in _marks(spoiled):
        event["timestamp"] = event["timestamp"].replace("+00:00", "Z")
    return bool(_marks(spoiled))


@plant(FAULTS, "scope_profile", "a scope has a profile", "EVT-014")
def scope_profile(spoiled: Spoiled) -> bool:
    """Give the start of every scope a profile."""
    for span in _scopes(spoiled):
        span.start[1]["category_profile"] = {}
    return bool(_scopes(spoiled))


@plant(
    FAULTS,
    "lose_manual_start",
    "a manual call's start is not told",
    "EVT-015",
    also=("EVT-009", "EVT-036", "TOL-007", "REF-000"),
)
def lose_manual_start(spoiled: Spoiled) -> bool:
    """Take out what every subscriber is told of the start of the last manual call."""
    found = [span for span in _spans(spoiled, "llm", "tool") if span.act.step["step"] == "start"]
    spoiled.drop([span.start[1] for span in found if span.act is found[-1].act])
    return bool(found)


@plant(FAULTS, "told_late", "an event is told after a later one", "EVT-015")
def told_late(spoiled: Spoiled) -> bool:
    """Exchange a mark with the event before it, where all events are of the program's own steps."""
    acts = spoiled.transcript.acts
    if (
        any(act.step["step"] in ("call", "helper") or act.within is not None for act in acts)
        or spoiled.transcript.published
    ):
        return False
    done = False
    for events in spoiled.transcript.events.values():
        for (one, first), (other, second) in pairwise(events):
            if second["kind"] == "mark" and first["name"] != second["name"]:
                spoiled.log[one]["event"], spoiled.log[other]["event"] = second, first
                done = True
                break
    return done
