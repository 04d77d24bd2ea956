"""Checks of the chapter *Tool execution outcomes* (TOL): results, and what wraps what."""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks.common import (
    EVERY_LANE,
    Check,
    Found,
    is_that_error,
    judged,
    part,
    register,
    start_is_rewritten,
)
from bindproof.suites.relay.checks.tool_replies import OUTCOME, refusals_of_replies
from bindproof.suites.relay.observation.deliveries import everyone
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.transcript import Act, Asked, Entry, Event

CHECKS: dict[str, Check] = {}


def _calls(reading: Reading) -> list[Act]:
    return reading.transcript.calls("tool")


def _is_result(reply: Json) -> bool:
    return isinstance(reply, dict) and "result" in reply


def _visible(reply: Json) -> Json:
    return {"result": part(reply, "result"), "annotation": part(reply, "annotation")}


@register(CHECKS, "TOL-001")
def a_result_is_stated(reading: Reading) -> Found:
    """A tool's callback that states no result fails the call."""
    found = [(act, run) for act in _calls(reading) for run in act.of("provider") if run.replied]
    result = reading.forms.get("tool-result")
    wrong = [(act, run) for act, run in found if not (result and result.accepts(run.reply)) and not _caught(act, run)]
    return judged(
        [evidence for act, _ in wrong for evidence in _must_fail(act, "the callback states no result")], wrong
    )


@register(CHECKS, "TOL-002")
def an_outcome_states_a_result(reading: Reading) -> Found:
    """An execution intercept that states no result fails the call."""
    found = [(act, run) for act in _calls(reading) for run in act.of("tool.execution") if run.replied]
    wrong = [(act, run) for act, run in found if not _is_result(run.reply) and not _caught(act, run)]
    return judged([evidence for act, _ in wrong for evidence in _must_fail(act, "an outcome states no result")], wrong)


def _must_fail(act: Act, why: str) -> Iterator[Evidence]:
    if part(act.error, "kind") != "outcome_malformed":
        yield Evidence(EVERY_LANE, f"{why}: the call is refused", act.done, "outcome_malformed", act.error or act.value)


def _caught(act: Act, run: Entry) -> bool:
    """Tell whether something further out may have swallowed what became of this callback."""
    return any(
        asked.error is not None for outer in act.of("tool.execution") for asked in outer.asked if outer is not run
    )


@register(CHECKS, "TOL-003")
def omitted_members_are_empty(reading: Reading) -> Found:
    """An outcome without an annotation has none, and without marks none."""
    found = [
        act
        for act in _calls(reading)
        if (outer := _outermost(act)) is not None and _is_result(outer.reply) and len(outer.reply) < len(OUTCOME)
        if set(outer.reply) <= OUTCOME
    ]
    return judged(
        [
            Evidence(
                EVERY_LANE,
                "what an outcome leaves out is empty",
                act.done,
                _visible(outer.reply),
                act.error or act.value,
            )
            for act in found
            if (outer := _outermost(act)) is not None and not same(_visible(outer.reply), _visible(act.value))
        ],
        found,
    )


@register(CHECKS, "TOL-018")
def unknown_keys_are_refused(reading: Reading) -> Found:
    """A result or an outcome with a key that is none of its own fails what it is given to: a `next`, or the call."""
    return refusals_of_replies(reading, "TOL-018", "a reply has an unknown key, and is taken")


def _outermost(act: Act) -> Entry | None:
    """The outermost execution intercept, where it replied."""
    outer = next((run for run in act.runs if run.part == "tool.execution"), None)
    return outer if outer is not None and outer.returned else None


def _asked(reading: Reading) -> list[tuple[Act, Entry, Asked]]:
    return [(act, run, asked) for act in _calls(reading) for run in act.everything for asked in run.asked]


def _wrapped(run: Entry, asked: Asked) -> Entry | None:
    """What ran when an intercept went on: the next intercept, or the callback itself."""
    return next((inner for inner in asked.inside if inner.part in ("tool.execution", "provider")), None)


@register(CHECKS, "TOL-004")
def going_on_gives_what_is_wrapped(reading: Reading) -> Found:
    """`next` gives the result and the annotation of what it wraps."""
    found = [
        (asked, inner)
        for _, run, asked in _asked(reading)
        if (inner := _wrapped(run, asked)) is not None
        and inner.replied
        and _is_result(inner.reply)
        and asked.error is None
    ]
    return judged(
        [
            Evidence(EVERY_LANE, "`next` gives what it wraps", asked.answered, _visible(inner.reply), asked.value)
            for asked, inner in found
            if not same(_visible(inner.reply), {key: part(asked.value, key) for key in ("result", "annotation")})
        ],
        found,
    )


@register(CHECKS, "TOL-005")
def marks_are_no_part_of_a_result(reading: Reading) -> Found:
    """What `next` and the caller are given has a result and an annotation, and no marks."""
    found = [(asked.answered, asked.value) for _, _, asked in _asked(reading) if asked.value is not None]
    found += [(act.done, act.value) for act in _calls(reading) if act.error is None and act.done is not None]
    return judged(
        [
            Evidence(EVERY_LANE, "a result has no marks", at, ["annotation", "result"], sorted(value))
            for at, value in found
            if isinstance(value, dict) and set(value) != {"result", "annotation"}
        ],
        found,
    )


@register(CHECKS, "TOL-006")
def the_caller_is_given_the_result(reading: Reading) -> Found:
    """The caller is given the result of the outermost intercept, or else of the callback."""
    found = [
        (act, runs[0])
        for act in _calls(reading)
        if (runs := [run for run in act.runs if run.part in ("tool.execution", "provider")])
        if runs[0].replied and _is_result(runs[0].reply) and act.error is None
    ]
    return judged(
        [
            Evidence(EVERY_LANE, "the caller is given the result", act.done, _visible(run.reply), act.value)
            for act, run in found
            if not same(_visible(run.reply), {key: part(act.value, key) for key in ("result", "annotation")})
        ],
        found,
    )


@register(CHECKS, "TOL-012")
def what_raises_fails_the_call(reading: Reading) -> Found:
    """What the outermost callback raises is the caller's error, and what one raises that is wrapped its `next`'s."""
    found = [
        (act, run)
        for act in _calls(reading)
        for run in act.runs[-1:]
        if run.raised is not None and run.part in ("tool.execution", "provider", "tool.request", "tool.conditional")
    ]
    inside = [
        (asked, inner)
        for _, run, asked in _asked(reading)
        if asked.answered is not None and (inner := _wrapped(run, asked)) is not None and inner.raised is not None
    ]
    return judged(
        [
            Evidence(EVERY_LANE, "what a callback raises fails the call", act.done, run.raised, act.error or act.value)
            for act, run in found
            if not act.stood and not is_that_error(reading, act.error, run.raised)
        ]
        + [
            Evidence(EVERY_LANE, "what a callback raises fails `next`", asked.answered, inner.raised, asked.value)
            for asked, inner in inside
            if asked.error is None
        ],
        found or inside,
    )


@register(CHECKS, "TOL-014")
def without_going_on_nothing_more_runs(reading: Reading) -> Found:
    """The callback runs as often as the innermost intercept goes on: not at all where one does not."""
    found = [act for act in _calls(reading) if act.started and act.of("tool.execution")]
    return judged(
        [
            Evidence(EVERY_LANE, "what is wrapped runs once for each `next`", asked.at, 1, len(asked.inside))
            for act in found
            for run in act.everything
            for asked in run.asked
            if asked.answered is not None and len(asked.inside) != 1
        ]
        + [
            Evidence(EVERY_LANE, "nothing runs without `next`", inner.entered, None, inner.callback)
            for act in found
            for run in act.everything
            if run.part == "tool.execution"
            for inner in run.inside
        ]
        + [
            Evidence(EVERY_LANE, "nothing runs beside the outermost intercept", run.entered, None, run.callback)
            for act in found
            for run in [run for run in act.runs if run.part in ("tool.execution", "provider")][1:]
        ],
        found,
    )


@register(CHECKS, "TOL-015")
def going_on_hands_on_its_argument(reading: Reading) -> Found:
    """What `next` is given is what it wraps is given, and the start shows what the request intercepts left."""
    found = [(asked, inner) for _, run, asked in _asked(reading) if (inner := _wrapped(run, asked)) is not None]
    shown = [
        Evidence(EVERY_LANE, "the start keeps what the request intercepts left", index, left, event.get("data"))
        for act, left, (index, event) in _started(reading)
        if not same(left, event.get("data"))
    ]
    return judged(
        shown
        + [
            Evidence(
                EVERY_LANE, "what `next` is given is handed on", inner.entered, asked.argument, inner.given.get("args")
            )
            for asked, inner in found
            if not same(asked.argument, inner.given.get("args"))
        ],
        found,
    )


def _started(reading: Reading) -> list[tuple[Act, Json, Event]]:
    """The calls in which an intercept went on, with what their request intercepts left and the starts that show it.

    Without those whose start something rewrites.
    """
    acts = [act for act in _calls(reading) if any(run.asked for run in act.of("tool.execution"))]
    acts = [act for act in acts if not start_is_rewritten(reading, act, "start.sanitize", "tool.sanitize_request")]
    outer = [(act, act.of("tool.execution", "provider")[0].given.get("args")) for act in acts]
    return [
        (act, args, life.starts[0])
        for act, args in outer
        for _, _, life in everyone(reading.transcript, [act])
        if life.starts
    ]
