"""What comes out of a scenario, held against what its vector says."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof.core.model import Expect
from bindproof.judge import judge
from bindproof.judge.expected import failures_of

Json = Any

ANY: Json = {"lanes": {"program": [{"$any": True}]}, "after": []}


class Prepared:
    """A scenario of which nothing but its outcome is known. open: there is no reference."""

    def __init__(self, *, open_: bool = False) -> None:
        self.spelled: Json = {}
        self.prediction = {**ANY, "open": True} if open_ else ANY

    def observe(self, log: list[Json]) -> tuple[list[Json], Any]:
        return log, log

    def shapes(self, params: bytes) -> Any:
        raise NotImplementedError


def said(expect: Expect, *log: Json) -> list[tuple[str, Json, Json, str]]:
    found = failures_of(expect, list(log), lambda record: "program")
    return [(one.text, one.expected, one.observed, one.at) for one in found]


@pytest.mark.parametrize(
    ("expect", "record"),
    [
        (Expect(None), {"value": None}),
        (Expect({"$unordered": [1, 2]}), {"value": [2, 1]}),
        (Expect(error="syntax"), {"error": {"kind": "syntax", "message": "at 3"}}),
        (Expect(error="syntax"), {"error": "syntax"}),
    ],
)
def test_what_is_expected_is_no_failure(expect: Expect, record: Json) -> None:
    assert said(expect, {"value": "earlier"}, record, {"fact": "settled"}) == []


@pytest.mark.parametrize(
    ("expect", "record", "failure"),
    [
        (Expect([1, 2]), {"value": [1, 3]}, ("another value came out", 2, 3, "/value/1")),
        (
            Expect(None),
            {"error": {"kind": "unknown"}},
            ("an error came out, and not a value", {"value": None}, {"error": {"kind": "unknown"}}, ""),
        ),
        (Expect(error="a"), {"value": 1}, ("a value came out, and not an error", {"error": "a"}, {"value": 1}, "")),
        (Expect(error="a"), {"error": "b"}, ("an error of another kind came out", "a", "b", "/error")),
        (Expect(1), {}, ("nothing came out: no record has a value or an error", {"value": 1}, "(nothing)", "")),
    ],
)
def test_anything_else_is_told(expect: Expect, record: Json, failure: tuple[str, Json, Json, str]) -> None:
    assert said(expect, record) == [failure]


def broken(prepared: Prepared, value: Json, check: Any = None) -> dict[str, list[str]]:
    checks = {"ABC-001": check} if check else {}
    found = judge(prepared, [{"value": value}], checks, lambda record: "program", ("ABC-001", Expect(1)))
    return {one.requirement: [failure.text for failure in one.failures] for one in found}


def test_it_is_judged_under_its_requirement_beside_the_check() -> None:
    assert broken(Prepared(), 1) == {"ABC-001": [], "REF-000": []}
    assert broken(Prepared(), 2, lambda reading: None) == {"ABC-001": ["another value came out"], "REF-000": []}


def test_where_there_is_no_reference_nothing_is_said_of_one() -> None:
    assert broken(Prepared(open_=True), 2) == {"ABC-001": ["another value came out"]}
