"""Checks of the chapter *Limits and stops* on runs that are stopped wherever they are (STP)."""

from __future__ import annotations

from bindproof.suites.interaction.checks.common import Check, Found, astray, goes, register
from bindproof.suites.interaction.stops import Stopped

CHECKS: dict[str, Check] = {}


def _comes_to(seen: Stopped, how: str, due: list[str]) -> Found:
    """Judge what a run that is stopped like this comes to, and what it tells last."""
    if seen.scenario["how"] != how:
        return None
    return goes(f"a run that is stopped by {how} comes to this", due, [seen.outcome, seen.last_event])


@register(CHECKS, "STP-005", Stopped)
def cancelled(seen: Stopped) -> Found:
    """A run that is cancelled returns nothing, wherever it is."""
    return _comes_to(seen, "cancel", ["nothing", "run_cancelled"])


@register(CHECKS, "STP-006", Stopped)
def interrupted(seen: Stopped) -> Found:
    """A run that is interrupted fails as that, wherever it is."""
    return _comes_to(seen, "interrupt", ["interrupted", "run_interrupted"])


@register(CHECKS, "STP-007", Stopped)
def nothing_after(seen: Stopped) -> Found:
    """A run that is stopped calls and uses nothing more, wherever it is."""
    found = {"called": len(seen.of("called")), "used": len(seen.of("used"))}
    due = {"called": seen.calls, "used": seen.used}
    more = found["called"] > due["called"] or found["used"] > due["used"]
    return [astray("a run that is stopped calls no model and uses no tool", due, found)] if more else []
