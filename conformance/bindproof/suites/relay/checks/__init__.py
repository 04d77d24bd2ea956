"""Requirement checks of `relay`: one predicate for each requirement, a module or two for each chapter.

`CHECKS` maps a requirement id to its predicate. A predicate takes a View and returns Evidence for each failure, or
None when the requirement does not apply. Checks never call the reference.
"""

from collections.abc import Callable

from bindproof.suites.relay.checks import (
    authority,
    boundary,
    builtin,
    cancelling,
    conditionals,
    dialects,
    event_contents,
    events,
    flight,
    helper_headers,
    helpers,
    lifecycle,
    marks,
    middleware,
    nesting,
    outcomes,
    payloads,
    responses,
    sanitizing,
    stream_events,
    streams,
    tool_events,
    tools,
    tracing,
)
from bindproof.suites.relay.checks.common import Check
from bindproof.suites.relay.view import View

Checks = dict[str, Check]


def _where(applies: Callable[[View], bool], checks: Checks) -> Checks:
    """Return checks that are asked only where they can apply: most scenarios have nothing of most chapters."""

    def gate(check: Check) -> Check:
        return lambda view: check(view) if applies(view) else None

    return {requirement: gate(check) for requirement, check in checks.items()}


def _is_plain(view: View) -> bool:
    return view.plain


def _is_other(view: View) -> bool:
    return not view.plain


def _has(*words: str) -> Callable[[View], bool]:
    """Return whether a scenario has one of these kinds of steps, kinds of calls or families in it."""
    wanted = frozenset(words)
    return lambda view: not wanted.isdisjoint(view.words)


CHECKS: Checks = {
    **_where(
        _is_plain,
        outcomes.CHECKS
        | authority.CHECKS
        | builtin.CHECKS
        | marks.CHECKS
        | lifecycle.CHECKS
        | tracing.CHECKS
        | dialects.CHECKS
        | boundary.CHECKS,
    ),
    **_where(_has("call tool"), tools.CHECKS | tool_events.CHECKS),
    **middleware.CHECKS,
    **_where(_has("llm.conditional", "tool.conditional"), conditionals.CHECKS),
    **_where(_is_other, events.CHECKS | event_contents.CHECKS | sanitizing.CHECKS | payloads.CHECKS | nesting.CHECKS),
    **_where(lambda view: not view.plain and "helper" in view.words, helpers.CHECKS | helper_headers.CHECKS),
    **_where(_has("call llm_stream", "llm.stream"), streams.CHECKS | stream_events.CHECKS),
    **_where(_has("background"), flight.CHECKS),
    **_where(_has("cancel"), cancelling.CHECKS),
    **_where(_has("response_codec"), responses.CHECKS),
}
"""Requirement id → predicate."""

__all__ = ["CHECKS"]
