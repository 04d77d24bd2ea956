"""Which scenarios are run: those of the chosen vectors, and a negative's positive twin before it.

Enters: vectors. Leaves: plans for one edition and dialect. Must not know adapters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

from msgspec.structs import replace

from bindproof.core.model import Defect, Json, Plan
from bindproof.core.origins import FromFile, FromVector, Origin, TwinOf
from bindproof.core.pointer import PointerError, with_value, without
from bindproof.spec import SpecError, Vector
from bindproof.spec.problem import Problem
from bindproof.suites import Suite


class _Selected(Protocol):
    """A scenario that was selected."""

    @property
    def origin(self) -> Origin: ...


P = TypeVar("P", bound=_Selected)


def plans(suite: Suite, found: Iterable[Vector], edition: str, dialect: str) -> Iterator[Plan]:
    """Yield the plans of vectors that are meant for this edition and dialect.

    Raises SpecError for a broken scenario.
    """
    for vector in found:
        if vector.runs_in(edition, dialect):
            yield from plans_of(suite, vector)


def plans_of(suite: Suite, vector: Vector) -> list[Plan]:
    """Return a vector's plan, after its twin's when it has a defect."""
    origin = FromVector(vector.id) if vector.own is None else FromFile(vector.own)
    try:
        full = suite.complete(vector.scenario)
        positive = Plan(origin, suite.name, full, vector.title, vector.exercises, seconds=vector.seconds)
        if vector.defect is None:
            return [replace(positive, expect=vector.expect)]
        defective = suite.complete(with_defect(vector.scenario, vector.defect))
    except ValueError as error:
        raise SpecError([Problem(vector.file, 1, str(error))]) from error
    twin = Plan(TwinOf(origin), suite.name, positive.scenario, f"the twin of: {vector.title}", ())
    return [twin, Plan(origin, suite.name, defective, vector.title, vector.exercises, vector.defect)]


def killing_first(selected: Iterable[P], kills: Callable[[P], bool]) -> Iterator[P]:
    """Yield what is known to kill its process before all others, and a negative right behind its twin as before.

    One process after the other is lost to the first, in time that others use for the rest. kills: what is known.
    """
    others: list[P] = []
    for one in selected:
        paired = isinstance(one.origin, TwinOf) or (others and isinstance(others[-1].origin, TwinOf))
        if not paired and kills(one):
            yield one
        else:
            others.append(one)
    yield from others


def with_defect(scenario: Json, defect: Defect) -> Json:
    """Return a scenario with its defect put in; raises ValueError when the defect's pointer leads nowhere."""
    try:
        return without(scenario, defect.at) if defect.cut else with_value(scenario, defect.at, defect.put)
    except PointerError:
        raise ValueError(f"defect.at {defect.at!r} leads nowhere in the scenario; mend the pointer") from None
