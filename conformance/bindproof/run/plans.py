"""Which scenarios are run: vectors of the spec, and a negative's positive twin before it.

Enters: a spec, the request's globs and files. Leaves: plans for one edition and dialect. Must not know adapters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from fnmatch import fnmatchcase
from pathlib import Path

from bindproof.errors import UsageError
from bindproof.model import Defect, Json, Plan
from bindproof.spec import SpecError, Vector, read_vector, vectors
from bindproof.spec.models import Suite as Spec
from bindproof.spec.problem import Problem
from bindproof.suites import Suite

TWIN = "+twin"
"""Suffix of the id of a negative's positive twin."""


def chosen_vectors(
    spec: Spec, globs: Sequence[str], requirements: Sequence[str], files: Sequence[Path]
) -> list[Vector]:
    """Return the vectors that a request asks for; raises UsageError when a glob matches none."""
    if files:
        return [read_vector(spec, file, f"file/{file.name}") for file in files]
    found = list(vectors(spec))
    for glob in globs:
        if not any(fnmatchcase(vector.id, glob) for vector in found):
            raise UsageError(f"--vector {glob!r} matches no vector; `bindproof spec list --vectors` shows them")
    for glob in requirements:
        if not any(fnmatchcase(name, glob) for name in spec.requirements):
            raise UsageError(f"--requirement {glob!r} matches no requirement; `bindproof spec list` shows them")
    return [vector for vector in found if _matches(globs, [vector.id]) and _matches(requirements, vector.exercises)]


def _matches(globs: Sequence[str], names: Iterable[str]) -> bool:
    return not globs or any(fnmatchcase(name, glob) for name in names for glob in globs)


def plans(suite: Suite, found: Iterable[Vector], edition: str, dialect: str) -> Iterator[Plan]:
    """Yield the plans of vectors that are meant for this edition and dialect.

    Raises SpecError for a broken scenario.
    """
    for vector in found:
        if vector.runs_in(edition, dialect):
            yield from plans_of(suite, vector)


def plans_of(suite: Suite, vector: Vector) -> list[Plan]:
    """Return a vector's plan, after its twin's when it has a defect."""
    try:
        full = suite.complete(vector.scenario)
        positive = Plan(vector.id, suite.name, full, vector.title, vector.exercises, seconds=vector.seconds)
        if vector.defect is None:
            return [positive]
        defective = suite.complete(with_defect(vector.scenario, vector.defect))
    except ValueError as error:
        raise SpecError([Problem(vector.file, 1, str(error))]) from error
    twin = Plan(vector.id + TWIN, suite.name, positive.scenario, f"the twin of: {vector.title}", ())
    return [twin, Plan(vector.id, suite.name, defective, vector.title, vector.exercises, vector.defect, twin.id)]


def with_defect(scenario: Json, defect: Defect) -> Json:
    """Return a scenario with its defect put in; raises ValueError when the defect's pointer leads nowhere."""
    changed = deepcopy(scenario)
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
