"""What adapters record: each hook that runs, whether the provider was asked, and what came out."""

from __future__ import annotations

from dataclasses import dataclass

from bindproof.suite_api import Json, ObservationError

LEVELS = ("api", "client", "call", "provider")
STAGES = ("before", "after", "error", "finally")


@dataclass(frozen=True, slots=True)
class Reading:
    """What the checks are given."""

    scenario: Json
    ran: tuple[tuple[int, str, str], ...]
    """Of each hook that ran: its record, level and stage."""
    asked: bool
    value: Json
    failed: Json

    def levels(self, stage: str) -> list[str]:
        """Return the levels whose hooks ran in a stage, in that order."""
        return [level for _, level, other in self.ran if other == stage]

    def raising(self, stage: str) -> list[str]:
        """Return the levels whose hooks raise in a stage."""
        return [level for level, stages in self.scenario["hooks"].items() if stage in stages]


def read(scenario: Json, log: list[Json]) -> Reading:
    """Return the reading of a log; raises ObservationError, which says where it is none."""
    ran, asked = [], False
    for index, record in enumerate(log[:-1]):
        if record.get("fact") == "hook" and record.get("stage") in STAGES:
            ran.append((index, str(record.get("level")), str(record["stage"])))
        elif record == {"fact": "asked"}:
            asked = True
        else:
            raise ObservationError(f"record {index} is neither a hook's nor the provider's")
    if not log or log[-1].keys() != {"fact", "value", "failed"}:
        raise ObservationError('the last record is {"fact": "result", "value", "failed"}')
    return Reading(scenario, tuple(ran), asked, log[-1]["value"], log[-1]["failed"])
