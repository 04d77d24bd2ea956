from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

import pytest

from bindproof.core.model import Evidence, Judgement
from bindproof.judge import UnreadableError, judge
from bindproof.suites import ObservationError
from tests.relay import NEWEST, SUB, broken, call, intercept, judged, lawful, marks, prepare

Json = Any


@dataclass
class Prepared:
    """A scenario whose lanes `p` and `s` have one record each; the reading is the log."""

    prediction: Json
    spelled: Json = None

    def shapes(self, params: bytes) -> Callable[[bytes], Hashable | None]:
        return lambda line: None

    def observe(self, log: list[Json]) -> tuple[list[Json], Any]:
        return log, log


PREPARED = Prepared({"lanes": {"p": [{"lane": "p", "n": 1}], "s": [{"lane": "s", "n": 1}]}, "after": []})


def seen(p: int, s: int, **failing: Json) -> dict[str, list[str]]:
    """Requirement → lanes of its failures, where the checks named fail of a record, hold (None) or do not apply."""
    records = {"p": 0, "s": 1, "*": None}

    def check(lane: Json) -> Any:
        if lane in (None, "n/a"):
            return lambda reading: [] if lane is None else None
        return lambda reading: [Evidence(lane, "broken", records[lane])]

    checks = {name: check(lane) for name, lane in failing.items()}
    log = [{"lane": "p", "n": p}, {"lane": "s", "n": s}]
    judgements = judge(PREPARED, log, checks, lambda record: str(record["lane"]))
    return {one.requirement: [failure.lane for failure in one.failures] for one in judgements}


@pytest.mark.parametrize(
    ("log", "checks", "expected"),
    [
        ((1, 1), {}, {"REF-000": []}),
        ((1, 1), {"A": None, "B": "n/a"}, {"A": [], "REF-000": []}),
        ((2, 1), {}, {"REF-000": ["p"]}),
        ((2, 2), {}, {"REF-000": ["p", "s"]}),
        ((2, 1), {"A": "p"}, {"A": ["p"], "REF-000": []}),
        ((2, 2), {"A": "p"}, {"A": ["p"], "REF-000": ["s"]}),
        ((2, 2), {"A": "p", "B": "s"}, {"A": ["p"], "B": ["s"], "REF-000": []}),
        ((2, 2), {"A": "*"}, {"A": ["*"], "REF-000": []}),
        ((1, 2), {"A": "p"}, {"A": ["p"], "REF-000": ["s"]}),
        ((1, 1), {"A": "p"}, {"A": ["p"], "REF-000": []}),
    ],
)
def test_a_difference_is_explained_by_a_failing_check_of_its_record(
    log: tuple[int, int], checks: Json, expected: dict[str, list[str]]
) -> None:
    assert seen(*log, **checks) == expected


def test_a_judgement_holds_without_failures() -> None:
    assert Judgement("A").holds
    assert not Judgement("A", (Evidence("p", "broken"),)).holds


STEPS: tuple[Json, ...] = (SUB, intercept(marks("m1", "m2")), call())


def spoiled(change: Any, dialect: str = "wire") -> dict[str, str]:
    prepared = prepare(*STEPS, dialect=dialect)
    log = lawful(prepared, 3, dialect)
    change(log, [record for record in log if record["fact"] == "event"])
    return broken(judged(prepared, log, NEWEST, dialect))


def test_a_lawful_log_conforms() -> None:
    assert spoiled(lambda log, events: None) == {}


def test_swapped_marks_break_their_order_and_nothing_else() -> None:
    def swap(log: list[Json], events: list[Json]) -> None:
        _, first, second, _ = events
        first["event"], second["event"] = second["event"], first["event"]

    assert spoiled(swap) == {"MRK-002": "marks come in the outcomes' order"}


def test_what_no_requirement_speaks_of_breaks_the_built_in_one() -> None:
    def add(log: list[Json], events: list[Json]) -> None:
        next(record for record in log if record["fact"] == "leave")["surplus"] = 1

    assert spoiled(add) == {"REF-000": "differs from the reference at /surplus"}


def test_a_call_that_goes_on_though_it_should_have_failed_is_told_once() -> None:
    edit = {"op": "edit", "set": {"/pending_marks": [{"category": "llm"}]}}
    bad = prepare(SUB, intercept(edit), call())
    good = prepare(SUB, intercept(), call())
    log = lawful(good, 0, "wire")
    next(record for record in log if record["fact"] == "leave")["reply"]["pending_marks"] = [{"category": "llm"}]
    found = broken(judged(bad, log, NEWEST, "wire"))
    assert found["MRK-007"] == "a pending mark has no name, yet the step succeeded"
    assert "REF-000" not in found


def test_a_log_that_is_none_is_no_judgement() -> None:
    with pytest.raises(ObservationError, match="log record 0"):
        judged(prepare(*STEPS), [{"fact": "guess"}], NEWEST, "wire")


def stumbles(view: Json) -> None:
    raise KeyError("given")


def test_what_a_check_cannot_read_is_told_with_its_requirement_and_place() -> None:
    with pytest.raises(UnreadableError, match=r"check of A .*KeyError: 'given'.*\(test_judging\.py, line \d+"):
        judge(PREPARED, [{"lane": "p", "n": 2}], {"A": stumbles}, lambda record: str(record["lane"]))


def test_a_check_that_stumbles_over_what_the_reference_allows_is_wrong() -> None:
    log = [{"lane": "p", "n": 1}, {"lane": "s", "n": 1}]
    with pytest.raises(KeyError):
        judge(PREPARED, log, {"A": stumbles}, lambda record: str(record["lane"]))


def test_an_observation_that_cannot_even_be_normalised_is_told() -> None:
    class Fragile(Prepared):
        def observe(self, log: list[Json]) -> tuple[list[Json], Any]:
            raise TypeError("no such thing")

    with pytest.raises(UnreadableError, match="cannot be read: TypeError: no such thing"):
        judge(Fragile(PREPARED.prediction), [], {}, str)
