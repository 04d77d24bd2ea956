"""The vectors that a migration note names tell its two editions apart."""

from __future__ import annotations

import pytest

from bindproof.spec import Vector
from bindproof.spec.changes import read_changes
from bindproof.spec.files.models import Note
from tests.relay import SPEC, SUITE, VECTORS, broken, judged, lawful

pytestmark = pytest.mark.long

NOTES = [(change.old, change.new, note) for change in read_changes(SPEC)[0] for _, note in change.notes]


def broken_requirements(vector: Vector, lived: str, judged_by: str, dialect: str) -> set[str]:
    """What a run that one edition allows breaks in another."""
    full = SUITE.complete(vector.scenario)
    log = lawful(SUITE.prepare(full, lived, dialect), 1, dialect)
    return set(broken(judged(SUITE.prepare(full, judged_by, dialect), log, judged_by, dialect)))


@pytest.mark.parametrize(("old", "new", "note"), NOTES, ids=[note.title for *_, note in NOTES])
def test_its_vectors_break_under_the_new_edition_for_who_keeps_the_old(old: str, new: str, note: Note) -> None:
    spoken = [dialect for act in note.act for dialect in act.dialects]
    dialect = "python" if {"all", "python"} & {*spoken} else spoken[0]
    for name in note.vectors:
        vector = next(one for one in VECTORS if one.id == name)
        assert broken_requirements(vector, old, new, dialect)
        assert broken_requirements(vector, new, new, dialect) == set()
