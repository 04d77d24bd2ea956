"""Two oracles that check each other: what the reference allows satisfies every check, whatever the scenario."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bindproof.core.model import Judgement
from bindproof.suites import Choices
from bindproof.suites.choices import SeededChoices
from tests.cells import EDITION, SUITE, broken, judged, lawful, through_json
from tests.choices import STEADY, DrawnChoices

SCENARIOS = 1500


def judgements(choices: Choices, seed: int) -> tuple[Judgement, ...]:
    """What the judge says of a lawful run of one generated scenario."""
    full = SUITE.generate(choices, "wire")
    assert SUITE.complete(through_json(full)) == full
    assert SUITE.complete(SUITE.brief(full)) == full
    prepared = SUITE.prepare(full, EDITION, "wire")
    return judged(prepared, lawful(prepared, seed))


def test_lawful_runs_of_seeded_scenarios_satisfy_every_check_and_reach_all() -> None:
    reached: set[str] = set()
    for seed in range(SCENARIOS):
        found = judgements(SeededChoices(seed), seed)
        assert broken(found) == {}, seed
        reached |= {one.requirement for one in found}
    assert set(SUITE.checks) - reached == set()


@STEADY
@given(st.data())
def test_lawful_runs_of_drawn_scenarios_satisfy_every_check(data: st.DataObject) -> None:
    assert broken(judgements(DrawnChoices(data.draw), 0)) == {}
