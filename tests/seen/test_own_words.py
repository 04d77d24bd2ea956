"""Ids, names and texts made of the judge's own words decide nothing: no lawful run of the reference is blamed."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof.suites.choices import SeededChoices
from bindproof.suites.relay.generators.raw import raw_scenario
from bindproof.suites.relay.scenario.complete import ScenarioError
from tests.relay import SETTINGS, SUITE, broken, judged, lawful
from tests.seen.own_words import Renaming

pytestmark = pytest.mark.long

Json = Any

SCENARIOS = 5000
EACH = 60
"""Scenarios of a dialect; unmarked tests take every so many of them."""

DIALECTS = sorted({dialect for _, dialect in SETTINGS})


def blamed(seed: int, edition: str, dialect: str) -> dict[str, str]:
    """What the reference is said to break in one generated scenario that is renamed; nothing where it is refused."""
    choices = SeededChoices(seed)
    drawn = raw_scenario(choices) if dialect == "c" and seed % 9 == 0 else SUITE.brief(SUITE.generate(choices, dialect))
    try:
        full = SUITE.complete(Renaming(choices).of(drawn))
    except ScenarioError:
        return {}
    prepared = SUITE.prepare(full, edition, dialect)
    if "inexpressible" in prepared.prediction:
        return {}
    return broken(judged(prepared, lawful(prepared, seed, dialect), edition, dialect))


def newest(dialect: str) -> str:
    """The newest edition of a dialect."""
    return [edition for edition, name in SETTINGS if name == dialect][-1]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_words_of_the_judge_in_a_scenario_leave_the_reference_unblamed(dialect: str) -> None:
    for seed in range(0, SCENARIOS, EACH):
        assert blamed(seed, newest(dialect), dialect) == {}, seed


@pytest.mark.long
@pytest.mark.parametrize("dialect", DIALECTS)
def test_words_of_the_judge_in_any_of_many_scenarios_leave_the_reference_unblamed(dialect: str) -> None:
    for seed in range(1, SCENARIOS, EACH // 5):
        assert blamed(seed, newest(dialect), dialect) == {}, seed
