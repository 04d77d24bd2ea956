"""The page of registrations is made of the table; a cell has vectors or a reason, and not both."""

from __future__ import annotations

from types import ModuleType
from typing import get_args

import pytest

from bindproof.suites.relay.scenario.families import Family
from bindproof.suites.relay.tables.cells import Calls
from bindproof.suites.relay.tables.registrations import cells
from tests.repo.test_site import module_of_the_site


@pytest.fixture(scope="module")
def registrations() -> ModuleType:
    return module_of_the_site("registrations")


@pytest.mark.long
def test_the_page_is_what_is_written_of_the_table(registrations: ModuleType) -> None:
    assert registrations.PAGE.read_text(encoding="utf-8") == registrations.page(), "run docs/site/registrations.py"


@pytest.mark.long
def test_a_cell_has_vectors_or_a_reason(registrations: ModuleType) -> None:
    for rule in registrations.ELSEWHERE:
        for family in registrations.families(rule):
            for calls in get_args(Calls):
                for level in registrations.levels(rule):
                    found = registrations.vectors_of(rule, family, level, calls)
                    assert bool(found) is (registrations.reason(rule, family, calls) == ""), (
                        rule,
                        family,
                        calls,
                        level,
                    )


def test_each_rule_that_a_vector_of_the_table_exercises_is_on_the_page(registrations: ModuleType) -> None:
    assert {rule for cell in cells() for rule in cell.vector["exercises"]} == set(registrations.ELSEWHERE)


def test_each_family_has_a_row_in_some_table(registrations: ModuleType) -> None:
    assert {family for rule in registrations.ELSEWHERE for family in registrations.families(rule)} == set(
        get_args(Family)
    )
