"""Guided scenarios: more of what few scenarios of a seed exercise, and the same ones everywhere."""

from __future__ import annotations

from collections import Counter

import pytest

from bindproof.runner.campaign import guidance
from bindproof.runner.campaign.seeded_scenarios import SeededScenarios
from bindproof.suites.choices import numbers
from tests.relay import SPEC, SUITE

pytestmark = pytest.mark.long

SEED = 3
NUMBERS = range(1, 241, 2)
"""Every second scenario is guided."""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guidance, "LOOKED_AT", 120)
    monkeypatch.setattr(guidance, "FEW", 4)
    monkeypatch.setattr(guidance, "_KNOWN", {})


def rare() -> tuple[int, ...]:
    return guidance.rare_numbers(SUITE, SPEC, SEED)


def exercised(stream: SeededScenarios, numbers: range = NUMBERS) -> Counter[str]:
    look = guidance.Look(SUITE, SPEC)
    return Counter(name for number in numbers for name in look.exercised(stream.scenario(number)))


@pytest.mark.long
def test_what_few_scenarios_exercise_more_do() -> None:
    looked_at = exercised(SeededScenarios(SUITE, SEED), range(guidance.LOOKED_AT))
    few = [name for name, count in looked_at.items() if count <= guidance.FEW]
    without, guided = exercised(SeededScenarios(SUITE, SEED)), exercised(SeededScenarios(SUITE, SEED, rare()))
    assert len(few) > 5
    assert sum(guided[name] for name in few) > 2 * sum(without[name] for name in few)
    assert sum(guided[name] > without[name] for name in few) > len(few) / 2


def test_each_rare_requirement_has_as_many_numbers() -> None:
    assert len(rare()) % guidance.FEW == 0
    assert set(rare()) <= set(range(guidance.LOOKED_AT))


def test_a_guided_scenario_depends_on_its_seed_and_number_alone() -> None:
    forwards, backwards = SeededScenarios(SUITE, SEED, rare()), SeededScenarios(SUITE, SEED, rare())
    ascending = [forwards.scenario(number) for number in range(40)]
    assert ascending == [backwards.scenario(number) for number in reversed(range(40))][::-1]
    assert len({str(scenario) for scenario in ascending}) > 30


def test_every_second_scenario_is_as_without_guidance() -> None:
    guided, without = SeededScenarios(SUITE, SEED, rare()), SeededScenarios(SUITE, SEED)
    same = [number for number in range(20) if guided.scenario(number) == without.scenario(number)]
    assert same == list(range(0, 20, 2))


def test_guided_choices_are_mostly_those_of_the_rare_one() -> None:
    theirs, guided = numbers(guidance.scenario_seed(SEED, 7)), guidance.guided_choices(7, SEED, 100)
    same = [guided() == theirs() for _ in range(2000)]
    assert 0.9 < sum(same) / len(same) < 1
