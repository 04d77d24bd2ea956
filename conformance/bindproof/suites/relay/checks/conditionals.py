"""Checks of the chapter *Middleware* (MID): conditionals, the guardrails that tell of them, and rejections."""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks.common import EVERY_LANE, Check, Found, judged, part, register, working
from bindproof.suites.relay.observation.spans import families, steady
from bindproof.suites.relay.observation.story import Act, Event, Run
from bindproof.suites.relay.observation.view import View

CHECKS: dict[str, Check] = {}

CONDITIONALS = ("llm.conditional", "tool.conditional")


def _verdicts(view: View) -> list[tuple[Act, Run]]:
    """The conditionals that replied with a text."""
    return [
        (act, run)
        for act in working(view)
        for run in act.of(*CONDITIONALS)
        if run.replied and isinstance(run.reply, str)
    ]


@register(CHECKS, "MID-008")
def a_rejection_ends_the_step(view: View) -> Found:
    """After a rejection nothing of the call runs, and the caller is given an error with the reason."""
    found = _verdicts(view)
    return judged([evidence for act, run in found for evidence in _rejected(act, run)], found)


def _rejected(act: Act, run: Run) -> Iterator[Evidence]:
    if part(act.error, "kind") != "guardrail_rejected" or run.reply not in str(part(act.error, "message")):
        yield Evidence(EVERY_LANE, "a rejection reaches the caller", act.done, run.reply, act.error or act.value)
    for later in [one for one in act.runs if one.entered > run.entered][:1]:
        yield Evidence(EVERY_LANE, "nothing runs after a rejection", later.entered, None, later.callback)


def _guarded(view: View) -> Iterator[tuple[str, list[Run], list[Event]]]:
    """Yield each steady subscriber with the conditionals that ran since, and the guardrails it was told of."""
    for subscriber, since in steady(view.story).items():
        runs = [run for act in working(view) for run in act.of(*CONDITIONALS) if run.entered > since]
        runs.sort(key=lambda run: run.entered)  # calls in flight are done in another order than they begin
        events = view.story.events.get(subscriber, [])
        starts = [event for event in events if event[1].get("category") == "guardrail"]
        if runs:
            yield subscriber, runs, [event for event in starts if event[1].get("scope_category") == "start"]


@register(CHECKS, "MID-009")
def each_conditional_is_a_scope(view: View) -> Found:
    """Each conditional that runs is a guardrail scope of its name, whose end says what it decided.

    The name of a plugin's conditional ends with its own.

    One that cannot be called is one too, and leaves no record to find it by.
    """
    if any(act.step.get("odd") and act.step["family"] in CONDITIONALS for act in view.story.acts):
        return None
    found = list(_guarded(view))
    return judged([evidence for one in found for evidence in _as_scopes(view, *one)], found)


def _as_scopes(view: View, subscriber: str, runs: list[Run], starts: list[Event]) -> Iterator[Evidence]:
    names = [run.step["name"] for run in runs]
    seen = [event.get("name") for _, event in starts]
    plugins = {act.step["as"] for act in view.story.acts if act.plugin}
    if len(names) != len(seen) or not all(
        str(told).endswith(name) if run.callback in plugins else told == name
        for run, name, told in zip(runs, names, seen, strict=True)
    ):
        also = tuple(at for at, _ in starts)
        yield Evidence(EVERY_LANE, "each conditional is a scope", runs[0].entered, names, seen, also=also)
        return
    ends = {
        event.get("uuid"): (at, event)
        for at, event in view.story.events[subscriber]
        if event.get("scope_category") == "end"
    }
    if any(run.part.endswith("sanitize") for run in view.story.published):
        return
    for run, (at, start) in zip(runs, starts, strict=True):
        end = ends.get(start.get("uuid"))
        allowed = None if end is None else part(end[1], "data", "allowed")
        if allowed is not (run.replied and run.reply is None):
            yield Evidence(EVERY_LANE, "a guardrail's end says what it decided", at, run.reply, end)


@register(CHECKS, "MID-010")
def a_rejected_call_leaves_a_mark(view: View) -> Found:
    """Of a call that was rejected there is a mark of its name, with the reason."""
    found = [
        (subscriber, act, run)
        for subscriber, since in steady(view.story).items()
        for act, run in _verdicts(view)
        if act.began > since and act.step["step"] == "call"
    ]
    if any(run.part == "mark.sanitize" for run in view.story.published):
        return None
    return judged(
        [
            Evidence(EVERY_LANE, "a rejected call leaves a mark", act.done, run.reply, None)
            for subscriber, act, run in found
            if not any(_tells(event, act, run) for _, event in view.story.events.get(subscriber, []))
        ],
        found,
    )


def _tells(event: Json, act: Act, run: Run) -> bool:
    reason = part(event, "data", "rejection_reason")
    return bool(event.get("kind") == "mark" and event.get("name") == act.step["name"] and reason == run.reply)


@register(CHECKS, "MID-011")
def conditionals_see_what_the_caller_sent(view: View) -> Found:
    """Conditionals are given what the caller handed in, before any intercept."""
    found = [(act, run) for act in working(view) for run in act.of(*CONDITIONALS)]
    found = [(act, run) for act, run in found if "$get" not in str(act.step.get(_subject(run)))]
    return judged(
        [
            Evidence(EVERY_LANE, "what the caller handed in", run.entered, act.step.get(_subject(run)), run.given)
            for act, run in found
            if not same(act.step.get(_subject(run)), run.given.get(_subject(run)))
        ],
        found,
    )


def _subject(run: Run) -> str:
    return "args" if run.part.startswith("tool.") else "request"


@register(CHECKS, "EVT-028")
def guardrails_bear_the_calls_metadata(view: View) -> Found:
    """Start and end of a conditional's scope, and the mark of a rejection, have the call's metadata."""
    if {"start.sanitize", "end.sanitize", "mark.sanitize", "event.metadata"} & families(view.story):
        return None
    acts = [act for act in view.story.acts if act.of(*CONDITIONALS)]
    given = [_metadata(act) for act in acts]
    if not acts or any(not same(given[0], one) for one in given):
        return None
    found = [
        (at, event)
        for subscriber, since in steady(view.story).items()
        if since < acts[0].began
        for at, event in view.story.events.get(subscriber, [])
        if event.get("category") == "guardrail" or part(event, "data", "rejected") is True
    ]
    return judged(
        [
            Evidence(EVERY_LANE, "a guardrail bears the call's metadata", at, given[0], event.get("metadata"))
            for at, event in found
            if not same(given[0], event.get("metadata"))
        ],
        found,
    )


def _metadata(act: Act) -> Json:
    return act.step.get("metadata")
