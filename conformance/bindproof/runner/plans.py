"""Which scenarios are run: those of the chosen vectors, and a negative's positive twin before it.

Enters: vectors. Leaves: plans for one edition and dialect. Must not know adapters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bindproof.core.model import Defect, Json, Plan, copied
from bindproof.core.origins import FromFile, FromVector, TwinOf
from bindproof.spec import SpecError, Vector
from bindproof.spec.problem import Problem
from bindproof.suites import Suite


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
            return [positive]
        defective = suite.complete(with_defect(vector.scenario, vector.defect))
    except ValueError as error:
        raise SpecError([Problem(vector.file, 1, str(error))]) from error
    twin = Plan(TwinOf(origin), suite.name, positive.scenario, f"the twin of: {vector.title}", ())
    return [twin, Plan(origin, suite.name, defective, vector.title, vector.exercises, vector.defect)]


def with_defect(scenario: Json, defect: Defect) -> Json:
    """Return a scenario with its defect put in; raises ValueError when the defect's pointer leads nowhere."""
    changed = copied(scenario)
    root, *path = [token.replace("~1", "/").replace("~0", "~") for token in defect.at.split("/")]
    place = changed
    try:
        if root or not path:
            raise ValueError(defect.at)
        for token in path[:-1]:
            place = place[_key(place, token)]
        key = _key(place, path[-1])
        if defect.cut:
            del place[key]
        elif isinstance(place, list) and key == len(place):
            place.append(defect.put)
        else:
            place[key] = defect.put
    except (KeyError, IndexError, TypeError, ValueError):
        raise ValueError(f"defect.at {defect.at!r} leads nowhere in the scenario; mend the pointer") from None
    return changed


def _key(place: Json, token: str) -> Json:
    """Return what one token of a pointer selects with: an index of a list, else a key; raises ValueError."""
    if not isinstance(place, list):
        return token
    if not token.isdecimal():
        raise ValueError(token)
    return int(token)
