"""Requirement checks of `relay`: one predicate for each requirement, a module or two for each chapter.

`CHECKS` maps a requirement id to its predicate. A predicate takes a Reading and returns Evidence for each failure, or
None when the requirement does not apply. Checks never call the reference.
"""

from bindproof.suites.relay.checks import (
    asking,
    authority,
    awaiting,
    barriers,
    boundary,
    building,
    builtin,
    by_hand,
    callables,
    cancelling,
    coding,
    conditionals,
    contexts,
    contributions,
    credentials,
    describing,
    dialects,
    event_contents,
    events,
    executions,
    failing,
    failing_subscribers,
    flight,
    gates,
    given,
    guardrails,
    held,
    helper_headers,
    helpers,
    leaks,
    lifecycle,
    listings,
    marks,
    metrics,
    middleware,
    mutating,
    natives,
    nesting,
    no_json,
    nothing_else,
    open_objects,
    outcomes,
    payloads,
    plugins,
    propagation,
    responses,
    sanitizing,
    storms,
    stream_events,
    streams,
    told_codecs,
    told_in_order,
    tool_events,
    tools,
    tracing,
    unrefused,
    workers,
)
from bindproof.suites.relay.checks.common import Check
from bindproof.suites.relay.observation.published import MEMBER
from bindproof.suites.relay.scenario.families import CONDITIONALS
from bindproof.suites.relay.scenario.no_json import WORD as NO_JSON
from bindproof.suites.relay.scenario.spelling import SANITIZERS

Checks = dict[str, Check]


def _with(checks: Checks, *words: str) -> Checks:
    """Return checks that are asked only where a scenario has one of these kinds of steps, of calls, or families."""
    wanted = frozenset(words)

    def gate(check: Check) -> Check:
        return lambda reading: None if wanted.isdisjoint(reading.words) else check(reading)

    return {requirement: gate(check) for requirement, check in checks.items()}


def _beside(checks: Checks) -> Checks:
    """Return checks that are asked of what the program hands over in JSON: of the rest DLC-012 speaks."""

    def gate(check: Check) -> Check:
        return lambda reading: check(reading.in_json)

    return {requirement: gate(check) for requirement, check in checks.items()}


_OTHERS: Checks = {
    **_with(
        outcomes.CHECKS | authority.CHECKS | builtin.CHECKS | lifecycle.CHECKS,
        "call llm",
        "call llm_stream",
        "helper",
    ),
    **_with(marks.CHECKS | leaks.CHECKS, "call llm", "call llm_stream", "call tool", "helper"),
    **_with(contributions.CHECKS, "contributes"),
    **_with(credentials.CHECKS, "call llm", "call llm_stream", "start"),
    **_with(tracing.CHECKS, "call llm", "call llm_stream", "call tool", "helper"),
    **_with(unrefused.CHECKS, "call llm", "call llm_stream", "call tool", "helper", "start", "mark"),
    **dialects.CHECKS,
    **_with(boundary.CHECKS, "raw"),
    **_with(workers.CHECKS, "worker"),
    **_with(natives.CHECKS, "native", "load"),
    **_with(tools.CHECKS | tool_events.CHECKS, "call tool"),
    **middleware.CHECKS,
    **_with(executions.CHECKS, "llm.execution", "tool.execution"),
    **_with(conditionals.CHECKS | guardrails.CHECKS, *CONDITIONALS),
    **_with(failing.CHECKS, *CONDITIONALS, failing.TOOLS),
    **events.CHECKS,
    **event_contents.CHECKS,
    **nothing_else.CHECKS,
    **_with(describing.CHECKS, "call llm", "call llm_stream", "call tool"),
    **told_in_order.CHECKS,
    **barriers.CHECKS,
    **_with(failing_subscribers.CHECKS, "subscriber"),
    **_with(sanitizing.CHECKS, *SANITIZERS, "event.metadata"),
    **_with(payloads.CHECKS, *MEMBER),
    **given.ANYWHERE,
    **_with(given.PUBLISHED, *SANITIZERS, "event.metadata"),
    **_with(given.SANITIZING, *MEMBER),
    **_with(given.CODED, "call llm", "call llm_stream"),
    **_with(told_codecs.CHECKS, *told_codecs.SIDE),
    **_with(told_codecs.EXECUTING, *told_codecs.WRAPPING.values()),
    **_with(coding.CHECKS, "coding"),
    **_with(nesting.CHECKS, "start"),
    **_with(by_hand.CHECKS, "call llm", "call llm_stream", "call tool", "start", "mark"),
    **_with(helpers.CHECKS | helper_headers.CHECKS, "helper"),
    **_with(streams.CHECKS | stream_events.CHECKS, "call llm_stream", "llm.stream"),
    **_with(flight.CHECKS, "background"),
    **_with(cancelling.CHECKS, "cancel"),
    **_with(held.CHECKS, "held"),
    **_with(gates.CHECKS, "gate"),
    **storms.CHECKS,
    **_with(metrics.CHECKS, "measurements"),
    **_with(asking.CHECKS, "current", "handle"),
    **_with(listings.CHECKS, "list"),
    **_with(contexts.CHECKS, "context"),
    **_with(propagation.CHECKS, "capture"),
    **_with(plugins.CHECKS, "install"),
    **_with(mutating.CHECKS, "mutate"),
    **_with(callables.CHECKS, "odd"),
    **_with(building.CHECKS, "build"),
    **_with(open_objects.CHECKS, "build"),
    **_with(awaiting.CHECKS, "async"),
    **_with(responses.CHECKS, "response_codec"),
}

CHECKS: Checks = {**_beside(_OTHERS), **_with(no_json.CHECKS, NO_JSON)}
"""Requirement id → predicate."""

__all__ = ["CHECKS"]
