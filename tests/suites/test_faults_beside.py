"""A planted fault is named by its rule whatever stands beside it."""

from __future__ import annotations

import pytest

from tests.relay import SUITE
from tests.suites.beside import BESIDE, tried

pytestmark = pytest.mark.long

FEWEST = 130
"""So many of the faults at least find something to spoil beside each thing, in one dialect."""


@pytest.mark.parametrize("name", BESIDE)
def test_a_fault_breaks_what_it_names_beside_something_else(name: str) -> None:
    found = tried(name)
    # What breaks nothing at all is lawful: whatever the header is, it may be so where nobody is told of the scope.
    unnamed = [
        (fault, SUITE.brief(one.full), broken)
        for fault, scenarios in found.items()
        for one, broken in scenarios
        if broken and broken.isdisjoint((*SUITE.faults[fault].breaks, *SUITE.faults[fault].also))
    ]

    assert unnamed == []
    assert sum(map(bool, found.values())) >= FEWEST
