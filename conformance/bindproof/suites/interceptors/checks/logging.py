"""Checks of the chapter *Logging* (LGG)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from bindproof.core.model import Evidence, Json
from bindproof.suites.interceptors.checks.common import Check, Found, differs, each, register, unchanged
from bindproof.suites.interceptors.rates import succeeded
from bindproof.suites.interceptors.reading import Passage, Reading

CHECKS: dict[str, Check] = {}


class Logged(Struct, frozen=True):
    """What one passage of a logging layer logged, by index. starts tell a description, ends a duration."""

    passage: Passage
    level: str
    starts: list[tuple[int, Json]]
    ends: list[tuple[int, Json]]


def _logged(reading: Reading) -> list[Logged]:
    """Return the passages of calls with one logging layer: what two of them log cannot be told apart."""
    found = reading.passages("logging")
    return [_of(p) for p in found if sum(layer["layer"] == "logging" for layer in p.call.layers) == 1]


def _of(one: Passage) -> Logged:
    last = float("inf") if one.outer.left is None else one.outer.left
    logs = [(index, record) for index, record in one.call.logs if one.outer.entered < index < last]
    starts = [each for each in logs if "description" in each[1]["fields"] and "duration_ms" not in each[1]["fields"]]
    ends = [each for each in logs if "duration_ms" in each[1]["fields"]]
    return Logged(one, one.layer["level"] or "info", starts, ends)


def _judged(reading: Reading, wanted: Callable[[Logged], bool], judge: Callable[[Logged], Iterator[Evidence]]) -> Found:
    found = [one for one in _logged(reading) if wanted(one)]
    return [evidence for one in found for evidence in judge(one)] if found else None


def _times(one: Logged, text: str, wanted: int, logs: list[tuple[int, Json]]) -> Iterator[Evidence]:
    """Yield evidence unless so much was logged."""
    if len(logs) != wanted:
        also, about = tuple(at for at, _ in logs[wanted:]), (f"{one.passage.call.step['as']}/log",)
        yield Evidence(one.passage.call.lane, text, one.passage.outer.left, wanted, len(logs), also=also, about=about)


def _finished(one: Logged) -> bool:
    return one.passage.outer.finished


@register(CHECKS, "LGG-001")
def each_completion_is_logged_once(reading: Reading) -> Found:
    """Each passage that ends logs one completion with its duration, after the rest has ended."""

    def judge(one: Logged) -> Iterator[Evidence]:
        call = one.passage.call
        yield from _times(one, "one completion is logged", 1, one.ends)
        for index, record in one.ends:
            duration = record["fields"]["duration_ms"]
            if type(duration) is not int or duration < 0:
                yield Evidence(call.lane, "the duration is a number of milliseconds", index, None, duration)
            late = [run for run in one.passage.inner if run.left is not None and run.left > index]
            if late:
                also = tuple(at for run in late for at in run.records())
                yield Evidence(call.lane, "the completion is logged when the rest has ended", index, also=also)

    return _judged(reading, _finished, judge)


@register(CHECKS, "LGG-002")
def info_tells_the_duration_only(reading: Reading) -> Found:
    """At level info, the default, the duration is all that is logged."""

    def judge(one: Logged) -> Iterator[Evidence]:
        call = one.passage.call
        for index, record in one.starts:
            yield Evidence(call.lane, "nothing is logged at the beginning", index, None, record["fields"])
        for index, record in one.ends:
            yield from differs(call, "the duration is all", index, ["duration_ms"], sorted(record["fields"]))

    return _judged(reading, lambda one: one.level == "info", judge)


@register(CHECKS, "LGG-003")
def debug_tells_of_success(reading: Reading) -> Found:
    """From level debug on the completion says whether it was a success."""

    def judge(one: Logged) -> Iterator[Evidence]:
        for index, record in one.ends:
            if type(record["fields"].get("success")) is not bool:
                yield Evidence(one.passage.call.lane, "the completion tells of success", index, True, record["fields"])

    return _judged(reading, lambda one: one.level != "info" and bool(one.ends), judge)


@register(CHECKS, "LGG-004")
def success_is_that_of_the_result(reading: Reading) -> Found:
    """Success is that the result is none of an error; whether it may be tried again is another matter."""

    def judge(one: Logged) -> Iterator[Evidence]:
        for index, record in one.ends:
            expected = succeeded(one.passage.outer.reply)
            seen = record["fields"].get("success", expected)
            yield from differs(one.passage.call, "success is that of the result", index, expected, seen)

    return _judged(reading, lambda one: one.level != "info" and _finished(one) and bool(one.ends), judge)


@register(CHECKS, "LGG-005")
def trace_tells_the_input(reading: Reading) -> Found:
    """At level trace the beginning is logged, and the request described."""

    def judge(one: Logged) -> Iterator[Evidence]:
        call, outer = one.passage.call, one.passage.outer
        yield from _times(one, "the beginning is logged at level trace", 1, one.starts)
        for index, record in one.starts:
            described = record["fields"]["description"]
            missing = [word for word in _words(call.domain, outer.given) if word not in str(described)]
            if missing:
                yield Evidence(call.lane, "the description tells of the request", index, missing, described)
            early = [run for run in one.passage.inner if run.entered < index]
            if early:
                also = tuple(at for run in early for at in run.records())
                yield Evidence(call.lane, "the beginning is logged before the rest runs", index, also=also)

    return _judged(reading, lambda one: one.level == "trace" and _finished(one), judge)


@register(CHECKS, "LGG-010")
def only_trace_tells_the_beginning(reading: Reading) -> Found:
    """At level debug nothing is logged at the beginning."""
    text = "nothing is logged at the beginning"
    return _judged(reading, lambda one: one.level == "debug", lambda one: _times(one, text, 0, one.starts))


def _words(domain: str, request: Json) -> list[str]:
    if domain == "llm":
        return [str(len(request["messages"])), str(len(request["tools"]))]
    return [request["name"], request["call_id"]]


@register(CHECKS, "LGG-006")
def descriptions_have_a_form(reading: Reading) -> Found:
    """The description is worded as the library words it."""

    def judge(one: Logged) -> Iterator[Evidence]:
        call, request = one.passage.call, one.passage.outer.given
        words = _words(call.domain, request)
        expected = "LLM request: {} messages, {} tools" if call.domain == "llm" else "Tool call: {} ({})"
        for index, record in one.starts:
            seen = record["fields"]["description"]
            yield from differs(call, "the description is worded so", index, expected.format(*words), seen)

    return _judged(reading, lambda one: bool(one.starts), judge)


@register(CHECKS, "LGG-007")
def what_is_dropped_logs_no_completion(reading: Reading) -> Found:
    """A passage that is cut short logs no completion."""

    def judge(one: Logged) -> Iterator[Evidence]:
        for index, record in one.ends:
            yield Evidence(one.passage.call.lane, "what is cut short logs no completion", index, None, record["fields"])

    return _judged(reading, lambda one: one.passage.outer.dropped, judge)


@register(CHECKS, "LGG-008")
def events_have_a_level_and_a_message(reading: Reading) -> Found:
    """Events are of level INFO at level info and DEBUG at the others; their messages are fixed."""

    def judge(one: Logged) -> Iterator[Evidence]:
        level = "INFO" if one.level == "info" else "DEBUG"
        for text, records in (("operation starting", one.starts), ("operation completed", one.ends)):
            for index, record in records:
                seen = [record["level"], record["message"]]
                yield from differs(one.passage.call, "the event's level and message", index, [level, text], seen)

    return _judged(reading, lambda one: bool(one.starts or one.ends), judge)


@register(CHECKS, "LGG-009")
def logging_changes_nothing(reading: Reading) -> Found:
    """Logging changes neither input nor result nor time."""
    return each(reading.complete("logging"), unchanged)
