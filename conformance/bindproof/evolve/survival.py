"""Whether what notes say under `migrate` makes the objects of every vector into objects of the new edition.

Enters: a suite, a step between two editions. Leaves: Problems, each with what to do next. A rename is one only if every
object of its kind survives it, and not only those that its author thought of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from bindproof.core.model import Json
from bindproof.evolve.migrate import Migration
from bindproof.evolve.reversion import Reversions
from bindproof.evolve.words import shown
from bindproof.spec import Spec, vectors
from bindproof.spec.changes import Change
from bindproof.spec.problem import Problem


class _Tried(Struct):
    """What became of the objects of one kind."""

    objects: int = 0
    lost: str = ""
    """The first that did not survive, and why."""


def lost_on_the_way(spec: Spec, change: Change) -> Iterator[tuple[Problem, str]]:
    """Yield a problem for each `migrate` that loses an object of a vector, or is tried on none."""
    tables = [(line, note, table.schema_) for line, note in change.notes for table in note.migrate]
    if not tables:
        return
    try:
        ways = {file: Migration(spec, change.old, change.new, file.removesuffix(".json")) for *_, file in tables}
    except (KeyError, ValueError):  # told where notes are checked
        return
    tried = _tried(spec, change, ways)
    for line, note, file in tables:
        told = f"{note.title!r}: migrate of {file}"
        if tried[file].lost:
            yield Problem(change.file, line, f"{told} fails on an object of {tried[file].lost}"), "mend the patch"
        elif not tried[file].objects:
            text = f"{told} is tried on nothing: no vector has such an object"
            yield Problem(change.file, line, text), f"write a vector in which a {file} of {change.old} is seen"


def _tried(spec: Spec, change: Change, ways: Mapping[str, Migration]) -> dict[str, _Tried]:
    reversions = Reversions(spec, change.old, change.new)
    found = {file: _Tried() for file in ways}
    for vector in vectors(spec):
        for value in reversions.objects(vector, change.old):
            for file, way in ways.items():
                if way.is_one(value):
                    _try(found[file], way, value, vector.id)
    return found


def _try(tried: _Tried, way: Migration, value: Json, vector: str) -> None:
    tried.objects += 1
    moved = way.value(value)
    if moved.undecided and not tried.lost:
        tried.lost = f"{vector}: {shown(value)}: {moved.undecided}"
