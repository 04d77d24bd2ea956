"""Planted faults of `cells`: filters between an adapter and the judge, each of which breaks what it names."""

from bindproof.suite_api import Fault
from bindproof.suites.cells.faults import ends, observation, replays, sessions, shapes, wire

FAULTS: dict[str, Fault] = {
    **shapes.FAULTS,
    **observation.FAULTS,
    **ends.FAULTS,
    **sessions.FAULTS,
    **wire.FAULTS,
    **replays.FAULTS,
}
"""By name."""

__all__ = ["FAULTS"]
