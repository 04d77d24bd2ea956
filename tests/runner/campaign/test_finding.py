"""Five planted faults, each in another chapter, are found from every seed, and shrunk to the parts that matter."""

from __future__ import annotations

import pytest

from bindproof.core.smallest import text
from bindproof.runner.campaign.seeded_scenarios import SeededScenarios
from bindproof.runner.faults import fault_of
from tests.relay import NEWEST, SUITE, broken, judged, lawful, plain
from tests.runner.campaign.played import DIALECT, legal, made_smaller, shows

FAULTS = {
    "forget_outcome": ("OUT-004", 150),
    "stale_body": ("AUT-001", 50),
    "swap_marks": ("MRK-002", 240),
    "deaf_subscriber": ("LIF-008", 160),
    "rename_key": ("DLC-001", 240),
}
"""Fault → the requirement that it breaks, and how many bytes the smallest scenario may have."""

SEEDS = range(10)
QUICK = 2
"""So many of them are tried in every run of the tests."""

WITHIN = 3000


@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=[pytest.mark.long] if seed >= QUICK else []) for seed in SEEDS]
)
def test_all_are_found_in_one_campaign(seed: int) -> None:
    planted = fault_of(SUITE, "+".join(FAULTS))
    assert planted is not None
    stream, missing = SeededScenarios(SUITE, seed), {requirement for requirement, _ in FAULTS.values()}
    for number in range(WITHIN):
        prepared = SUITE.prepare(full := stream.scenario(number), NEWEST, DIALECT)
        if "inexpressible" in prepared.prediction:
            continue
        spoiled = planted.plant(full, lawful(prepared, number, DIALECT), plain(DIALECT), NEWEST)
        if spoiled is not None:
            missing -= broken(judged(prepared, spoiled, NEWEST, DIALECT)).keys()
        if not missing:
            return
    assert not missing


@pytest.mark.long
@pytest.mark.parametrize("fault", FAULTS)
def test_the_smallest_scenario_has_the_parts_that_matter(fault: str) -> None:
    requirement, most = FAULTS[fault]
    asked = shows(fault, requirement)
    stream = SeededScenarios(SUITE, 1)
    numbers = (n for n in range(WITHIN) if legal(stream.scenario(n)) and asked(stream.scenario(n)))
    made = made_smaller(SUITE.brief(stream.scenario(next(numbers))), asked)
    assert len(text(made.scenario)) <= most
