"""Suites of one setting: their vectors say something, their checks can fail, and both oracles agree."""

from __future__ import annotations

import json
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bindproof.core.model import Judgement, Plan
from bindproof.runner.claims import Claims
from bindproof.runner.fault_trials import Planted, Recording, Seen, plant_all
from bindproof.runner.plans import plans, plans_of
from bindproof.runner.setting import Setting
from bindproof.spec import Vector
from bindproof.suites import Choices, Prepared
from bindproof.suites.choices import SeededChoices
from tests.cells import CELLS
from tests.choices import STEADY, DrawnChoices
from tests.interaction import INTERACTION
from tests.interceptors import INTERCEPTORS
from tests.one_setting import DIALECT, OneSetting, broken, through_json

pytestmark = pytest.mark.long

ALL = (CELLS, INTERACTION, INTERCEPTORS)

each = pytest.mark.parametrize("asked", ALL, ids=lambda asked: asked.name)


@cache
def recording(asked: OneSetting) -> Recording:
    """Every vector as the reference acts it out, without a process."""
    setting = Setting(asked.spec, asked.suite, asked.edition, DIALECT, (), None)
    found = plans(asked.suite, asked.vectors, asked.edition, DIALECT)
    ready = [(plan, asked.prepared(plan.scenario)) for plan in found]
    seen = [Seen(plan.scenario, prepared, asked.lawful(prepared, 7)) for plan, prepared in ready]
    return Recording(setting, setting.checks(), asked.spec.dialects[DIALECT].as_json(), seen)


@cache
def planted(asked: OneSetting) -> dict[str, Planted]:
    """What every fault did, by name."""
    return {one.fault.name: one for one in plant_all(recording(asked))}


@pytest.mark.parametrize(
    ("asked", "fault"),
    [pytest.param(asked, fault, id=f"{asked.name}-{fault}") for asked in ALL for fault in asked.suite.faults],
)
def test_a_fault_breaks_what_it_names_and_nothing_else(asked: OneSetting, fault: str) -> None:
    one = planted(asked)[fault]

    assert one.planted
    assert one.named == set(one.fault.breaks)
    assert one.exact, (one.broken, one.named)


@each
def test_every_requirement_is_broken_by_a_fault(asked: OneSetting) -> None:
    assert {rule for one in planted(asked).values() for rule in one.broken} == set(asked.spec.requirements)


@each
def test_a_fault_leaves_the_observation_alone(asked: OneSetting) -> None:
    recorded = recording(asked)
    before = json.dumps([one.log for one in recorded.seen])
    for fault in asked.suite.faults.values():
        for one in recorded.seen:
            fault.plant(one.scenario, one.log, recorded.dialect, asked.edition)

    assert json.dumps([one.log for one in recorded.seen]) == before


def acted(asked: OneSetting, vector: Vector) -> list[tuple[Plan, Prepared]]:
    """A vector's plans, each with its preparation."""
    return [(plan, asked.prepared(plan.scenario)) for plan in plans_of(asked.suite, vector)]


def requirements_judged(asked: OneSetting, vector: Vector) -> frozenset[str]:
    """The requirements that are judged on the vector's own plan; all hold, in every lawful run."""
    found: frozenset[str] = frozenset()
    for plan, prepared in acted(asked, vector):
        for seed in range(3):
            judgements = asked.judged(prepared, asked.lawful(prepared, seed))
            assert broken(judgements) == {}, (plan.id, seed)
        found = frozenset(judgement.requirement for judgement in judgements)
    return found


@pytest.mark.parametrize(
    ("asked", "vector"),
    [pytest.param(asked, vector, id=vector.id) for asked in ALL for vector in asked.vectors],
)
def test_what_a_vector_claims_to_exercise_is_judged(asked: OneSetting, vector: Vector) -> None:
    assert set(vector.exercises) <= requirements_judged(asked, vector)


@each
def test_the_vectors_exercise_every_requirement(asked: OneSetting) -> None:
    assert {name for vector in asked.vectors for name in vector.exercises} == set(asked.spec.requirements)


@each
def test_each_claim_is_so_in_every_setting(asked: OneSetting) -> None:
    assert list(Claims(asked.spec, asked.suite, everywhere=True).problems()) == []


def judgements(asked: OneSetting, choices: Choices, seed: int) -> tuple[Judgement, ...]:
    """What the judge says of a lawful run of one generated scenario."""
    full = asked.suite.generate(choices, DIALECT)
    assert asked.suite.complete(through_json(full)) == full
    assert asked.suite.complete(asked.suite.brief(full)) == full
    prepared = asked.prepared(full)
    return asked.judged(prepared, asked.lawful(prepared, seed))


@pytest.mark.parametrize(
    ("asked", "scenarios", "unreached"),
    [
        pytest.param(CELLS, 1500, set(), id="cells"),
        pytest.param(INTERACTION, 1000, set(), id="interaction"),
        # a negative's: no generated retry makes no attempt
        pytest.param(INTERCEPTORS, 500, {"RTY-012"}, id="interceptors"),
    ],
)
def test_lawful_runs_of_seeded_scenarios_satisfy_every_check_and_reach_all_but_these(
    asked: OneSetting, scenarios: int, unreached: set[str]
) -> None:
    reached: set[str] = set()
    for seed in range(scenarios):
        found = judgements(asked, SeededChoices(seed), seed)
        assert broken(found) == {}, seed
        reached |= {one.requirement for one in found}
    assert set(asked.suite.checks) - reached == unreached


@each
@STEADY
@given(data=st.data())
def test_lawful_runs_of_drawn_scenarios_satisfy_every_check(asked: OneSetting, data: st.DataObject) -> None:
    assert broken(judgements(asked, DrawnChoices(data.draw), 0)) == {}
