"""Each day other scenarios: what the reference does in them breaks no rule.

The day's seeds are in the names of the tests, so that a failure can be run again: `BINDPROOF_DAY=739579 pytest …`.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime

import pytest

from bindproof.suites.choices import SeededChoices
from tests.relay import SETTINGS, SUITE, broken, judged, lawful

SCENARIOS = 6_000
SHARES = 4

DAY = int(os.environ.get("BINDPROOF_DAY") or datetime.now(UTC).date().toordinal())
FIRST = DAY * SCENARIOS


FOUND = (
    1_006_714,
    1_123_582,
    31_027_754,
    14_798_893_165,
    14_798_893_674,
    14_798_893_986,
    14_798_898_330,
    14_798_899_097,
    77_000_020_780,
    77_000_031_428,
    77_000_049_804,
    77_000_097_458,
)
"""Seeds of scenarios in which a lawful run was once said to break a rule."""


def broken_in(seed: int) -> dict[str, str]:
    """What a lawful run of a seed's scenario is said to break; nothing where the dialect cannot say it."""
    edition, dialect = SETTINGS[seed % len(SETTINGS)]
    prepared = SUITE.prepare(SUITE.generate(SeededChoices(seed), dialect), edition, dialect)
    if "inexpressible" in prepared.prediction:
        return {}
    return broken(judged(prepared, lawful(prepared, seed, dialect), edition, dialect))


@pytest.mark.long
@pytest.mark.parametrize("seed", FOUND)
def test_what_the_reference_does_in_a_scenario_that_was_red_breaks_no_rule(seed: int) -> None:
    assert broken_in(seed) == {}


@pytest.mark.long
@pytest.mark.parametrize("share", range(SHARES), ids=lambda share: f"day {DAY}, share {share}")
def test_what_the_reference_does_in_scenarios_of_the_day_breaks_no_rule(share: int) -> None:
    found = {seed: rules for seed in range(FIRST + share, FIRST + SCENARIOS, SHARES) if (rules := broken_in(seed))}
    assert found == {}
