"""Planted faults of `relay`: filters between any adapter and the judge, each breaking the requirements that it names.

Enters: nothing. Leaves: `FAULTS`, name → fault; a module for each chapter. They show, for every language, that the
judge can fail. Must not know the checks.
"""

from bindproof.suites import Fault
from bindproof.suites.relay.faults import (
    authority,
    boundary,
    dialects,
    helpers,
    lifecycle,
    marks,
    middleware,
    outcomes,
    tools,
)

FAULTS: dict[str, Fault] = {
    **outcomes.FAULTS,
    **authority.FAULTS,
    **marks.FAULTS,
    **lifecycle.FAULTS,
    **dialects.FAULTS,
    **boundary.FAULTS,
    **tools.FAULTS,
    **middleware.FAULTS,
    **helpers.FAULTS,
}
"""Name → fault."""

__all__ = ["FAULTS"]
