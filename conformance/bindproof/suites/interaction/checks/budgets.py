"""Checks of the chapter *Limits and stops* on runs with budgets of tools and of time (LIM)."""

from __future__ import annotations

from bindproof.suites.interaction.budgets import Budgeted
from bindproof.suites.interaction.checks.common import Check, Found, astray, goes, register

CHECKS: dict[str, Check] = {}


def _ends(seen: Budgeted, text: str, kind: str) -> Found:
    """Judge that the run fails by an error of this kind; None while it has not ended."""
    if seen.end is None:
        return None
    return goes(text, kind, seen.end["error"]["kind"] if "error" in seen.end else seen.end["value"])


@register(CHECKS, "LIM-008", Budgeted)
def tools(seen: Budgeted) -> Found:
    """A run uses so many tools at most."""
    most = seen.scenario["most_tools"]
    if most is None:
        return None
    count = len(seen.of("used"))
    return [] if count <= most else [astray("the run uses no more tools than it may", most, count)]


@register(CHECKS, "LIM-009", Budgeted)
def out_of_tools(seen: Budgeted) -> Found:
    """A run that wants one tool too many fails for its budget."""
    if seen.course.kind != "over_tools":
        return None
    return _ends(seen, "the run fails for its budget of tools", "over_budget")


@register(CHECKS, "LIM-010", Budgeted)
def nothing_after(seen: Budgeted) -> Found:
    """A run whose time is over calls and uses nothing more."""
    if seen.course.kind != "over_time":
        return None
    due = {"called": seen.course.calls, "used": seen.course.used}
    text = "once its time is over the run calls no model and uses no tool"
    found = {fact: len(seen.of(fact)) for fact in due}
    return [] if seen.within else [astray(text, due, found)]


@register(CHECKS, "LIM-011", Budgeted)
def out_of_time(seen: Budgeted) -> Found:
    """A run whose time is over is interrupted."""
    if seen.course.kind != "over_time":
        return None
    return _ends(seen, "a run whose time is over is interrupted", "interrupted")


@register(CHECKS, "LIM-012", Budgeted)
def within(seen: Budgeted) -> Found:
    """A run that keeps to its budgets completes."""
    if seen.course.kind != "completed" or seen.end is None:
        return None
    due = {"state": "completed", "text": seen.course.text}
    return goes("a run that keeps to its budgets completes", due, seen.end.get("value", seen.end.get("error")))
