"""Planted faults of the chapter *Tool execution outcomes* (TOL)."""

from __future__ import annotations

from collections.abc import Callable

from bindproof.core.model import Json
from bindproof.suites import Fault
from bindproof.suites.relay.faults.altering import Altered, alter
from bindproof.suites.relay.faults.marks import later
from bindproof.suites.relay.faults.planting import PLANTED
from bindproof.suites.relay.observation.spans import Span, spans
from bindproof.suites.relay.observation.story import Act, Asked, Run

FAULTS: dict[str, Fault] = {}


def _calls(altered: Altered) -> list[Act]:
    return altered.story.calls("tool")


def _spans(altered: Altered, wanted: Callable[[Span], bool]) -> list[Span]:
    found = [span for span in spans(altered.story, "tool") if span.act.step["step"] == "call"]
    return [span for span in found if wanted(span)]


def _succeeded(span: Span) -> bool:
    return span.act.error is None and len(span.ends) == 1


def _states_none(run: Run) -> bool:
    return run.replied and not (isinstance(run.reply, dict) and "result" in run.reply)


def _succeed(altered: Altered, wanted: Callable[[Act], bool]) -> bool:
    """Let failed calls succeed with nothing; the end says so too where no callback raised."""
    found = [act for act in _calls(altered) if act.error is not None and act.runs and wanted(act)]
    calm = [act for act in found if act.runs[-1].raised is None]
    for _, end in [end for span in _spans(altered, lambda span: span.act in calm) for end in span.ends]:
        end["metadata"] = {"otel.status_code": "OK"}
    for act in found:
        altered.succeed(act, {"result": None, "annotation": None})
    return bool(found)


@alter(FAULTS, "take_no_result", "a tool's callback may state no result", "TOL-001")
def take_no_result(altered: Altered) -> bool:
    """Let every call succeed whose callback stated no result."""
    return _succeed(altered, lambda act: any(_states_none(run) for run in act.of("provider")))


@alter(FAULTS, "take_no_outcome", "an execution intercept may state no result", "TOL-002")
def take_no_outcome(altered: Altered) -> bool:
    """Let every call succeed of which an intercept stated no result."""
    return _succeed(altered, lambda act: any(_states_none(run) for run in act.of("tool.execution")))


@alter(FAULTS, "wrong_result", "the caller is given another result", "TOL-003", "TOL-006", "TOL-013")
def wrong_result(altered: Altered) -> bool:
    """Replace the result of every call that succeeded."""
    found = [act for act in _calls(altered) if act.error is None and act.done is not None]
    for act in found:
        altered.log[act.done or 0]["value"]["result"] = PLANTED
    return bool(found)


def _answered(altered: Altered) -> list[tuple[Run, Asked]]:
    runs = [run for act in _calls(altered) for run in act.of("tool.execution")]
    return [(run, asked) for run in runs for asked in run.asked if asked.inside and asked.error is None]


@alter(FAULTS, "wrong_continuation", "`next` gives another result than what it wraps", "TOL-004")
def wrong_continuation(altered: Altered) -> bool:
    """Replace the result of every answer."""
    found = [asked for _, asked in _answered(altered) if asked.answered is not None]
    for asked in found:
        altered.log[asked.answered or 0]["value"]["result"] = PLANTED
    return bool(found)


@alter(FAULTS, "leak_tool_marks", "the caller is given the marks too", "TOL-005")
def leak_tool_marks(altered: Altered) -> bool:
    """Add marks to the value of every call that succeeded."""
    found = [act for act in _calls(altered) if act.error is None and act.done is not None]
    for act in found:
        altered.log[act.done or 0]["value"]["pending_marks"] = []
    return bool(found)


@alter(FAULTS, "lose_tool_end", "a tool call never ends", "TOL-007", "FLT-002", "FLT-011")
def lose_tool_end(altered: Altered) -> bool:
    """Drop the end of every tool call."""
    ends = [event for span in _spans(altered, lambda span: True) for _, event in span.ends]
    altered.drop(ends)
    return bool(ends)


@alter(FAULTS, "tool_mark_before_end", "a tool's mark is told before the end", "TOL-008")
def tool_mark_before_end(altered: Altered) -> bool:
    """Exchange the end with the first mark."""
    found = _spans(altered, lambda span: _succeeded(span) and bool(span.marks))
    for span in found:
        (end, one), (mark, other) = span.ends[0], span.marks[0]
        altered.log[end]["event"], altered.log[mark]["event"] = other, one
    return bool(found)


@alter(FAULTS, "tool_marks_at_once", "a tool's marks have one time", "TOL-009")
def tool_marks_at_once(altered: Altered) -> bool:
    """Give every mark the time of the first."""
    found = _spans(altered, lambda span: _succeeded(span) and len(span.marks) > 1)
    for span in found:
        for _, mark in span.marks:
            mark["timestamp"] = later(span.ends[0][1]["timestamp"], 1000)
    return bool(found)


@alter(FAULTS, "swap_tool_marks", "a tool's marks come in another order", "TOL-010")
def swap_tool_marks(altered: Altered) -> bool:
    """Exchange the names of the first two marks."""
    found = _spans(altered, lambda span: _succeeded(span) and len({mark["name"] for _, mark in span.marks[:2]}) == 2)
    for span in found:
        one, other = span.marks[0][1], span.marks[1][1]
        one["name"], other["name"] = other["name"], one["name"]
    return bool(found)


@alter(FAULTS, "data_of_a_failure", "the end of a failed tool call has data", "TOL-011", "FLT-011")
def data_of_a_failure(altered: Altered) -> bool:
    """Give the end of every failed call data."""
    ends = [event for span in _spans(altered, lambda span: span.act.error is not None) for _, event in span.ends]
    for event in ends:
        event["data"] = PLANTED
    return bool(ends)


@alter(FAULTS, "swallow_tool_error", "what a tool's callback raises is lost", "TOL-012")
def swallow_tool_error(altered: Altered) -> bool:
    """Let every call succeed whose execution raised."""
    return _succeed(altered, lambda act: act.runs[-1].raised is not None and act.runs[-1].part in EXECUTING)


EXECUTING = ("tool.execution", "provider")


@alter(FAULTS, "stale_tool_end", "the end's data is not the result", "TOL-013")
def stale_tool_end(altered: Altered) -> bool:
    """Replace the data of every end whose data nobody rewrites."""
    if altered.rewrites("tool.sanitize_response", "end.sanitize"):
        return False
    ends = [event for span in _spans(altered, _succeeded) for _, event in span.ends]
    for event in ends:
        event["data"] = PLANTED
    return bool(ends)


@alter(FAULTS, "run_twice", "what is wrapped runs twice for one `next`", "TOL-014")
def run_twice(altered: Altered) -> bool:
    """Repeat the records of the first callback that an intercept went on to."""
    return altered.run_again(asked for _, asked in _answered(altered))


@alter(FAULTS, "forget_edit", "what `next` is given is not handed on", "TOL-015")
def forget_edit(altered: Altered) -> bool:
    """Replace what everything that an intercept went on to is given."""
    found = [run for _, asked in _answered(altered) for run in asked.inside]
    for run in found:
        altered.log[run.entered]["given"]["args"] = PLANTED
    return bool(found)


@alter(FAULTS, "forget_tool_id", "the id of a tool call is on no event", "TOL-016")
def forget_tool_id(altered: Altered) -> bool:
    """Take the id out of every start."""
    if altered.rewrites("start.sanitize"):
        return False
    found: list[Json] = [
        span.start[1] for span in _spans(altered, lambda span: span.act.step["tool_call_id"] is not None)
    ]
    for event in found:
        event["category_profile"] = {}
    return bool(found)
