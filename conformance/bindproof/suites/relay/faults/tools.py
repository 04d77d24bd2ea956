"""Planted faults of the chapter *Tool execution outcomes* (TOL)."""

from __future__ import annotations

from collections.abc import Callable

from bindproof.core.model import Json
from bindproof.suites import Fault
from bindproof.suites.relay.faults.marks import later
from bindproof.suites.relay.faults.spoiled_log import PLANTED, Spoiled, plant
from bindproof.suites.relay.observation.outcomes import marks_of
from bindproof.suites.relay.observation.spans import ToldSpan, spans
from bindproof.suites.relay.observation.status import STATUS
from bindproof.suites.relay.observation.transcript import Act, Asked, Entry

FAULTS: dict[str, Fault] = {}


def _calls(spoiled: Spoiled) -> list[Act]:
    return spoiled.transcript.calls("tool")


def _spans(spoiled: Spoiled, wanted: Callable[[ToldSpan], bool]) -> list[ToldSpan]:
    found = [span for span in spans(spoiled.transcript, "tool") if span.act.step["step"] == "call"]
    return [span for span in found if wanted(span)]


def _succeeded(span: ToldSpan) -> bool:
    return span.act.error is None and len(span.ends) == 1


def _resulted(span: ToldSpan) -> bool:
    return _succeeded(span) and (span.act.value or {}).get("result") is not None


def _states_none(run: Entry) -> bool:
    return run.replied and not (isinstance(run.reply, dict) and "result" in run.reply)


def _succeed(spoiled: Spoiled, wanted: Callable[[Act], bool]) -> bool:
    """Let failed calls succeed with nothing; the end says so too where no callback raised."""
    found = [act for act in _calls(spoiled) if act.error is not None and act.runs and wanted(act)]
    calm = [act for act in found if act.runs[-1].raised is None]
    for _, end in [end for span in _spans(spoiled, lambda span: span.act in calm) for end in span.ends]:
        end["metadata"] = {STATUS: "OK"}
    for act in found:
        spoiled.succeed(act, {"result": None, "annotation": None})
    return bool(found)


@plant(FAULTS, "take_no_result", "a tool's callback may state no result", "TOL-001")
def take_no_result(spoiled: Spoiled) -> bool:
    """Let every call succeed whose callback stated no result."""
    return _succeed(spoiled, lambda act: any(_states_none(run) for run in act.of("provider")))


@plant(FAULTS, "take_no_outcome", "an execution intercept may state no result", "TOL-002")
def take_no_outcome(spoiled: Spoiled) -> bool:
    """Let every call succeed of which an intercept stated no result."""
    return _succeed(spoiled, lambda act: any(_states_none(run) for run in act.of("tool.execution")))


@plant(FAULTS, "take_unknown_keys", "what a reply has besides a tool's result is lost in silence", "TOL-018")
def take_unknown_keys(spoiled: Spoiled) -> bool:
    """Let every call succeed whose outermost callback replied with a key that is not its own, and with no marks."""
    return _take(spoiled, _is_plain_but_for_its_keys)


NO_KEYS = {"uuid", "bogus"}
"""Keys that no mark has, of those that vectors state."""


@plant(
    FAULTS, "take_unknown_keys_of_marks", "a tool's mark with an unknown key is lost in silence", "MRK-008", "TOL-010"
)
def take_unknown_keys_of_marks(spoiled: Spoiled) -> bool:
    """Let every call succeed whose outermost intercept stated a mark with a key that is not its own, without a mark."""
    return _take(spoiled, lambda run: any("name" in mark and mark.keys() & NO_KEYS for mark in _marks_of(run)))


def _marks_of(run: Entry) -> list[Json]:
    return marks_of(run.reply) if run.part == "tool.execution" and run.replied and not _states_none(run) else []


def _take(spoiled: Spoiled, wanted: Callable[[Entry], bool]) -> bool:
    """Let every failed call succeed of which the outermost callback's reply is wanted; no constructor refuses it."""
    found = [act for act in _calls(spoiled) if act.error is not None and any(map(wanted, act.runs[-1:]))]
    for act in found:
        run = act.runs[-1]
        if run.refused:
            record = spoiled.log[run.left or 0]
            record["fact"] = "leave"
            del record["error"]
        spoiled.succeed(act, {"result": run.reply["result"], "annotation": None})
    for span in _spans(spoiled, lambda span: span.act in found):
        for _, end in span.ends:
            end["metadata"] = {STATUS: "OK"}
            end["data"] = span.act.runs[-1].reply["result"]
    return bool(found)


def _is_plain_but_for_its_keys(run: Entry) -> bool:
    """Tell whether a callback replied with a key that is not its own, and with neither annotation nor marks."""
    if run.part not in ("provider", "tool.execution") or not run.replied or _states_none(run):
        return False
    if run.reply.get("annotation") is not None or run.reply.get("pending_marks"):
        return False
    return not set(run.reply) <= {"result", "annotation", "pending_marks"}


@plant(
    FAULTS,
    "wrong_result",
    "the caller is given another result",
    "TOL-003",
    "TOL-006",
    "TOL-013",
    also=("EVT-049", "EVT-050"),
)
def wrong_result(spoiled: Spoiled) -> bool:
    """Replace the result of every call that succeeded."""
    found = [act for act in _calls(spoiled) if act.error is None and act.done is not None]
    for act in found:
        spoiled.log[act.done or 0]["value"]["result"] = PLANTED
    return bool(found)


def _answered(spoiled: Spoiled) -> list[tuple[Entry, Asked]]:
    runs = [run for act in _calls(spoiled) for run in act.of("tool.execution")]
    return [(run, asked) for run in runs for asked in run.asked if asked.inside and asked.error is None]


@plant(FAULTS, "wrong_continuation", "`next` gives another result than what it wraps", "TOL-004")
def wrong_continuation(spoiled: Spoiled) -> bool:
    """Replace the result of every answer."""
    found = [asked for _, asked in _answered(spoiled) if asked.answered is not None]
    for asked in found:
        spoiled.log[asked.answered or 0]["value"]["result"] = PLANTED
    return bool(found)


@plant(FAULTS, "leak_tool_marks", "the caller is given the marks too", "TOL-005")
def leak_tool_marks(spoiled: Spoiled) -> bool:
    """Add marks to the value of every call that succeeded."""
    found = [act for act in _calls(spoiled) if act.error is None and act.done is not None]
    for act in found:
        spoiled.log[act.done or 0]["value"]["pending_marks"] = []
    return bool(found)


@plant(FAULTS, "lose_tool_end", "a tool call never ends", "TOL-007", "FLT-002", "FLT-011")
def lose_tool_end(spoiled: Spoiled) -> bool:
    """Drop the end of every tool call."""
    ends = [event for span in _spans(spoiled, lambda span: True) for _, event in span.ends]
    spoiled.drop(ends)
    return bool(ends)


@plant(FAULTS, "tool_mark_before_end", "a tool's mark is told before the end", "TOL-008")
def tool_mark_before_end(spoiled: Spoiled) -> bool:
    """Exchange the end with the first mark."""
    found = _spans(spoiled, lambda span: _succeeded(span) and bool(span.marks))
    for span in found:
        (end, one), (mark, other) = span.ends[0], span.marks[0]
        spoiled.log[end]["event"], spoiled.log[mark]["event"] = other, one
    return bool(found)


@plant(FAULTS, "tool_marks_at_once", "a tool's marks have one time", "TOL-009", also=("EVT-018",))
def tool_marks_at_once(spoiled: Spoiled) -> bool:
    """Give every mark the time of the first."""
    found = _spans(spoiled, lambda span: _succeeded(span) and len(span.marks) > 1)
    for span in found:
        for _, mark in span.marks:
            mark["timestamp"] = later(span.ends[0][1]["timestamp"], 1000)
    return bool(found)


@plant(FAULTS, "swap_tool_marks", "a tool's marks come in another order", "TOL-010")
def swap_tool_marks(spoiled: Spoiled) -> bool:
    """Exchange the names of the first two marks."""
    found = _spans(spoiled, lambda span: _succeeded(span) and len({mark["name"] for _, mark in span.marks[:2]}) == 2)
    for span in found:
        one, other = span.marks[0][1], span.marks[1][1]
        one["name"], other["name"] = other["name"], one["name"]
    return bool(found)


@plant(FAULTS, "failed_tool_is_ok", "the end of a failed tool call says OK", "TOL-011", "EVT-010", "FLT-011")
def failed_tool_is_ok(spoiled: Spoiled) -> bool:
    """Turn the status of every failed call's end."""
    ends = [event for span in _spans(spoiled, lambda span: span.act.error is not None) for _, event in span.ends]
    ends = [event for event in ends if isinstance(event["metadata"], dict)]
    for event in ends:
        event["metadata"] = {**event["metadata"], STATUS: "OK"}
    return bool(ends)


@plant(FAULTS, "stale_tool_start", "the start shows what `next` was given", "TOL-015")
def stale_tool_start(spoiled: Spoiled) -> bool:
    """Replace the data of every start in whose call an intercept went on."""
    if spoiled.rewrites("tool.sanitize_request", "start.sanitize"):
        return False
    spans = _spans(spoiled, lambda span: any(run.asked for run in span.act.of("tool.execution")))
    for span in spans:
        span.start[1]["data"] = PLANTED
    return bool(spans)


@plant(FAULTS, "wrong_tool_mark", "a tool's mark carries other data", "MRK-006")
def wrong_tool_mark(spoiled: Spoiled) -> bool:
    """Replace the data of the first mark of every call that a tool's intercept stated."""
    if spoiled.rewrites("mark.sanitize"):
        return False
    marks = [event for span in _spans(spoiled, _succeeded) for _, event in span.marks[:1]]
    for event in marks:
        event["data"] = PLANTED
    return bool(marks)


@plant(FAULTS, "data_of_a_failure", "the end of a failed tool call has other data than its own", "EVT-032")
def data_of_a_failure(spoiled: Spoiled) -> bool:
    """Replace the data of the end of every failed call, where no sanitizer says what it is."""
    if spoiled.rewrites("end.sanitize"):
        return False
    ends = [event for span in _spans(spoiled, lambda span: span.act.error is not None) for _, event in span.ends]
    for event in ends:
        event["data"] = PLANTED
    return bool(ends)


@plant(FAULTS, "another_tool_error", "the caller of a tool that raises is given another error", "TOL-012")
def another_tool_error(spoiled: Spoiled) -> bool:
    """Replace the words of the error that the caller of each such tool is given, where nothing wraps it."""
    found = [
        act
        for act in spoiled.transcript.calls("tool")
        if act.error is not None and len(act.runs) == 1 and act.runs[0].part == "provider" and act.runs[0].raised
    ]
    for act in found:
        spoiled.log[act.done or 0]["error"]["message"] = "planted"
    return bool(found)


@plant(FAULTS, "swallow_tool_error", "what a tool's callback raises is lost", "TOL-012", also=("EVT-049", "TOL-013"))
def swallow_tool_error(spoiled: Spoiled) -> bool:
    """Let every call succeed whose execution raised."""
    return _succeed(spoiled, lambda act: act.runs[-1].raised is not None and act.runs[-1].part in EXECUTING)


EXECUTING = ("tool.execution", "provider")


@plant(FAULTS, "stale_tool_end", "the end's data is not the result", "TOL-013", also=("EVT-031", "EVT-010"))
def stale_tool_end(spoiled: Spoiled) -> bool:
    """Replace the data of every end whose data nobody rewrites."""
    if spoiled.rewrites("tool.sanitize_response", "end.sanitize"):
        return False
    ends = [event for span in _spans(spoiled, _resulted) for _, event in span.ends]
    for event in ends:
        event["data"] = PLANTED
    return bool(ends)


@plant(FAULTS, "run_twice", "what is wrapped runs twice for one `next`", "TOL-014")
def run_twice(spoiled: Spoiled) -> bool:
    """Repeat the records of the first callback that an intercept went on to."""
    return spoiled.run_again(asked for _, asked in _answered(spoiled))


@plant(FAULTS, "forget_edit", "what `next` is given is not handed on", "TOL-015")
def forget_edit(spoiled: Spoiled) -> bool:
    """Replace what everything that an intercept went on to is given."""
    found = [run for _, asked in _answered(spoiled) for run in asked.inside]
    for run in found:
        spoiled.log[run.entered]["given"]["args"] = PLANTED
    return bool(found)


@plant(FAULTS, "keep_tool_id", "an intercept is not given the id of its call", "TOL-016")
def keep_tool_id(spoiled: Spoiled) -> bool:
    """Take the id from what every execution intercept is given."""
    acts = [act for act in spoiled.transcript.calls("tool") if act.step["tool_call_id"] is not None]
    runs = [run for act in acts for run in act.of("tool.execution") if spoiled.rules.tool_context]
    for run in runs:
        spoiled.log[run.entered]["given"]["tool_call_id"] = None
    return bool(runs)


@plant(FAULTS, "forget_tool_id", "the id of a tool call is on no event", "TOL-017", also=("REF-000",))
def forget_tool_id(spoiled: Spoiled) -> bool:
    """Take the id out of every start."""
    if spoiled.rewrites("start.sanitize"):
        return False
    found: list[Json] = [
        span.start[1] for span in _spans(spoiled, lambda span: span.act.step["tool_call_id"] is not None)
    ]
    for event in found:
        event["category_profile"] = {}
    return bool(found)
