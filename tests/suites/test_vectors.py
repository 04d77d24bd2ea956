"""Every vector says something: what it claims to exercise is judged, and its defect is the only difference."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from bindproof.core.model import Plan
from bindproof.core.origins import FromVector, TwinOf
from bindproof.runner.plans import plans_of
from bindproof.spec import Vector
from bindproof.suites import Gullible, Prepared
from tests.relay import NEWEST, SETTINGS, SPEC, SUITE, VECTORS, at_the_ends, broken, checks_of, judged, lawful

pytestmark = pytest.mark.long

Json = Any


Setting = tuple[str, str]
"""An edition and a dialect."""

ORDERS = 2
"""So many lawful orders of a vector's run are judged in one setting: what another one changes, it changes in all."""


def places(vector: Vector) -> list[Setting]:
    """Where it runs and can be said."""
    return [one for one in SETTINGS if runs_and_can_be_said(vector, one)]


def runs_and_can_be_said(vector: Vector, setting: Setting) -> bool:
    """Whether a vector is for this setting, and its dialect has words for it."""
    return vector.runs_in(*setting) and can_be_said(vector, setting)


def can_be_said(vector: Vector, setting: Setting) -> bool:
    """Whether the dialect can express what the vector asks for."""
    return all("inexpressible" not in prepared.prediction for _, prepared in acted(vector.id, setting))


def newest_places(vector: Vector) -> list[Setting]:
    """Where it runs in the newest edition, else in its last; other editions are gone through by a long test."""
    newest = [one for one in SETTINGS if one[0] == NEWEST and runs_and_can_be_said(vector, one)]
    found = newest or places(vector)
    return [one for one in found if one[0] == found[-1][0]]


@cache
def acted(vector_id: str, setting: Setting) -> list[tuple[Plan, Prepared]]:
    """A vector's plans in one setting, each with its preparation."""
    vector = next(one for one in VECTORS if one.id == vector_id)
    return [(plan, SUITE.prepare(plan.scenario, *setting)) for plan in plans_of(SUITE, vector)]


@cache
def requirements_judged(vector_id: str, setting: Setting, orders: int) -> frozenset[str]:
    """The requirements that are judged on the vector's own plan, all of which hold on every plan.

    orders: so many lawful orders are judged.
    """
    edition, dialect = setting
    for plan, prepared in acted(vector_id, setting):
        for seed in range(orders):
            judgements = judged(prepared, lawful(prepared, seed, dialect), edition, dialect)
            assert broken(judgements) == {}, (plan.id, setting, seed)
    return frozenset(judgement.requirement for judgement in judgements)


def judges_what_is_claimed(vector: Vector, setting: Setting, orders: int) -> None:
    """Each lawful run conforms, and what the vector claims to exercise is judged."""
    found = requirements_judged(vector.id, setting, orders)
    hollow = [name for name in vector.exercises if name in checks_of(*setting) and name not in found]
    assert not hollow, f"{hollow} claimed but not judged in {setting}"


def refuses_the_defect(vector: Vector, setting: Setting) -> None:
    """The defect is refused by its kind, its twin is not, and a binding that takes the defect is found."""
    assert vector.defect is not None
    (twin, positive), (_, negative) = acted(vector.id, setting)
    assert twin.origin == TwinOf(FromVector(vector.id))
    assert vector.defect.kind in kinds(negative), setting
    assert vector.defect.kind not in kinds(positive), setting
    assert isinstance(negative, Gullible)
    log = negative.taking(lawful(positive, 1, setting[1]), lawful(negative, 1, setting[1]))
    found = broken(judged(negative, log, *setting))
    assert vector.defect.breaks in found, (setting, found)


def kinds(prepared: Prepared) -> list[str]:
    """The kinds of the errors that a prediction has."""
    program = prepared.prediction["lanes"]["program"]
    return [record["error"]["kind"] for record in program if record.get("fact") == "done" and "error" in record]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.id)
def test_a_vector_conforms_and_judges_what_it_claims(vector: Vector) -> None:
    found = newest_places(vector)
    assert found, "its editions and dialects leave it no place to run"
    for number, setting in enumerate(found):
        judges_what_is_claimed(vector, setting, ORDERS if number == 0 else 1)


NEGATIVES = [vector for vector in VECTORS if vector.defect is not None]


@pytest.mark.parametrize("vector", NEGATIVES, ids=lambda vector: vector.id)
def test_a_defect_is_refused_and_a_binding_that_takes_it_is_found(vector: Vector) -> None:
    assert vector.defect is not None
    assert vector.defect.breaks in vector.exercises
    for setting in newest_places(vector):
        refuses_the_defect(vector, setting)


@pytest.mark.long
@pytest.mark.parametrize(("edition", "dialect"), at_the_ends())
def test_in_every_setting_vectors_say_the_same_and_exercise_every_requirement(edition: str, dialect: str) -> None:
    setting = edition, dialect
    there = [vector for vector in VECTORS if vector.runs_in(*setting)]
    here = [vector for vector in there if can_be_said(vector, setting)]
    for vector in here:
        judges_what_is_claimed(vector, setting, orders=1)
        if vector.defect is not None:
            refuses_the_defect(vector, setting)
    found = {name for vector in here for name in requirements_judged(vector.id, setting, 1)}
    untestable = {name for name, rule in SPEC.requirements.items() if rule.untestable is not None}
    unsaid = {name for vector in there if vector not in here for name in vector.exercises}
    assert set(checks_of(*setting)) - found - untestable <= unsaid


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.id)
def test_what_a_vector_claims_is_in_force_where_it_runs(vector: Vector) -> None:
    for name in vector.exercises:
        in_force = (setting for setting in SETTINGS if name in checks_of(*setting))
        assert any(runs_and_can_be_said(vector, setting) for setting in in_force), f"{name} is in force nowhere here"


@pytest.mark.parametrize("name", [rule.id for rule in SPEC.requirements.values() if rule.in_editions])
def test_each_requirement_is_claimed_by_a_vector(name: str) -> None:
    if SPEC.requirements[name].untestable is None:
        assert [vector.id for vector in VECTORS if name in vector.exercises]
