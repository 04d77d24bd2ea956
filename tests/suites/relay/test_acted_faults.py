"""Each fault about registrations is named by its rule, in each family, on each level, in each kind of call."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from bindproof.suites.relay.tables.acted import ALSO, FAULTS, ActedFault
from bindproof.suites.relay.tables.cells import Cell
from bindproof.suites.relay.tables.place import Place
from bindproof.suites.relay.tables.registrations import cells
from tests.relay import NEWEST, SUITE, broken, judged, lawful

pytestmark = pytest.mark.long

Json = Any

DIALECT = "python"

FEW = ("tool.request", "tool.sanitize_response")
"""Families that are tried in any case: one that runs in a call, and one that runs when an event is published."""

UNEXPLAINED = "REF-000"
"""A fault may change more than what its rule speaks of: that is compared with the reference, which names no rule."""


def seen(cell: Cell) -> Iterator[tuple[ActedFault, str, set[str]]]:
    """Each fault that changes something in a cell's vector, the rule that it breaks there, and all that is broken."""
    full = SUITE.complete(cell.vector["scenario"])
    prepared = SUITE.prepare(full, NEWEST, DIALECT)

    def act(other: Json) -> list[Json]:
        return lawful(SUITE.prepare(other, NEWEST, DIALECT), 7, DIALECT)

    place = Place(full, act(full), cell.family, cell.level, act)
    for fault in FAULTS:
        rule = fault.broken_in(cell)
        log = fault.acted(place) if rule else None
        if log is not None:
            yield fault, rule, set(broken(judged(prepared, log, NEWEST, DIALECT)))


def of_families(*families: str) -> list[Cell]:
    return [cell for cell in cells() if cell.family in families]


def hold(some: list[Cell]) -> dict[str, set[str]]:
    """Assert that each fault is named by its rule in each of these cells, and beside it by what follows from it alone.

    Returns what was seen to follow, by fault.
    """
    followed: dict[str, set[str]] = {}
    for cell in some:
        named: set[str] = set()
        for fault, rule, found in seen(cell):
            besides = found - {rule, UNEXPLAINED}
            assert rule in found, (cell.name, fault.title)
            assert besides <= fault.also.keys(), (cell.name, fault.title)
            named.add(rule)
            followed.setdefault(fault.name, set()).update(besides)
        assert named == set(cell.vector["exercises"]), cell.name
    return followed


def test_a_fault_is_named_by_its_rule_and_by_what_follows_from_it_alone() -> None:
    hold(of_families(*FEW))


@pytest.mark.long
def test_a_fault_is_named_in_every_family() -> None:
    """So each rule that is said to be broken besides is broken by that fault somewhere."""
    followed = hold(list(cells()))

    assert {name: rules for name, rules in followed.items() if rules} == {
        name: set(also) for name, also in ALSO.items()
    }
