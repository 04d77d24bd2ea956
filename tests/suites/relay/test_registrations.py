"""The vectors about registrations are those of their table."""

from __future__ import annotations

from typing import get_args

from bindproof.suites.relay.scenario.families import Family
from bindproof.suites.relay.tables.cells import DUE, written
from bindproof.suites.relay.tables.registrations import cells
from tests.relay import SPEC


def test_the_committed_vectors_are_those_of_the_table() -> None:
    """To write them: python -m bindproof.suites.relay.tables.registrations spec/relay/vectors/registrations."""
    folder = SPEC.folder / "vectors" / "registrations"

    assert {path.stem: path.read_text("utf-8") for path in folder.iterdir()} == {
        cell.name: written(cell.vector) for cell in cells()
    }


def test_every_family_is_in_the_table() -> None:
    assert set(DUE) == set(get_args(Family))
    assert all(DUE.values())
