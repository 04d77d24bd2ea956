"""Checks of *Managed LLM lifecycle* (LIF) about scopes: what is in which, and what is given on from them."""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Evidence, Json
from bindproof.suites.relay.checks.common import EVERY_LANE, Check, Found, each_has, judged, part, register
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.scopes import open_scopes, outermost_stays, received_at, scopes_around
from bindproof.suites.relay.observation.spans import all_spans, spans, steady
from bindproof.suites.relay.observation.transcript import Act, Event

CHECKS: dict[str, Check] = {}

SESSION, PARENT_SESSION = "x-dynamo-session-id", "x-dynamo-parent-session-id"


def _agents(reading: Reading, act: Act) -> list[str]:
    """What names the open agents of a call, innermost first."""
    scopes = [scope.step for scope in open_scopes(reading.transcript, act.started_at) if scope.step["type"] == "agent"]
    return [_session(step) for step in reversed(scopes)]


def _session(step: Json) -> str:
    named = part(step["metadata"], "session_id")
    return named if isinstance(named, str) else step["name"]


@register(CHECKS, "LIF-017")
def agents_are_named(reading: Reading) -> Found:
    """Inside an agent's scope the provider's request names the innermost agent, and the one around it."""
    calls = [call.act for call in reading.reached if call.act.within is None]
    found = [(act, agents) for act in calls if (agents := _agents(reading, act))]
    return judged([evidence for act, agents in found for evidence in _named(act, agents)], found)


def _named(act: Act, agents: list[str]) -> Iterator[Evidence]:
    run = act.executions[0]
    for name, expected in zip((SESSION, PARENT_SESSION), agents, strict=False):
        seen = part(run.given, "request", "headers", name)
        if seen != expected:
            yield Evidence(EVERY_LANE, f"{name} names the agent", run.entered, expected, seen)


@register(CHECKS, "LIF-023")
def the_trace_is_that_of_the_outermost_scope(reading: Reading) -> Found:
    """Inside a scope the request that is sent names the outermost scope as the trace, and the call as the span."""
    starts = {
        (span.subscriber, span.act.step["as"]): span.start[1].get("uuid") for span in spans(reading.transcript, "scope")
    }
    found = [
        (runs[0], {"trace": starts[span.subscriber, scopes[0].step["as"]], "span": span.start[1].get("uuid")})
        for span in spans(reading.transcript, "llm")
        if (runs := span.act.of("llm.execution", "provider"))
        and received_at(reading.transcript, span.act.began) is None  # PRP-005
        and (scopes := open_scopes(reading.transcript, span.act.began))
        and outermost_stays(reading.transcript, span.act)
        and (span.subscriber, scopes[0].step["as"]) in starts
    ]
    return judged(
        [
            Evidence(EVERY_LANE, "the trace is that of the outermost scope", run.entered, expected, seen)
            for run, expected in found
            if (seen := part(run.given, "request", "headers", "traceparent")) != expected
        ],
        found,
    )


def _nested(reading: Reading) -> Iterator[tuple[Event, Json]]:
    """Yield the starts of the program's own steps that a scope is around, with the uuid of that scope's start."""
    for subscriber in steady(reading.transcript):
        own = [span for span in all_spans(reading.transcript) if span.subscriber == subscriber]
        uuids = {span.act.step["as"]: str(span.start[1].get("uuid")) for span in own}
        for span in own:
            around = _around(reading, span.act)
            in_flight = span.act.step.get("background") and span.act.step["parent"] is None  # FLT-005
            if span.act.within is None and around in uuids and not in_flight:
                yield span.start, uuids[around]


def _around(reading: Reading, act: Act) -> str | None:
    """Return the step whose scope is around what a step starts or marks: the named one, else the innermost open one."""
    if act.step["parent"] is not None:
        return str(act.step["parent"])
    scopes = scopes_around(reading.transcript, act)
    return str(scopes[-1].step["as"]) if scopes else None


@register(CHECKS, "LIF-018")
def the_parent_is_the_scope_around(reading: Reading) -> Found:
    """The parent of a scope or a call is the scope that it names, else the innermost open one."""
    return each_has(list(_nested(reading)), "parent_uuid", "the parent is the scope around")


@register(CHECKS, "LIF-019")
def the_innermost_scope_ends_first(reading: Reading) -> Found:
    """Ending a scope succeeds when it is the innermost open one, and is refused else."""
    kinds = {act.step["as"]: act.step["kind"] for act in reading.transcript.acts if act.step["step"] == "start"}
    found = [
        (act, open_scopes(reading.transcript, act.done or 0))
        for act in reading.transcript.acts
        if act.step["step"] == "end" and kinds.get(act.step["of"]) == "scope" and act.within is None
    ]
    return judged(
        [
            Evidence(EVERY_LANE, "the innermost scope ends first", act.done, inner, act.error)
            for act, scopes in found
            if (inner := bool(scopes) and scopes[-1].step["as"] == act.step["of"]) is (act.error is not None)
        ],
        found,
    )


@register(CHECKS, "LIF-020")
def the_outermost_agent_is_the_root(reading: Reading) -> Found:
    """The start of a scope names the outermost agent as root, itself included; where none is, what is around all."""
    found = [one for subscriber in steady(reading.transcript) for one in _rooted(reading, subscriber)]
    return each_has(found, "propagation_root_uuid", "the outermost agent is the root")


def _rooted(reading: Reading, subscriber: str) -> Iterator[tuple[Event, Json]]:
    """Yield the starts of the program's own scopes with the root that each has to name."""
    starts = {span.act.step["as"]: span for span in spans(reading.transcript, "scope") if span.subscriber == subscriber}
    for span in starts.values():
        scopes = [*open_scopes(reading.transcript, span.act.done or 0), span.act]
        known = all(act.step["as"] in starts and act.step["parent"] is None for act in scopes)
        if known and span.act.within is None and received_at(reading.transcript, span.act.done or 0) is None:  # PRP-004
            agents = [starts[act.step["as"]].start[1] for act in scopes if act.step["type"] == "agent"]
            outermost = starts[scopes[0].step["as"]].start[1]
            yield span.start, agents[0].get("uuid") if agents else outermost.get("parent_uuid")


@register(CHECKS, "LIF-021")
def a_mark_belongs_to_the_scope_around(reading: Reading) -> Found:
    """A mark of a program or of a provider has the innermost open scope as its parent, not the call."""
    found = [one for subscriber in steady(reading.transcript) for one in _marks(reading, subscriber)]
    return each_has(found, "parent_uuid", "a mark belongs to the scope around")


def _marks(reading: Reading, subscriber: str) -> Iterator[tuple[Event, Json]]:
    """Yield the events of marks with the uuid of the scope that each belongs to, where it is known."""
    uuids = {
        span.act.step["as"]: span.start[1].get("uuid")
        for span in spans(reading.transcript, "scope")
        if span.subscriber == subscriber
    }
    for act, events in reading.deliveries.marked.items():
        around = _around(reading, act)
        if subscriber in events and around in uuids and (act.within is None or act.within.part == "provider"):
            yield events[subscriber], uuids[around]


@register(CHECKS, "LIF-022")
def manual_calls_run_no_middleware(reading: Reading) -> Found:
    """Nothing that controls or changes a call runs for one that a program starts and ends itself."""
    if not any(act.step["step"] == "start" and act.step["kind"] != "scope" for act in reading.transcript.acts):
        return None
    return [
        Evidence(EVERY_LANE, "a manual call runs no middleware", run.entered, None, run.callback)
        for act in reading.transcript.acts
        if not act.step["as"]
        for run in act.runs
    ]
