"""Every vector says something: what it claims to exercise is judged, and its defect is the only difference."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from bindproof.model import Plan
from bindproof.run.plans import plans_of
from bindproof.spec import Vector
from bindproof.suites import Prepared
from tests.relay import NEWEST, SETTINGS, SPEC, SUITE, VECTORS, broken, checks_of, judged, lawful

Json = Any


@dataclass(frozen=True)
class Acted:
    """A vector's plans in one setting, each with its preparation."""

    edition: str
    dialect: str
    plans: tuple[tuple[Plan, Prepared], ...]


def places(vector: Vector) -> Iterator[tuple[str, str]]:
    return ((edition, dialect) for edition, dialect in SETTINGS if vector.runs_in(edition, dialect))


@cache
def acted(vector_id: str) -> list[Acted]:
    vector = next(one for one in VECTORS if one.id == vector_id)
    plans = plans_of(SUITE, vector)
    return [
        Acted(edition, dialect, tuple((plan, SUITE.prepare(plan.scenario, edition, dialect)) for plan in plans))
        for edition, dialect in places(vector)
    ]


@cache
def requirements_judged(vector_id: str) -> dict[tuple[str, str], frozenset[str]]:
    """Setting → the requirements that are judged on the vector's own plan, all of which hold on every plan.

    Of the newest edition in several lawful orders; what another order changes, it changes in every edition.
    """
    found = {}
    for one in acted(vector_id):
        for plan, prepared in one.plans:
            for seed in range(3 if one.edition == NEWEST else 1):
                judgements = judged(prepared, lawful(prepared, seed, one.dialect), one.edition, one.dialect)
                assert broken(judgements) == {}, (plan.id, one.edition, one.dialect, seed)
            found[one.edition, one.dialect] = frozenset(judgement.requirement for judgement in judgements)
    return found


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.id)
def test_a_vector_runs_somewhere_and_its_lawful_runs_conform(vector: Vector) -> None:
    assert requirements_judged(vector.id), "its editions and dialects leave it no place to run"


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.id)
def test_what_a_vector_claims_to_exercise_is_judged(vector: Vector) -> None:
    for name in vector.exercises:
        in_force = [place for place in places(vector) if name in checks_of(*place)]
        assert in_force, f"{name} is in force in no place where the vector runs"
        hollow = [place for place in in_force if name not in requirements_judged(vector.id)[place]]
        assert not hollow, f"{name} is claimed but not judged in {hollow}"


NEGATIVES = [vector for vector in VECTORS if vector.defect is not None]


def kinds(prepared: Prepared) -> list[str]:
    """The kinds of the errors that a prediction has."""
    program = prepared.prediction["lanes"]["program"]
    return [record["error"]["kind"] for record in program if record.get("fact") == "done" and "error" in record]


@pytest.mark.parametrize("vector", NEGATIVES, ids=lambda vector: vector.id)
def test_a_defect_is_refused_by_its_kind_and_its_twin_is_not(vector: Vector) -> None:
    assert vector.defect is not None
    assert vector.defect.breaks in vector.exercises
    for one in acted(vector.id):
        (twin, positive), (plan, negative) = one.plans
        assert plan.twin == twin.id
        assert vector.defect.kind in kinds(negative), (one.edition, one.dialect)
        assert vector.defect.kind not in kinds(positive), (one.edition, one.dialect)


def gullible(positive: Prepared, negative: Prepared, dialect: str) -> list[Json]:
    """The log of a binding that takes the defective reply and goes on as the twin does."""
    replies = {
        (record["callback"], record["k"]): record["reply"]
        for record in lawful(negative, 1, dialect)
        if "reply" in record
    }
    log = lawful(positive, 1, dialect)
    for record in log:
        key = (record.get("callback"), record.get("k"))
        if record["fact"] == "leave" and key in replies:
            record["reply"] = replies[key]
    return log


@pytest.mark.parametrize("vector", NEGATIVES, ids=lambda vector: vector.id)
def test_a_binding_that_takes_the_defect_is_found(vector: Vector) -> None:
    assert vector.defect is not None
    for one in acted(vector.id):
        (_, positive), (_, negative) = one.plans
        log = gullible(positive, negative, one.dialect)
        found = broken(judged(negative, log, one.edition, one.dialect))
        assert vector.defect.breaks in found, (one.edition, one.dialect, found)


@pytest.mark.long
@pytest.mark.parametrize(("edition", "dialect"), SETTINGS)
def test_the_vectors_exercise_every_requirement(edition: str, dialect: str) -> None:
    found = {name for vector in VECTORS for name in requirements_judged(vector.id).get((edition, dialect), ())}
    untestable = {name for name, rule in SPEC.requirements.items() if rule.untestable is not None}
    assert set(checks_of(edition, dialect)) - found - untestable == set()


@pytest.mark.parametrize("name", list(SPEC.requirements))
def test_each_requirement_is_claimed_by_a_vector(name: str) -> None:
    if SPEC.requirements[name].untestable is None:
        assert [vector.id for vector in VECTORS if name in vector.exercises]
