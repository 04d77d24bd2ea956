"""Planted faults of `interceptors`: at least one for each requirement, a module for each chapter."""

from bindproof.suite_api import Fault
from bindproof.suites.interceptors.faults import approval, logging, registry, retry, stack, timeout, tool_retry

FAULTS: dict[str, Fault] = {
    **stack.FAULTS,
    **retry.FAULTS,
    **timeout.FAULTS,
    **approval.FAULTS,
    **logging.FAULTS,
    **registry.FAULTS,
    **tool_retry.FAULTS,
}
"""Fault by name."""

__all__ = ["FAULTS"]
