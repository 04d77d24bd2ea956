"""What a generator never chose."""

from __future__ import annotations

import pytest

from bindproof.runner.campaign.tally import CountedChoices, Tally
from bindproof.suites import Choices
from bindproof.suites.choices import SeededChoices, numbers
from tests.relay import SUITE


def generated(choices: Choices) -> list[object]:
    return [choices.pick(("often", "often too")), choices.integer(0, 3), choices.chance(0), choices.chance(100)]


def test_what_was_offered_and_never_taken_is_told_with_its_place() -> None:
    tally = Tally()
    for seed in range(100):
        generated(CountedChoices(numbers(seed), tally))
    ((place, never),) = tally.never().items()
    assert place.startswith("generated, line ")
    assert never == ("True", "False")


def test_it_decides_as_choices_that_are_not_counted() -> None:
    for seed in range(20):
        counted = CountedChoices(numbers(seed), Tally())
        assert SUITE.generate(counted, None) == SUITE.generate(SeededChoices(seed), None)


@pytest.mark.long
def test_the_generator_takes_every_option_within_some_thousand_scenarios() -> None:
    tally = Tally()
    for seed in range(5000):
        SUITE.generate(CountedChoices(numbers(seed), tally), None)
    assert sum(map(len, tally.never().values())) <= 10
