"""Requirement checks of `cells`: one predicate for each requirement, a module for each chapter.

`CHECKS` maps a requirement id to its predicate. A predicate takes a Reading and returns Evidence for each failure, or
None when the requirement does not apply. Checks never call the reference.
"""

from bindproof.suites.cells.checks import calls, ends, observation, replays, sessions, shapes, wire
from bindproof.suites.cells.checks.common import Check

CHECKS: dict[str, Check] = {
    **shapes.CHECKS,
    **observation.CHECKS,
    **ends.CHECKS,
    **calls.CHECKS,
    **sessions.CHECKS,
    **wire.CHECKS,
    **replays.CHECKS,
}
"""Requirement id → predicate."""

__all__ = ["CHECKS"]
