"""Requirement checks of `relay`: one predicate for each requirement, a module or two for each chapter.

`CHECKS` maps a requirement id to its predicate. A predicate takes a View and returns Evidence for each failure, or
None when the requirement does not apply. Checks never call the reference.
"""

from bindproof.suites.relay.checks import (
    authority,
    boundary,
    conditionals,
    dialects,
    event_contents,
    events,
    helper_headers,
    helpers,
    lifecycle,
    marks,
    middleware,
    nesting,
    outcomes,
    payloads,
    sanitizing,
    stream_events,
    streams,
    tool_events,
    tools,
    tracing,
)
from bindproof.suites.relay.checks.common import Check


def _of_plain_scenarios(checks: dict[str, Check]) -> dict[str, Check]:
    """Return checks that do not apply where a view has no calls: they speak of LLM calls and their intercepts alone."""

    def gate(check: Check) -> Check:
        return lambda view: check(view) if view.plain else None

    return {requirement: gate(check) for requirement, check in checks.items()}


def _of_other_scenarios(checks: dict[str, Check]) -> dict[str, Check]:
    """Return checks that do not apply where there are LLM calls and their intercepts alone: others speak of those."""

    def gate(check: Check) -> Check:
        return lambda view: None if view.plain else check(view)

    return {requirement: gate(check) for requirement, check in checks.items()}


CHECKS: dict[str, Check] = {
    **_of_plain_scenarios(
        outcomes.CHECKS
        | authority.CHECKS
        | marks.CHECKS
        | lifecycle.CHECKS
        | tracing.CHECKS
        | dialects.CHECKS
        | boundary.CHECKS
    ),
    **tools.CHECKS,
    **tool_events.CHECKS,
    **middleware.CHECKS,
    **conditionals.CHECKS,
    **_of_other_scenarios(
        helpers.CHECKS
        | helper_headers.CHECKS
        | events.CHECKS
        | event_contents.CHECKS
        | sanitizing.CHECKS
        | payloads.CHECKS
        | nesting.CHECKS
    ),
    **streams.CHECKS,
    **stream_events.CHECKS,
}
"""Requirement id → predicate."""

__all__ = ["CHECKS"]
