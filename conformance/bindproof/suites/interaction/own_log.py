"""The log of a scenario that has no steps of a run: what all such logs are read by.

Enters: a scenario, its log. Leaves: its records by their fact. Must not know what they mean.
"""

from __future__ import annotations

from msgspec import Struct

from bindproof.suite_api import Json


class LogOfItsOwn(Struct, frozen=True):
    """A scenario and its log."""

    scenario: Json
    log: list[Json]

    def of(self, fact: str) -> list[Json]:
        """Return the records of a fact."""
        return [record for record in self.log if record["fact"] == fact]
