"""Every vector says something: what it claims to exercise is judged, and its defect is the only difference."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from bindproof.core.model import Plan
from bindproof.runner.claims import Claims
from bindproof.runner.plans import plans_of
from bindproof.spec import Vector
from bindproof.suites import Prepared
from tests.cells import EDITION, SPEC, SUITE, VECTORS, broken, judged, lawful

Json = Any


@cache
def acted(vector_id: str) -> tuple[tuple[Plan, Prepared], ...]:
    vector = next(one for one in VECTORS if one.id == vector_id)
    return tuple((plan, SUITE.prepare(plan.scenario, EDITION, "wire")) for plan in plans_of(SUITE, vector))


@cache
def requirements_judged(vector_id: str) -> frozenset[str]:
    """The requirements that are judged on the vector's own plan; all hold, in every lawful run."""
    found: frozenset[str] = frozenset()
    for plan, prepared in acted(vector_id):
        for seed in range(3):
            judgements = judged(prepared, lawful(prepared, seed))
            assert broken(judgements) == {}, (plan.id, seed)
        found = frozenset(judgement.requirement for judgement in judgements)
    return found


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.id)
def test_what_a_vector_claims_to_exercise_is_judged(vector: Vector) -> None:
    assert set(vector.exercises) <= requirements_judged(vector.id)


def test_the_vectors_exercise_every_requirement() -> None:
    assert {name for vector in VECTORS for name in vector.exercises} == set(SPEC.requirements)


def test_each_claim_is_so_in_every_setting() -> None:
    assert list(Claims(SPEC, SUITE, everywhere=True).problems()) == []
