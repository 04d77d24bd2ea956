"""What adapters record: one record a step, in their order, with the counter's total after it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bindproof.suite_api import Json, ObservationError


@dataclass(frozen=True, slots=True)
class Done:
    """One step that was done."""

    index: int
    """Of its record."""
    kind: str
    number: int
    before: int
    after: int
    """`before` and `after`: the counter's total."""
    later: tuple[int, ...]
    """Of those behind it."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What the checks are given."""

    steps: tuple[Done, ...]

    def of(self, kind: str) -> list[Done]:
        """Return the steps of one kind."""
        return [step for step in self.steps if step.kind == kind]


def read(scenario: Json, log: list[Json]) -> Reading:
    """Return the reading of a log; raises ObservationError, which says where it is none."""
    return Reading(tuple(_steps(scenario["steps"], log)))


def _steps(steps: list[Json], log: list[Json]) -> Iterator[Done]:
    if len(log) != len(steps):
        raise ObservationError(f"{len(steps)} steps, {len(log)} records: there is one for each")
    before = 0
    for index, (step, record) in enumerate(zip(steps, log, strict=True)):
        if record != {"fact": "done", "step": index, "total": record.get("total")} or type(record["total"]) is not int:
            raise ObservationError(
                f'record {index} is not {{"fact": "done", "step": {index}, "total": a whole number}}'
            )
        later = tuple(range(index + 1, len(log)))
        yield Done(index, step["step"], step["number"], before, record["total"], later)
        before = record["total"]
