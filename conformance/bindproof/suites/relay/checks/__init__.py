"""Requirement checks of `relay`: one predicate for each requirement, a module or two for each chapter.

`CHECKS` maps a requirement id to its predicate. A predicate takes a View and returns Evidence for each failure, or
None when the requirement does not apply. Checks never call the reference.
"""

from bindproof.suites.relay.checks import authority, boundary, dialects, lifecycle, marks, outcomes, tracing
from bindproof.suites.relay.checks.common import Check

CHECKS: dict[str, Check] = {
    **outcomes.CHECKS,
    **authority.CHECKS,
    **marks.CHECKS,
    **lifecycle.CHECKS,
    **tracing.CHECKS,
    **dialects.CHECKS,
    **boundary.CHECKS,
}
"""Requirement id → predicate."""

__all__ = ["CHECKS"]
