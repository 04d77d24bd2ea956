"""The suite `cells`: sessions of code-mode cells, which are created, observed and terminated."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct

import bindproof_reference.cells as reference
from bindproof.suite_api import (
    Choices,
    Evidence,
    Fault,
    Json,
    ObservationError,
    Spec,
    error_patterns,
)
from bindproof.suites.cells.checks import CHECKS
from bindproof.suites.cells.faults import FAULTS
from bindproof.suites.cells.generator import scenario as generate_scenario
from bindproof.suites.cells.observation import Patterns, invalid_record, lane_of, normalised
from bindproof.suites.cells.reading import Reading, reading
from bindproof.suites.cells.scenario import brief, complete
from bindproof.suites.cells.smoke import STEPS


class PreparedScenario(Struct, frozen=True):
    """A scenario made ready for one edition and dialect (see suites.Prepared)."""

    spelled: Json
    prediction: Json
    patterns: Patterns

    def observe(self, log: list[Json]) -> tuple[list[Json], Reading]:
        """Return the normalised log and its reading; raises ObservationError for a record of the wrong form."""
        problem = invalid_record(log)
        if problem is not None:
            raise ObservationError(problem)
        seen = normalised(self.spelled, log, self.patterns)
        return seen, reading(self.spelled, seen)

    def shapes(self, params: bytes) -> Callable[[bytes], Hashable | None]:
        """Return what makes a reply into a key: all that follows its request's number."""
        return lambda result: result


class Cells:
    """The suite object (see suites.Suite)."""

    name = "cells"
    checks: Mapping[str, Callable[[Any], Sequence[Evidence] | None]] = CHECKS
    faults: Mapping[str, Fault] = FAULTS
    smoke = STEPS

    code = (Path(reference.__file__).parents[1],)
    """What of bindproof decides is its own code, which the engine knows of, and the reference."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._dialect = cache(self._read_dialect)

    def complete(self, scenario: Json) -> Json:
        """Return the scenario in full form; raises ScenarioError."""
        return complete(scenario)

    def brief(self, full: Json) -> Json:
        """Return a complete scenario as one would write it."""
        return brief(full)

    def prepare(self, full: Json, edition: str, dialect: str) -> PreparedScenario:
        """Make a complete scenario ready; raises ValueError where what comes out of it is left to chance."""
        plain, patterns = self._dialect(dialect, edition)
        return PreparedScenario(full, reference.predict(full, edition, plain), patterns)

    def shapes(self, params: bytes) -> Callable[[bytes], Hashable | None]:
        """Return what makes a reply into a key: all that follows its request's number."""
        return lambda result: result

    def lanes(self, scenario: Json) -> Callable[[Json], str]:
        """Return what tells a record's lane: `program`, or what of a cell it is of."""
        return lane_of

    def drawn(self, record: Json) -> tuple[str, str]:
        """Return who a record is of, the program or a cell, and what it says in a few words."""
        words = [record["fact"], record.get("observation"), record.get("call"), record.get("note"), record.get("step")]
        outcome = record.get("outcome")
        words += [outcome.get("type")] if isinstance(outcome, dict) else []
        words += ["with an error"] if "error" in record else []
        return str(record.get("cell", "program")), " ".join(str(word) for word in words if word is not None)

    def generate(self, choices: Choices, dialect: str | None) -> Json:
        """Return a generated scenario, complete."""
        return complete(generate_scenario(choices))

    def _read_dialect(self, name: str, edition: str) -> tuple[Json, Patterns]:
        return self._spec.dialects[name].as_json(), error_patterns(self._spec, name, edition)


def suite(spec: Spec) -> Cells:
    """Return the suite for its spec: the entry point."""
    return Cells(spec)
