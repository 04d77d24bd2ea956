"""Faults of the chapter *Limits and stops* in runs with budgets of tools and of time (LIM)."""

from __future__ import annotations

from typing import Final

from bindproof.suite_api import Fault, Json
from bindproof.suites.interaction.budgets import Budgeted, budgeted
from bindproof.suites.interaction.faults.planting import planting

FAULTS: dict[str, Fault] = {}

PLANTED: Final[Json] = {"fact": "ended", "error": {"type": "error", "message": "planted"}}


plant = planting(FAULTS, "budget", budgeted, due=lambda found: found.end is not None)


def _fails(found: Budgeted, kind: str) -> bool:
    """Have a run of this kind fail for another reason."""
    if found.course.kind != kind:
        return False
    found.log[found.log.index(found.end)] = PLANTED
    return True


@plant("one_tool_more", "a run uses a tool more than it may", "LIM-008")
def _(found: Budgeted) -> bool:
    most = found.scenario["most_tools"]
    if most is None or found.course.kind == "over_time":
        return False
    more = [{"fact": "used", "step": 1}] * (most + 1 - found.course.used)
    at = found.log.index(found.end)
    found.log[at:at] = more
    return True


@plant("tools_otherwise", "a run that is out of tools fails for another reason", "LIM-009")
def _(found: Budgeted) -> bool:
    return _fails(found, "over_tools")


@plant("calls_after_its_time", "a run whose time is over calls once more", "LIM-010")
def _(found: Budgeted) -> bool:
    if found.course.kind != "over_time":
        return False
    found.log.insert(found.log.index(found.end), found.of("called")[-1])
    return True


@plant("time_otherwise", "a run whose time is over fails for another reason", "LIM-011")
def _(found: Budgeted) -> bool:
    return _fails(found, "over_time")


@plant("out_of_what_is_there", "a run fails that keeps to its budgets", "LIM-012")
def _(found: Budgeted) -> bool:
    return _fails(found, "completed")
