"""A failing check explains what it speaks of, and nothing beside it."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof.core.model import EVERY_LANE, Evidence
from bindproof.judge.explanation import unexplained
from bindproof.judge.log_differences import Comparison

Json = Any


def record(lane: str, name: str, value: Json = 1) -> Json:
    return {"lane": lane, "fact": "told", "name": name, "value": value}


EXPECTED: Json = {
    "lanes": {
        "p": [record("p", "a"), record("p", "b"), record("p", "c"), record("p", "d")],
        "s": [record("s", "a"), record("s", "d")],
    },
    "after": [],
    "belongs": {
        "p": [["one", "one/a"], ["one", "one/b"], ["one"], ["two"]],
        "s": [["one", "one/a"], ["two"]],
    },
}
LAWFUL = [*EXPECTED["lanes"]["p"], *EXPECTED["lanes"]["s"]]


def left(log: list[Json], *failures: Evidence) -> list[Json]:
    """The records of the differences that these failures do not explain."""
    comparisons = [Comparison(EXPECTED, log, lambda one: str(one["lane"]), first=first) for first in (False, True)]
    return [one.record for one in unexplained(comparisons, failures)]


def changed(*places: int) -> list[Json]:
    return [{**one, "value": 2} if at in places else one for at, one in enumerate(LAWFUL)]


def without(*places: int) -> list[Json]:
    return [one for at, one in enumerate(LAWFUL) if at not in places]


@pytest.mark.parametrize(
    ("failure", "unexplained"),
    [
        (Evidence("p", "", 0), [1, 3, 4]),
        (Evidence("p", "", 0, at="/value"), [1, 3, 4]),
        (Evidence("p", "", 0, at="/value/deep"), [1, 3, 4]),
        (Evidence("p", "", 0, at="/name"), [0, 1, 3, 4]),
        (Evidence("p", "", 0, also=(1, 4)), [3]),
        (Evidence("p", "", 2), [0, 1, 3, 4]),
        (Evidence("p", "", 2, about=("one",)), [0, 1, 3, 4]),
        (Evidence("p", ""), [0, 1, 3, 4]),
        (Evidence(EVERY_LANE, "", 2), [3]),
        (Evidence(EVERY_LANE, "", 3), [0, 1, 4]),
        (Evidence(EVERY_LANE, ""), []),
    ],
)
def test_of_what_changed_its_records_are_explained(failure: Evidence, unexplained: list[int]) -> None:
    assert left(changed(0, 1, 3, 4), failure) == unexplained


@pytest.mark.parametrize(
    ("failure", "unexplained"),
    [
        (Evidence("p", "", 0), 3),
        (Evidence("p", ""), 1),
        (Evidence("p", "", 0, about=("one",)), 1),
        (Evidence("p", "", 0, about=("one/b",)), 2),
        (Evidence("p", "", 0, about=("one/a",)), 3),
        (Evidence(EVERY_LANE, "", 0, about=("one",)), 0),
        (Evidence(EVERY_LANE, "", 0, about=("two",)), 3),
        (Evidence(EVERY_LANE, "", 0), 0),
    ],
)
def test_of_what_is_missing_its_names_are_explained(failure: Evidence, unexplained: int) -> None:
    assert len(left(without(1, 2, 4), failure)) == unexplained


@pytest.mark.parametrize("failure", [Evidence("p", "", 1), Evidence("p", "", None, about=("two",))])
def test_what_is_too_much_is_explained_by_its_record_or_its_neighbours(failure: Evidence) -> None:
    log = [LAWFUL[0], record("p", "x"), *LAWFUL[1:3], record("p", "y"), *LAWFUL[3:]]

    assert left(log) == [1, 4]
    assert len(left(log, failure)) == 1


def test_what_moved_is_explained_by_what_it_passed() -> None:
    log = [LAWFUL[1], LAWFUL[0], *LAWFUL[2:]]

    assert left(log) in ([0], [1])
    assert left(log, Evidence("p", "", 0)) == []
    assert left(log, Evidence("p", "", 1)) == []
    assert left(log, Evidence("p", "", 2)) != []


def test_without_a_failure_all_is_left() -> None:
    assert left(changed(0, 5)) == [0, 5]


def named(*labels: Json) -> list[Json]:
    return [{"lane": "p", "fact": "told", "name": f"n{at}", "id": label} for at, label in enumerate(labels)]


@pytest.mark.parametrize("spoken", [(0,), (1, 2)])
def test_either_side_of_a_quarrel_on_an_identity_may_be_at_fault(spoken: tuple[int, ...]) -> None:
    expected = {"lanes": {"p": named(*[{"$id": "c"}] * 3)}, "after": []}
    log = named("x", "y", "y")
    comparisons = [Comparison(expected, log, lambda one: str(one["lane"]), first=first) for first in (False, True)]

    assert unexplained(comparisons, [Evidence("p", "", at) for at in spoken]) == ()
    assert len(unexplained(comparisons, [Evidence("p", "", 2)])) == 1
