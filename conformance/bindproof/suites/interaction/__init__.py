"""The suite `interaction`: runs of an agent, between the gate before a model's call and the end of the run."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

import bindproof_reference.interaction as reference
from bindproof.suite_api import (
    Choices,
    Evidence,
    Fault,
    Json,
    ObservationError,
    Spec,
    error_patterns,
)
from bindproof.suites.interaction.budgets import Budgeted, budgeted
from bindproof.suites.interaction.checks import CHECKS
from bindproof.suites.interaction.defaults import Unset, unset
from bindproof.suites.interaction.faults import FAULTS
from bindproof.suites.interaction.generator import scenario as generate_scenario
from bindproof.suites.interaction.names import Resolved, resolved
from bindproof.suites.interaction.observation import Patterns, invalid_record, lane_of, normalised
from bindproof.suites.interaction.outputs import Asked, asked
from bindproof.suites.interaction.policies import Decided, decided
from bindproof.suites.interaction.reading import Reading, reading
from bindproof.suites.interaction.requests import Requested, requested
from bindproof.suites.interaction.resuming import Resumed, resumed
from bindproof.suites.interaction.scenario import brief, complete
from bindproof.suites.interaction.shape import shapes
from bindproof.suites.interaction.smoke import STEPS
from bindproof.suites.interaction.states import Moved, moved
from bindproof.suites.interaction.stops import Stopped, stopped
from bindproof.suites.interaction.streams import Streamed, streamed

READ: Final[dict[str, Any]] = {
    "run": reading, "output": asked, "stream": streamed, "resume": resumed, "request": requested,
    "policy": decided,
    "names": resolved, "budget": budgeted, "stop": stopped,
    "states": moved, "defaults": unset,
}  # fmt: skip
"""What reads a log, by what its scenario is of."""

Read = Reading | Asked | Streamed | Resumed | Requested | Decided | Resolved | Budgeted | Stopped | Moved | Unset


class PreparedScenario(Struct, frozen=True):
    """A scenario made ready for one edition and dialect (see suites.Prepared)."""

    spelled: Json
    prediction: Json
    patterns: Patterns

    def observe(self, log: list[Json]) -> tuple[list[Json], Read]:
        """Return the normalised log and its reading; raises ObservationError for a record of the wrong form."""
        problem = invalid_record(log)
        if problem is not None:
            raise ObservationError(problem)
        seen = normalised(log, self.patterns)
        read: Callable[[Json, list[Json]], Read] = READ[self.spelled["of"]]
        return seen, read(self.spelled, seen)

    def shapes(self, params: bytes) -> Callable[[bytes], Hashable | None]:
        """Return what makes a reply into a key (see `shape`)."""
        return shapes(params)


class Interaction:
    """The suite object (see suites.Suite)."""

    name = "interaction"
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
        """Make a complete scenario ready; raises ValueError for an edition that the reference does not know."""
        plain, patterns = self._dialect(dialect, edition)
        return PreparedScenario(full, reference.predict(full, edition, plain), patterns)

    def shapes(self, params: bytes) -> Callable[[bytes], Hashable | None]:
        """Return what makes a reply into a key (see `shape`)."""
        return shapes(params)

    def lanes(self, scenario: Json) -> Callable[[Json], str]:
        """Return what tells a record's lane: there is one, but for who reads a stream and who waits for it."""
        return lane_of

    def drawn(self, record: Json) -> tuple[str, str]:
        """Return who a record is of, the run, its memory, people or a model, and what it says in a few words."""
        match record["fact"]:
            case "called":
                return record["model"], "called"
            case "asked":
                return "people", f"asked for {record['what']}"
            case "checkpoint":
                return "memory", str(record["phase"])
            case "event":
                return "run", str(record["type"])
            case "consulted":
                return f"role {record['role']}", "consulted"
            case "tried":
                return str(record["provider"]), f"tried for {record['model']}"
            case "decided":
                return "policy", f"decides to {record['action']}"
            case "act":
                return "program", str(record["act"])
            case "got" | "closed" | "awaited" | "stuck":
                return lane_of(record), str(record.get("what", record["fact"]))
        return "run", str(record["fact"])

    def generate(self, choices: Choices, dialect: str | None) -> Json:
        """Return a generated scenario, complete."""
        return complete(generate_scenario(choices))

    def _read_dialect(self, name: str, edition: str) -> tuple[Json, Patterns]:
        return self._spec.dialects[name].as_json(), error_patterns(self._spec, name, edition)


def suite(spec: Spec) -> Interaction:
    """Return the suite for its spec: the entry point."""
    return Interaction(spec)
