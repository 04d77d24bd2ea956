"""The suite `interceptors`: the layers of llm-stack around model calls and tools, in virtual time."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct

import bindproof_reference.interceptors as reference
from bindproof.core.model import Evidence, Json
from bindproof.spec.models import Spec
from bindproof.suite_api import Choices, Fault, ObservationError, error_patterns
from bindproof.suites.interceptors.checks import CHECKS
from bindproof.suites.interceptors.faults import FAULTS
from bindproof.suites.interceptors.generators import scenario as generate_scenario
from bindproof.suites.interceptors.observation import Patterns, invalid_record, with_kinds
from bindproof.suites.interceptors.reading import Reading, reading
from bindproof.suites.interceptors.recording import problem_of
from bindproof.suites.interceptors.scenario import brief, complete
from bindproof.suites.interceptors.smoke import STEPS


class PreparedScenario(Struct, frozen=True):
    """A scenario made ready for one edition and dialect (see suites.Prepared)."""

    spelled: Json
    prediction: Json
    patterns: Patterns

    def observe(self, log: list[Json]) -> tuple[list[Json], Reading]:
        """Return the normalised log and its reading; raises ObservationError for a record of the wrong form."""
        problem = invalid_record(log) or problem_of(self.spelled, log)
        if problem is not None:
            raise ObservationError(problem)
        seen = with_kinds(log, self.patterns)
        return seen, reading(self.spelled, seen)

    def shapes(self, params: bytes) -> Callable[[bytes], Hashable | None]:
        """Return what makes a reply into a key: all that follows its request's number."""
        return lambda result: result


class Interceptors:
    """The suite object (see suites.Suite)."""

    name = "interceptors"
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
        """Make a complete scenario ready; raises ValueError when the reference cannot act it out."""
        plain, patterns = self._dialect(dialect, edition)
        return PreparedScenario(full, reference.predict(full, edition, plain), patterns)

    def shapes(self, params: bytes) -> Callable[[bytes], Hashable | None]:
        """Return what makes a reply into a key: all that follows its request's number."""
        return lambda result: result

    def lanes(self, scenario: Json) -> Callable[[Json], str]:
        """Return what tells a record's lane: `program`, or the call that it is of where several are made at once."""
        return lambda record: str(record.get("call", "program"))

    def drawn(self, record: Json) -> tuple[str, str]:
        """Return who a record is of: the program, a layer or an operation; and what it says in a few words."""
        words = [record.get("step"), record.get("fact"), record.get("level"), record.get("message"), record.get("name")]
        words += ["with an error"] if "error" in record else []
        return str(record.get("callback", "program")), " ".join(str(word) for word in words if word)

    def generate(self, choices: Choices, dialect: str) -> Json:
        """Return a generated scenario, complete."""
        return complete(generate_scenario(choices, dialect))

    def _read_dialect(self, name: str, edition: str) -> tuple[Json, Patterns]:
        return self._spec.dialects[name].as_json(), error_patterns(self._spec, name, edition)


def suite(spec: Spec) -> Interceptors:
    """Return the suite for its spec: the entry point."""
    return Interceptors(spec)
