"""What a suite provides; suites are found through the entry points of installed packages.

Enters: a suite's spec. Leaves: the Suite protocol, and the suite that an installed package provides. The engine knows
suites only through this protocol, so that adding one touches no engine code.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any, Protocol

from bindproof.errors import UsageError
from bindproof.model import Evidence, Json
from bindproof.paths import GROUP
from bindproof.spec.models import Suite as Spec


@dataclass(frozen=True, slots=True)
class Fault:
    """A planted fault: a filter between an adapter and the judge.

    breaks: the requirements that it breaks, each wherever it holds. plant: takes the complete scenario, the raw log,
    the dialect as plain data and the edition's name; returns the faulty log, or None where the scenario gives
    it nothing to spoil.
    """

    name: str
    title: str
    breaks: tuple[str, ...]
    plant: Callable[[Json, list[Json], Json, str], list[Json] | None]


@dataclass(frozen=True, slots=True)
class SmokeStep:
    """One step of `smoke`: what an adapter can do then, the scenario that shows it, what to look at where it cannot."""

    title: str
    scenario: Json
    hint: str


class Choices(Protocol):
    """How a generator makes its choices, so that Hypothesis and a seeded random source can both drive it."""

    def integer(self, low: int, high: int) -> int:
        """Choose a whole number, both ends included; small ones are simpler."""
        ...

    def pick(self, options: Sequence[Any]) -> Any:
        """Choose one of the options; earlier ones are simpler."""
        ...

    def chance(self, percent: int) -> bool:
        """Choose true in about so many of a hundred cases; false is simpler."""
        ...


class Prepared(Protocol):
    """A scenario made ready for one edition and dialect: what is sent, what is allowed, how what was seen is judged."""

    spelled: Json
    prediction: Json

    def observe(self, log: list[Json]) -> tuple[list[Json], Any]:
        """Return the normalised log and what the checks are given; raises ObservationError for a log that is none."""
        ...

    def shapes(self, params: bytes) -> Callable[[bytes], Hashable | None]:
        """Return what makes a reply line into a key, such that lines of one key are judged alike where one conforms.

        params: what is sent. A line that has no such key gives None.
        """
        ...


class ObservationError(ValueError):
    """An adapter's log does not have the form of an observation; the message says where."""


class Suite(Protocol):
    """A contract family: its scenarios, reference, checks, generators and faults."""

    name: str
    checks: Mapping[str, Callable[[Any], Sequence[Evidence] | None]]
    faults: Mapping[str, Fault]
    smoke: Sequence[SmokeStep]

    def complete(self, scenario: Json) -> Json:
        """Return the scenario in full form; raises ValueError when it breaks the suite's language."""
        ...

    def brief(self, full: Json) -> Json:
        """Return a complete scenario as one would write it: what has its default is left out."""
        ...

    def prepare(self, full: Json, edition: str, dialect: str) -> Prepared:
        """Make a complete scenario ready; raises ValueError when the reference cannot act it out."""
        ...

    def lane(self, record: Json) -> str:
        """Return the lane that a record of a log belongs to."""
        ...

    def generate(self, choices: Choices, dialect: str | None) -> Json:
        """Return a scenario of the suite in canonical spelling; dialect: what it has to be able to say, None: anything.

        A scenario for all bindings is made with None: where a binding cannot say it, it is inexpressible there.
        """
        ...


def load(spec: Spec) -> Suite:
    """Return the suite that a spec is about: what its entry point makes of the spec.

    Raises UsageError when no installed package provides it.
    """
    for entry in entry_points(group=GROUP):
        if entry.name == spec.name:
            suite: Suite = entry.load()(spec)
            return suite
    raise UsageError(
        f"no installed package provides the suite {spec.name!r}, whose spec is in {spec.folder}: install its package "
        f"again; its entry point belongs in the group {GROUP!r}"
    )
