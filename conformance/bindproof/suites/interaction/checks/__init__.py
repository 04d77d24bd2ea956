"""Requirement checks of `interaction`: one predicate for each requirement, a module for each chapter.

`CHECKS` maps a requirement id to its predicate. A predicate takes a Reading and returns Evidence for each failure, or
None when the requirement does not apply. Checks never call the reference.
"""

from bindproof.suites.interaction.checks import (
    breakers,
    budgets,
    candidates,
    defaults,
    gate,
    limits,
    names,
    outputs,
    policies,
    requests,
    resuming,
    retries,
    runs,
    states,
    stops,
    streams,
)
from bindproof.suites.interaction.checks.common import Check

CHECKS: dict[str, Check] = {
    **runs.CHECKS,
    **candidates.CHECKS,
    **gate.CHECKS,
    **limits.CHECKS,
    **budgets.CHECKS,
    **stops.CHECKS,
    **states.CHECKS,
    **defaults.CHECKS,
    **retries.CHECKS,
    **breakers.CHECKS,
    **outputs.CHECKS,
    **streams.CHECKS,
    **resuming.CHECKS,
    **requests.CHECKS,
    **policies.CHECKS,
    **names.CHECKS,
}
"""Requirement id → predicate."""

__all__ = ["CHECKS"]
