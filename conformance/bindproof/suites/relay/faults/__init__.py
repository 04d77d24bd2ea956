"""Planted faults of `relay`: filters between any adapter and the judge, each breaking the requirements that it names.

Enters: nothing. Leaves: `FAULTS`, name → fault; a module for each chapter. They show, for every language, that the
judge can fail. Must not know the checks.
"""

from bindproof.suites import Fault
from bindproof.suites.relay.faults import (
    asking,
    authority,
    barriers,
    boundary,
    building,
    by_hand,
    cancelling,
    codecs,
    coding,
    contexts,
    contributions,
    describing,
    dialects,
    events,
    executions,
    failing,
    flight,
    gates,
    given,
    guardrails,
    helpers,
    leaks,
    lifecycle,
    marks,
    metrics,
    middleware,
    natives,
    nesting,
    no_json,
    nothing_else,
    outcomes,
    refusing,
    registrations,
    sanitizing,
    storms,
    streams,
    tools,
    workers,
)

CHAPTERS = (
    outcomes,
    authority,
    codecs,
    coding,
    marks,
    leaks,
    lifecycle,
    refusing,
    dialects,
    no_json,
    boundary,
    workers,
    natives,
    building,
    by_hand,
    barriers,
    tools,
    middleware,
    guardrails,
    registrations,
    executions,
    failing,
    helpers,
    events,
    nothing_else,
    sanitizing,
    streams,
    nesting,
    flight,
    cancelling,
    storms,
    asking,
    gates,
    given,
    metrics,
    contexts,
    contributions,
    describing,
)
"""The modules, each with a table `FAULTS` of its own."""

FAULTS: dict[str, Fault] = {name: fault for chapter in CHAPTERS for name, fault in chapter.FAULTS.items()}
"""Name → fault."""

__all__ = ["CHAPTERS", "FAULTS"]
