"""Requirement checks of `interceptors`: one predicate for each requirement, a module for each chapter.

`CHECKS` maps a requirement id to its predicate. A predicate takes a Reading and returns Evidence for each failure, or
None when the requirement does not apply. Checks never call the reference.
"""

from bindproof.suites.interceptors.checks import approval, logging, registry, retry, stack, timeout, tool_retry
from bindproof.suites.interceptors.checks.common import Check

CHECKS: dict[str, Check] = {
    **stack.CHECKS,
    **retry.CHECKS,
    **timeout.CHECKS,
    **approval.CHECKS,
    **logging.CHECKS,
    **registry.CHECKS,
    **tool_retry.CHECKS,
}
"""Requirement id → predicate."""

__all__ = ["CHECKS"]
