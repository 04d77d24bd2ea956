"""Which changes of a run's state there are.

Enters: a complete scenario that is `of` states. Leaves: records in their order.
"""

from __future__ import annotations

from typing import Any, Final

Json = Any

ENDS: Final = {"cancelled", "failed"}
"""The states that follow any state which is not over, but for one that is degraded: it is not cancelled any more."""

MORE: Final = {
    "pending": {"running"},
    "running": {"paused", "cancelling", "degraded", "completed"},
    "paused": {"running", "cancelling"},
    "cancelling": set(),
    "degraded": {"completed"},
}
"""What follows each state besides."""


def moved(scenario: Json) -> list[Json]:
    """Return the records of the changes."""
    return [{"fact": "moved", **step, "allowed": _may(step["from"], step["to"])} for step in scenario["steps"]]


def _may(state: str, to: str) -> bool:
    if state == to:
        return True
    if state not in MORE:  # it is over
        return False
    if (state, to) == ("degraded", "cancelled"):
        return False
    return to in ENDS or to in MORE[state]
