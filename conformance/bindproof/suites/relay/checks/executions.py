"""Checks about what wraps the execution of an LLM call (MID); of tools the chapter on their outcomes speaks."""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks.common import (
    EVERY_LANE,
    Check,
    Found,
    end_is_rewritten,
    is_that_error,
    judged,
    part,
    register,
)
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.spans import spans
from bindproof.suites.relay.observation.transcript import Act, Entry, plain

CHECKS: dict[str, Check] = {}

EXECUTING = ("llm.execution", "provider")


def _wrapped(reading: Reading) -> list[tuple[Act, Entry]]:
    """Return the LLM calls that an execution intercept wraps, each with the outermost."""
    found = [(act, act.of(*EXECUTING)) for act in reading.transcript.calls("llm")]
    return [(act, runs[0]) for act, runs in found if runs and runs[0].part == "llm.execution"]


@register(CHECKS, "MID-018")
def what_is_wrapped_runs_once_for_each_next(reading: Reading) -> Found:
    """What is wrapped runs once each time that an intercept goes on, with what that goes on with, and not beside it."""
    found = _wrapped(reading)
    return judged([evidence for act, _ in found for evidence in _ran(act)], found)


def _ran(act: Act) -> Iterator[Evidence]:
    for run in [run for run in act.runs if run.part in EXECUTING][1:]:
        yield Evidence(EVERY_LANE, "nothing runs beside the outermost intercept", run.entered, None, run.callback)
    for run in [run for run in act.everything if run.part == "llm.execution"]:
        for inner in run.inside:
            yield Evidence(EVERY_LANE, "nothing runs without `next`", inner.entered, None, inner.callback)
        for asked in run.asked:
            if asked.answered is not None and len(asked.inside) != 1:
                yield Evidence(EVERY_LANE, "what is wrapped runs once for each `next`", asked.at, 1, len(asked.inside))
            for inner in asked.inside[:1]:
                request = part(inner.given, "request")
                if not same(asked.argument, request):
                    yield Evidence(
                        EVERY_LANE, "what `next` is given is handed on", inner.entered, asked.argument, request
                    )


@register(CHECKS, "MID-019")
def the_outermost_answer_is_the_calls(reading: Reading) -> Found:
    """`next` gives what is wrapped answers, and so is the caller given what the outermost intercept answers."""
    found = _wrapped(reading)
    return judged([*_continued(reading, found), *_returned(reading, found), *_shown(reading, found)], found)


def _continued(reading: Reading, found: list[tuple[Act, Entry]]) -> Iterator[Evidence]:
    asked = [asked for act, _ in found for run in act.everything for asked in run.asked]
    for one in [one for one in asked if one.answered is not None]:
        for inner in one.inside[:1]:
            if not _came_of(reading, inner, one.value, one.error):
                yield Evidence(
                    EVERY_LANE, "`next` gives what it wraps", one.answered, _said(inner), one.error or one.value
                )


def _returned(reading: Reading, found: list[tuple[Act, Entry]]) -> Iterator[Evidence]:
    for act, outer in found:
        if act.done is not None and not act.stood and not _came_of(reading, outer, act.value, act.error):
            yield Evidence(EVERY_LANE, "the caller is given the answer", act.done, _said(outer), act.error or act.value)


def _shown(reading: Reading, found: list[tuple[Act, Entry]]) -> Iterator[Evidence]:
    told = [span for span in spans(reading.transcript, "llm") if len(span.ends) == 1]
    told = [one for one in told if not end_is_rewritten(reading, one.act, "llm.sanitize_response", "end.sanitize")]
    outermost = {act.step["as"]: run for act, run in found if run.replied and act.error is None}
    for span in [span for span in told if span.act.step["as"] in outermost]:
        answer, (at, event) = _said(outermost[span.act.step["as"]]), span.ends[0]
        if answer is not None and not same(answer, event.get("data")):
            yield Evidence(EVERY_LANE, "the end shows the answer", at, answer, event.get("data"))


def _came_of(reading: Reading, run: Entry, value: Json, error: Json) -> bool:
    """Tell whether a value or an error can be what a callback ended with."""
    if run.returned:
        return error is None and same(_said(run), value)
    return run.raised is None or is_that_error(reading, error, run.raised)


def _said(run: Entry) -> Json:
    if not run.replied:
        return run.raised
    return plain(run.reply)


@register(CHECKS, "MID-030")
def what_is_over_goes_on_no_more(reading: Reading) -> Found:
    """What an execution intercept was lent to go on with fails when it has answered, and runs nothing."""
    found = [act for act in reading.transcript.of_kind("go_on") if _was_entered(reading, act)]
    return judged([evidence for act in found for evidence in _went_on(act)], found)


def _was_entered(reading: Reading, act: Act) -> bool:
    runs = [run for one in reading.transcript.acts for run in one.everything if run.callback == act.step["of"]]
    return act.done is not None and any(run.left is not None and run.left < act.done for run in runs)


def _went_on(act: Act) -> Iterator[Evidence]:
    for run in act.runs[:1]:
        text = "what an intercept wraps runs no more when it has answered"
        also = tuple(at for one in act.everything for at in (one.entered, one.left) if at is not None)
        yield Evidence(EVERY_LANE, text, run.entered, None, run.callback, also=also, about=(act.step["as"],))
    if act.error is None:
        text = "going on fails when the intercept has answered"
        yield Evidence(EVERY_LANE, text, act.done, "an error", act.value, about=(act.step["as"],))
