"""Ids, names and texts made of the judge's own words blame no real binding for what it does not do."""

from __future__ import annotations

import pytest

from bindproof.results import FindingLine, Fold
from tests.bindings.toolchains import BINDINGS, each
from tests.seen.own_words import campaign

pytestmark = pytest.mark.binding

SCENARIOS = 100
"""`python -m tests.seen.own_words` runs more."""


@pytest.mark.parametrize("adapter", each(*BINDINGS))
def test_words_of_the_judge_in_generated_scenarios_break_nothing_that_is_not_known(adapter: str) -> None:
    lines = campaign(adapter, seed=17, scenarios=SCENARIOS)
    summary = Fold.over(lines).summary()

    assert [line for line in lines if isinstance(line, FindingLine)] == []
    assert (summary.exit, summary.selected) == (0, SCENARIOS)
