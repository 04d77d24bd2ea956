"""Planted faults of `interaction`: filters between an adapter and the judge, each of which breaks what it names."""

from bindproof.suite_api import Fault
from bindproof.suites.interaction.faults import (
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

FAULTS: dict[str, Fault] = {
    **runs.FAULTS,
    **candidates.FAULTS,
    **gate.FAULTS,
    **limits.FAULTS,
    **budgets.FAULTS,
    **stops.FAULTS,
    **states.FAULTS,
    **defaults.FAULTS,
    **retries.FAULTS,
    **breakers.FAULTS,
    **outputs.FAULTS,
    **streams.FAULTS,
    **resuming.FAULTS,
    **requests.FAULTS,
    **policies.FAULTS,
    **names.FAULTS,
}
"""By name."""

__all__ = ["FAULTS"]
