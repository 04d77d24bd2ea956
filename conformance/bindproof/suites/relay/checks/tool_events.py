"""Checks of the chapter *Tool execution outcomes* (TOL): what subscribers are told of a tool call."""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks.common import EVERY_LANE, Check, Found, end_is_rewritten, judged, part, register
from bindproof.suites.relay.observation.deliveries import Life, everyone
from bindproof.suites.relay.observation.outcomes import names_of_marks
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.scopes import listeners
from bindproof.suites.relay.observation.spans import ToldSpan, spans
from bindproof.suites.relay.observation.status import is_error
from bindproof.suites.relay.observation.transcript import FAR, Act, Entry

CHECKS: dict[str, Check] = {}

MICROSECOND = 1000

WITHOUT_AN_AUDIENCE = "0.4"
"""The edition in which an end is told to whoever is there then; from the next on to those at the start (LIF-008)."""


def _spans(reading: Reading) -> list[ToldSpan]:
    """The spans of managed tool calls."""
    return [span for span in spans(reading.transcript, "tool") if span.act.step["step"] == "call"]


def _told(reading: Reading) -> list[ToldSpan]:
    """The spans of the calls that succeeded, with one end each."""
    return [span for span in _spans(reading) if span.act.error is None and len(span.ends) == 1]


@register(CHECKS, "TOL-007")
def one_start_and_one_end(reading: Reading) -> Found:
    """A tool call that reaches its execution has one start and one end, the end a microsecond later at the least."""
    reached = [act for act in reading.transcript.calls("tool") if act.executions]
    found = [one for one in everyone(reading.transcript, reached) if _is_told_of_the_end(reading, *one[:2])]
    return judged([evidence for act, subscriber, life in found for evidence in _paired(act, subscriber, life)], found)


def _is_told_of_the_end(reading: Reading, act: Act, subscriber: str) -> bool:
    """Tell whether the end of a call is told to one that was there when it started."""
    over = FAR if act.done is None else act.done
    return reading.edition != WITHOUT_AN_AUDIENCE or subscriber in listeners(reading.transcript, over)


def _paired(act: Act, subscriber: str, life: Life) -> Iterator[Evidence]:
    for what, told in (("start", life.starts), ("end", life.ends)):
        if len(told) != 1:
            place = next((at for at, _ in (*life.starts, *life.ends)), act.done)
            also = tuple(at for at, _ in told[1:])
            spans = () if told else (act.step["as"],)
            yield Evidence(subscriber, f"a tool call has one {what}", place, 1, len(told), also=also, about=spans)
            return
    (at, start), (place, end) = life.starts[0], life.ends[0]
    if place < at:
        yield Evidence(subscriber, "the start is told before the end", at, "before the end", "behind it", also=(place,))
    elif _number(end) < _number(start) + MICROSECOND:
        yield Evidence(EVERY_LANE, "the end is a microsecond later", place, _number(start), _number(end))


def _number(event: Json) -> int:
    time = event.get("timestamp")
    return time if isinstance(time, int) else 0


@register(CHECKS, "TOL-008")
def the_end_comes_before_the_marks(reading: Reading) -> Found:
    """Every pending mark is told after the end, and has a later time."""
    found = [span for span in _told(reading) if span.marks]
    return judged(
        [
            Evidence(EVERY_LANE, "marks come after the end", index, "after the end", mark.get("name"))
            for span in found
            for index, mark in span.marks
            if index < span.ends[0][0] or _number(mark) <= _number(span.ends[0][1])
        ],
        found,
    )


@register(CHECKS, "TOL-009")
def each_mark_is_a_microsecond_later(reading: Reading) -> Found:
    """The marks are one, two, three microseconds after the end."""
    found = [span for span in _told(reading) if span.marks]
    return judged(
        [
            Evidence(EVERY_LANE, "each mark is a microsecond later", index, expected, _number(mark))
            for span in found
            for number, (index, mark) in enumerate(span.marks, 1)
            if _number(mark) != (expected := _number(span.ends[0][1]) + number * MICROSECOND)
        ],
        found,
    )


@register(CHECKS, "TOL-010")
def the_marks_are_those_that_were_stated(reading: Reading) -> Found:
    """Each mark of an accepted outcome is told once, those of what an intercept wraps before its own."""
    found = [(span, _stated(span.act.runs)) for span in _told(reading)]
    found = [(span, marks) for span, marks in found if marks or span.marks]
    return judged(
        [
            Evidence(EVERY_LANE, "the marks in their order", span.ends[0][0], marks, seen)
            for span, marks in found
            if marks != (seen := [mark.get("name") for _, mark in span.marks])
        ],
        found,
    )


def _stated(runs: list[Entry]) -> list[Json]:
    """The names of the marks of what ran: of every continuation that did not fail, then the intercept's own."""
    names: list[Json] = []
    for run in runs:
        if run.part != "tool.execution" or not run.replied:
            continue
        for asked in run.asked:
            names += [] if asked.error is not None else _stated(asked.inside)
        names += names_of_marks(run.reply)
    return names


@register(CHECKS, "TOL-011")
def a_failure_ends_with_an_error_and_no_marks(reading: Reading) -> Found:
    """A call whose execution fails has an end that says so, without annotation, and no marks."""
    found = [span for span in _spans(reading) if span.act.error is not None and span.ends]
    return judged([evidence for span in found for evidence in _ended_badly(reading, span)], found)


def _ended_badly(reading: Reading, span: ToldSpan) -> Iterator[Evidence]:
    index, end = span.ends[0]
    rewritten = end_is_rewritten(reading, span.act, "end.sanitize")
    if not rewritten and not is_error(part(end, "metadata")):
        yield Evidence(EVERY_LANE, "a failed call ends with an error", index, "ERROR", end.get("metadata"))
    if part(end, "category_profile", "tool_result_annotation") is not None:
        yield Evidence(EVERY_LANE, "a failed call's end has no annotation", index, None, end.get("category_profile"))
    for at, mark in span.marks:
        yield Evidence(EVERY_LANE, "a failed call's marks are discarded", at, None, mark.get("name"))


@register(CHECKS, "TOL-013")
def the_end_shows_result_and_annotation(reading: Reading) -> Found:
    """The end's data is the result, and the annotation stands in its profile."""
    found = [one for one in _told(reading) if not end_is_rewritten(reading, one.act, "end.sanitize")]
    return judged([evidence for span in found for evidence in _shown(reading, span)], found)


def _shown(reading: Reading, span: ToldSpan) -> Iterator[Evidence]:
    """A sanitizer of results rewrites what is told of the result, and leaves the annotation."""
    (index, end), value = span.ends[0], span.act.value
    rewritten = end_is_rewritten(reading, span.act, "tool.sanitize_response")
    result = part(value, "result")
    if not rewritten and result is not None and not same(result, end.get("data")):
        yield Evidence(EVERY_LANE, "the end's data is the result", index, result, end.get("data"))
    seen = part(end, "category_profile", "tool_result_annotation")
    if not same(part(value, "annotation"), seen):
        yield Evidence(EVERY_LANE, "the end's profile has the annotation", index, part(value, "annotation"), seen)


@register(CHECKS, "TOL-016")
def an_intercept_is_given_the_id(reading: Reading) -> Found:
    """Execution intercepts are given the id that the call was made with."""
    found = [
        (run, act.step["tool_call_id"])
        for act in reading.transcript.calls("tool")
        for run in act.everything
        if run.part == "tool.execution"
    ]
    return judged(
        [
            Evidence(EVERY_LANE, "an intercept is given the id", run.entered, expected, run.given.get("tool_call_id"))
            for run, expected in found
            if run.given.get("tool_call_id", "missing") != expected
        ],
        found,
    )
