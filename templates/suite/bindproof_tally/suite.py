"""The suite `tally` as bindproof asks for it; each part has a module of its own."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

from bindproof.suite_api import Choices, Json, Prepared, Spec, Suite
from bindproof_tally import reference
from bindproof_tally.checks import CHECKS
from bindproof_tally.faults import FAULTS
from bindproof_tally.generator import generate
from bindproof_tally.observation import Reading, read
from bindproof_tally.scenario import STEPS, brief, complete


@dataclass(frozen=True, slots=True)
class PreparedScenario:
    """A scenario that is ready: what is sent, and what the reference allows to be seen."""

    spelled: Json
    prediction: Json

    def observe(self, log: list[Json]) -> tuple[list[Json], Reading]:
        """Return the log, and what the checks are given; raises ObservationError for a log of another form."""
        return log, read(self.spelled, log)

    def shapes(self, params: bytes) -> Callable[[bytes], Hashable | None]:
        """Every observation is judged afresh: a contract as small as this is judged quickly."""
        return lambda result: None


class Tally:
    """The suite (bindproof.suite_api.Suite says what each member is for)."""

    name = "tally"
    checks = CHECKS
    faults = FAULTS
    smoke = STEPS

    def __init__(self, spec: Spec) -> None:
        self._spec = spec

    def complete(self, scenario: Json) -> Json:
        """Return a scenario with all defaults filled in; raises ValueError."""
        return complete(scenario)

    def brief(self, full: Json) -> Json:
        """Return a complete scenario as one would write it."""
        return brief(full)

    def prepare(self, full: Json, edition: str, dialect: str) -> Prepared:
        """Make a complete scenario ready."""
        prediction = reference.predict(full, edition, self._spec.dialects[dialect].as_json())
        return PreparedScenario(full, prediction)

    def lanes(self, scenario: Json) -> Callable[[Json], str]:
        """All records are in one order."""
        return lambda record: "program"

    def generate(self, choices: Choices, dialect: str | None) -> Json:
        """Return a scenario that the choices decide."""
        return generate(choices)


def suite(spec: Spec) -> Suite:
    """Return the suite for its spec: the entry point."""
    return Tally(spec)
