"""Two oracles that check each other: what the reference allows satisfies every check, whatever the scenario."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bindproof.suites import Choices
from bindproof.suites.choices import SeededChoices
from tests.choices import STEADY, DrawnChoices
from tests.relay import SETTINGS, SUITE, broken, judged, lawful, through_json

Json = Any

SCENARIOS = 1000
SEEDS = 2


def unlawful(choices: Choices, edition: str, dialect: str, first_seed: int) -> Json:
    """What some lawful run of one generated scenario is said to break, with the scenario; None when nothing."""
    full = SUITE.generate(choices, dialect)
    assert SUITE.complete(through_json(full)) == full
    prepared = SUITE.prepare(full, edition, dialect)
    for seed in range(first_seed, first_seed + SEEDS):
        found = broken(judged(prepared, lawful(prepared, seed, dialect), edition, dialect))
        if found:
            return {"broken": found, "seed": seed, "scenario": SUITE.brief(full)}
    return None


@pytest.mark.long
@pytest.mark.parametrize(("edition", "dialect"), SETTINGS)
def test_lawful_runs_of_seeded_scenarios_satisfy_every_check(edition: str, dialect: str) -> None:
    first = SETTINGS.index((edition, dialect))
    for seed in range(first, SCENARIOS, len(SETTINGS)):
        assert unlawful(SeededChoices(seed), edition, dialect, seed) is None


@pytest.mark.long
@STEADY
@given(st.data(), st.sampled_from(SETTINGS))
def test_lawful_runs_of_drawn_scenarios_satisfy_every_check(data: st.DataObject, setting: tuple[str, str]) -> None:
    assert unlawful(DrawnChoices(data.draw), *setting, 0) is None


def test_the_same_seed_makes_the_same_scenario_and_another_one_another() -> None:
    made = [SUITE.generate(SeededChoices(seed), "node") for seed in range(50)]
    assert made == [SUITE.generate(SeededChoices(seed), "node") for seed in range(50)]
    assert len({str(scenario) for scenario in made}) == 50


def test_seeded_choices_stay_within_what_is_offered() -> None:
    choices = SeededChoices(1)
    assert {choices.integer(-1, 1) for _ in range(100)} == {-1, 0, 1}
    assert {choices.pick("abc") for _ in range(100)} == set("abc")
    assert {choices.chance(50) for _ in range(100)} == {True, False}
    assert not any(choices.chance(0) for _ in range(100))
    assert all(choices.chance(100) for _ in range(100))
