from __future__ import annotations

from typing import Any

import pytest

from bindproof.core.model import Evidence, Judgement, Plan, Verdict
from bindproof.core.origins import FromFile, FromVector, Generated, Origin, TwinOf
from bindproof.runner.known_divergences import Expectations, name_of
from bindproof.spec import Divergence
from bindproof.spec.models import Frequency, Sign

Json = Any


def divergence(**changes: Json) -> Divergence:
    base: Json = {"target": "t", "vectors": ("relay/a/*",), "reason": "why", "source": "seen"}
    named = {} if "verdict" in changes else {"requirement": "OUT-001", "sign": Sign(observed_matches=".")}
    return Divergence(**base | named | changes)


def sign(**says: Json) -> Divergence:
    """An expectation of failures that look so."""
    return divergence(sign=Sign(**says))


def verdict(vector: str | Origin = "relay/a/one", outcome: Json = "diverges", **failing: str) -> Verdict:
    judgements = [
        Judgement("LIF-001"),
        *(Judgement(name, (Evidence("p", "it is broken", 0, "whole", text),)) for name, text in failures(failing)),
    ]
    origin = FromVector(vector) if isinstance(vector, str) else vector
    return Verdict(Plan(origin, "relay", None), "adapter", outcome, tuple(judgements))


def failures(failing: dict[str, str]) -> list[tuple[str, str]]:
    return [(name.replace("_", "-"), text) for name, text in failing.items()]


def named(known: Divergence, seen: Verdict, version: str = "1.5") -> dict[str, str]:
    return Expectations([known], "t", version).of_failures(seen)


def stale(known: Divergence, *seen: Verdict) -> list[tuple[str, ...]]:
    expectations = Expectations([known], "t", "1.5")
    for one in seen:
        expectations.see(one)
    return [line.vectors for line in expectations.stale("adapter")]


NAME = "t OUT-001 on relay/a/*"


@pytest.mark.parametrize(
    ("known", "seen", "expected"),
    [
        (divergence(), verdict(OUT_001="broken"), {"OUT-001": NAME}),
        (divergence(), verdict(OUT_001="broken", OUT_002="too"), {"OUT-001": NAME}),
        (divergence(), verdict(TwinOf(FromVector("relay/a/one")), OUT_001="broken"), {"OUT-001": NAME}),
        (sign(observed="broken"), verdict(OUT_001="broken"), {"OUT-001": NAME}),
        (divergence(versions=(">=1,<2",)), verdict(OUT_001="broken"), {"OUT-001": NAME}),
        (divergence(versions=("<1", ">=2")), verdict(OUT_001="broken"), {}),
        (sign(observed="other"), verdict(OUT_001="broken"), {}),
        (divergence(target="u"), verdict(OUT_001="broken"), {}),
        (divergence(), verdict("relay/b/one", OUT_001="broken"), {}),
        (divergence(vectors=("relay/a/one",)), verdict("relay/a/one+twin", OUT_001="broken"), {}),
        (divergence(vectors=("*",)), verdict(FromFile("relay/a/one"), OUT_001="broken"), {}),
        (divergence(), verdict(OUT_002="broken"), {}),
        (divergence(requirement="LIF-001"), verdict(OUT_001="broken"), {}),
        (divergence(verdict="crash"), verdict(OUT_001="broken"), {}),
    ],
)
def test_which_failures_an_expectation_names(known: Divergence, seen: Verdict, expected: dict[str, str]) -> None:
    assert named(known, seen) == expected


FAILURE = Evidence("p", "text of the check", 3, {"b": 1, "a": [None]}, "seen", "/value")


@pytest.mark.parametrize(
    ("says", "is_named"),
    [
        ({"observed": "seen"}, True),
        ({"observed": "see"}, False),
        ({"observed": None}, False),
        ({"observed_matches": "see"}, True),
        ({"observed_matches": '^"seen"$'}, True),
        ({"observed_matches": "^seen$"}, False),
        ({"expected": {"a": [None], "b": 1}}, True),
        ({"expected": {"a": [None], "b": 1.0}}, False),
        ({"expected": {"a": [None], "b": True}}, False),
        ({"expected_matches": r'^\{"a":\[null\],"b":1\}$'}, True),
        ({"expected_matches": "text of the check"}, False),
        ({"at": "/value"}, True),
        ({"at": ""}, False),
        ({"at": "/value", "observed": "seen", "expected_matches": "null"}, True),
        ({"at": "/value", "observed": "seen", "expected_matches": "true"}, False),
    ],
)
def test_a_failure_has_a_sign_where_all_that_it_says_is_seen(says: Json, is_named: bool) -> None:
    seen = Verdict(Plan(FromVector("relay/a/one"), "relay", None), "a", "diverges", (Judgement("OUT-001", (FAILURE,)),))

    assert bool(named(sign(**says), seen)) is is_named


def failing(*failures: Evidence, vector: str | Origin = "relay/a/one") -> Verdict:
    """A verdict on a requirement that is broken in these ways."""
    origin = FromVector(vector) if isinstance(vector, str) else vector
    return Verdict(Plan(origin, "relay", {}), "adapter", "diverges", (Judgement("OUT-001", failures),))


ONE, TWO = Evidence("p", "text", 1, None, "one"), Evidence("p", "text", 2, None, "two")


@pytest.mark.parametrize("vector", ["relay/a/one", Generated(0, 1)])
@pytest.mark.parametrize(
    ("signs", "left"),
    [(["one"], [TWO]), (["one", "two"], []), (["two", "one"], []), (["three"], [ONE, TWO]), ([], [ONE, TWO])],
)
def test_every_failure_has_to_be_excused_by_some_expectation(
    vector: str | Origin, signs: list[str], left: list[Json]
) -> None:
    known = [divergence(sign=Sign(observed=each), generated=r"^\{") for each in signs]
    expectations = Expectations(known, "t", "1.5")
    verdict = failing(ONE, TWO, vector=vector)

    assert [failure for one in expectations.unexcused(verdict) for failure in one.failures] == left
    assert bool(expectations.of_failures(verdict)) is not bool(left)


BESIDE = divergence(sign=Sign(observed="sign"), beside=(Sign(observed="(nothing)"),))
SIGN = Evidence("p", "differs", 0, None, "sign", about=("c", "c/c.provider"))
MISSING = Evidence("p", "further", None, {"fact": "enter"}, "(nothing)", about=("c",))


@pytest.mark.parametrize(
    ("failures", "excused"),
    [
        ((SIGN, MISSING), True),
        ((SIGN, Evidence("s", "further", None, 1, "(nothing)", about=("d",))), False),
        ((SIGN, Evidence("s", "further", None, 1, "(nothing)")), False),
        ((SIGN, Evidence("s", "further", None, 1, "planted", about=("c",))), False),
        ((MISSING,), False),
    ],
)
def test_what_fails_beside_a_sign_is_excused_in_its_step(failures: tuple[Evidence, ...], excused: bool) -> None:
    assert bool(named(BESIDE, failing(*failures))) is excused


def test_of_several_broken_requirements_each_has_to_be_excused() -> None:
    verdict = Verdict(
        Plan(Generated(0, 1), "relay", {}),
        "adapter",
        "diverges",
        (Judgement("OUT-001", (ONE,)), Judgement("OUT-002", (TWO,))),
    )
    expectations = Expectations([divergence(generated="^")], "t", "1.5")

    assert list(expectations.of_failures(verdict)) == ["OUT-001"]
    assert [one.requirement for one in expectations.unexcused(verdict)] == ["OUT-002"]


def test_vectors_that_are_left_out_are_not_covered() -> None:
    known = divergence(vectors_without=("relay/a/o*",))

    assert not named(known, verdict(OUT_001="broken"))
    assert named(known, verdict("relay/a/two", OUT_001="broken"))
    assert stale(known, KEPT, verdict("relay/a/two", "conforms")) == [("relay/a/two",)]


def test_an_outcome_that_is_no_judgement_is_named() -> None:
    known = Expectations([divergence(verdict="crash")], "t", "1.5")
    assert known.of_outcome(verdict(outcome="crash")) == "t crash on relay/a/*"
    assert known.of_outcome(verdict(outcome="timeout")) is None
    assert known.of_outcome(verdict("relay/b/one", outcome="crash")) is None


BROKEN = verdict(OUT_001="broken")
KEPT = verdict(outcome="conforms")


@pytest.mark.parametrize(
    ("known", "seen", "missed"),
    [
        (divergence(), [BROKEN], []),
        (divergence(), [KEPT], [("relay/a/one",)]),
        (divergence(), [verdict(OUT_002="broken")], [("relay/a/one",)]),
        (sign(observed="other"), [BROKEN], [("relay/a/one",)]),
        (divergence(), [BROKEN, verdict("relay/a/two", "conforms")], [("relay/a/two",)]),
        (
            divergence(),
            [verdict("relay/a/two", "conforms"), verdict("relay/a/one", "conforms")],
            [("relay/a/one", "relay/a/two")],
        ),
        (divergence(sometimes=Frequency(1, 2)), [KEPT], []),
        (divergence(versions=("<1",)), [KEPT], []),
        (divergence(), [], []),
        (divergence(), [verdict("relay/b/one", "conforms")], []),
        (divergence(), [verdict(TwinOf(FromVector("relay/a/one")), "conforms")], []),
        (divergence(), [verdict("relay/a/one+twin", "conforms")], [("relay/a/one+twin",)]),
        (divergence(), [verdict(outcome="crash")], []),
        (divergence(), [verdict(outcome="not_run")], []),
        (divergence(verdict="crash"), [verdict(outcome="crash")], []),
        (divergence(verdict="crash"), [KEPT], [("relay/a/one",)]),
        (divergence(verdict="crash"), [verdict(outcome="timeout")], [("relay/a/one",)]),
        (divergence(verdict="crash"), [verdict(outcome="not_run")], []),
        (divergence(verdict="crash"), [verdict(outcome="harness_error")], []),
    ],
)
def test_which_expectations_did_not_occur(
    known: Divergence, seen: list[Verdict], missed: list[tuple[str, ...]]
) -> None:
    assert stale(known, *seen) == missed


def test_a_stale_line_says_all_that_is_known() -> None:
    expectations = Expectations([divergence(file="known.toml", line=7)], "t", "1.5")
    expectations.see(KEPT)
    (line,) = expectations.stale("adapter")
    assert (line.expectation, line.adapter, line.requirement) == (NAME, "adapter", "OUT-001")
    assert (line.reason, line.source) == ("why", "known.toml:7")
    assert name_of(divergence(verdict="crash", vectors=("a", "b"))) == "t crash on a, b"
