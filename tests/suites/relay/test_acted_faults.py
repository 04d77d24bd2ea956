"""Each fault about registrations is named by its rule, in each family, on each level, in each kind of call."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof.suites.relay.tables.acted import FAULTS, ActedFault, Place
from bindproof.suites.relay.tables.registrations import Cell, cells
from tests.relay import NEWEST, SUITE, broken, judged, lawful

pytestmark = pytest.mark.long

Json = Any

DIALECT = "python"

FEW = ("tool.request", "tool.sanitize_response")
"""Families that are tried in any case: one that runs in a call, and one that runs when an event is published."""


def unnamed(cell: Cell) -> tuple[list[str], set[str]]:
    """The faults that a cell's rules do not name, and the rules that were named."""
    full = SUITE.complete(cell.vector["scenario"])
    prepared = SUITE.prepare(full, NEWEST, DIALECT)

    def act(other: Json) -> list[Json]:
        return lawful(SUITE.prepare(other, NEWEST, DIALECT), 7, DIALECT)

    place = Place(full, act(full), cell.family, cell.level, act)
    missed: list[str] = []
    named: set[str] = set()
    for fault, rule in faults_of(cell):
        log = fault.acted(place)
        if log is not None:
            found = broken(judged(prepared, log, NEWEST, DIALECT))
            (named.add if rule in found else missed.append)(rule)
    return missed, named


def faults_of(cell: Cell) -> list[tuple[ActedFault, str]]:
    """The faults that break a rule which the vector exercises, each with that rule."""
    found = [(fault, fault.breaks.get(cell.level, "")) for fault in FAULTS]
    return [(fault, rule) for fault, rule in found if rule in cell.vector["exercises"]]


def of_family(family: str) -> list[Cell]:
    return [cell for cell in cells() if cell.family == family]


def test_a_fault_is_named_by_the_rule_that_the_vector_exercises() -> None:
    for cell in (cell for family in FEW for cell in of_family(family)):
        assert unnamed(cell) == ([], set(cell.vector["exercises"])), cell.name


@pytest.mark.long
def test_a_fault_is_named_in_every_family() -> None:
    for cell in cells():
        assert unnamed(cell) == ([], set(cell.vector["exercises"])), cell.name
