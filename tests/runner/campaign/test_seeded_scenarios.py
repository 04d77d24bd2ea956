"""The scenarios of a campaign: which one comes when."""

from __future__ import annotations

import pytest

from bindproof.runner.campaign import seeded_scenarios as module
from bindproof.runner.campaign.guidance import scenario_seed
from bindproof.runner.campaign.seeded_scenarios import SeededScenarios
from tests.relay import SUITE


def test_a_scenario_depends_on_its_seed_and_number_alone() -> None:
    forwards, backwards = SeededScenarios(SUITE, 7), SeededScenarios(SUITE, 7)
    ascending = [forwards.scenario(number) for number in range(40)]
    descending = [backwards.scenario(number) for number in reversed(range(40))]
    assert ascending == descending[::-1]
    assert len({str(scenario) for scenario in ascending}) == 40


def test_another_seed_gives_other_scenarios() -> None:
    first, second = SeededScenarios(SUITE, 1), SeededScenarios(SUITE, 2)
    assert [first.scenario(number) for number in range(10)] != [second.scenario(number) for number in range(10)]


def test_what_is_drawn_for_a_dialect_is_what_it_can_say() -> None:
    drawn = [SeededScenarios(SUITE, 7, draw_for="native").scenario(number) for number in range(40)]
    again = [SeededScenarios(SUITE, 7, draw_for="native").scenario(number) for number in reversed(range(40))]
    assert drawn == again[::-1]
    assert {step["step"] for scenario in drawn for step in scenario["steps"]} == {"load", "native"}


def test_scenarios_are_complete() -> None:
    scenario = SeededScenarios(SUITE, 3).scenario(5)
    assert SUITE.complete(scenario) == scenario


def test_two_adapters_that_are_near_each_other_share_one_scenario() -> None:
    stream = SeededScenarios(SUITE, 0)
    assert stream.scenario(4) is stream.scenario(4)


@pytest.mark.long
def test_memory_does_not_grow_and_what_was_forgotten_is_made_again() -> None:
    stream = SeededScenarios(SUITE, 0)
    first = stream.scenario(0)
    for number in range(1, module.KEPT + 1):
        stream.scenario(number)
    assert len(stream._kept) == module.KEPT
    assert stream.scenario(0) is not first
    assert stream.scenario(0) == first


def test_no_two_scenarios_of_any_seeds_have_one_seed() -> None:
    assert len({scenario_seed(seed, number) for seed in (-2, -1, 0, 1, 2) for number in (0, 1, 2, 10**12)}) == 20


def test_the_choices_of_the_first_of_so_many_scenarios_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "COUNTED", 2)
    monkeypatch.setattr(module, "OF_SO_MANY", 5)
    counted: list[int] = []
    for number in range(12):
        stream = SeededScenarios(SUITE, 0)
        stream._count = number
        stream.scenario(0)
        counted += [number] if stream.tally.taken else []
    assert counted == [0, 1, 5, 6, 10, 11]


def test_a_scenario_that_is_counted_is_the_one_that_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = [SeededScenarios(SUITE, 0).scenario(number) for number in range(20)]
    monkeypatch.setattr(module, "COUNTED", 0)
    assert counted == [SeededScenarios(SUITE, 0).scenario(number) for number in range(20)]
