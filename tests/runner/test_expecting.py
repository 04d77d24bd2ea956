from __future__ import annotations

from typing import Any

import pytest

from bindproof.core.model import Evidence, Judgement, Plan, Verdict
from bindproof.core.origins import FromFile, FromVector, Origin, TwinOf
from bindproof.runner.expecting import Expectations, name_of
from bindproof.spec import Divergence

Json = Any


def divergence(**changes: Json) -> Divergence:
    base: Json = {"target": "t", "vectors": ("relay/a/*",), "reason": "why", "source": "seen"}
    return Divergence(**base | ({} if "verdict" in changes else {"requirement": "OUT-001"}) | changes)


def verdict(vector: str | Origin = "relay/a/one", outcome: Json = "diverges", **failing: str) -> Verdict:
    judgements = [Judgement("LIF-001"), *(Judgement(name, (Evidence("p", text),)) for name, text in failures(failing))]
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
        (divergence(evidence="rok"), verdict(OUT_001="broken"), {"OUT-001": NAME}),
        (divergence(versions=(">=1,<2",)), verdict(OUT_001="broken"), {"OUT-001": NAME}),
        (divergence(versions=("<1", ">=2")), verdict(OUT_001="broken"), {}),
        (divergence(evidence="other"), verdict(OUT_001="broken"), {}),
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


def test_evidence_has_to_stand_in_every_failure() -> None:
    two = Judgement("OUT-001", (Evidence("p", "a b"), Evidence("p", "c", observed="a")))
    seen = Verdict(Plan(FromVector("relay/a/one"), "relay", None), "adapter", "diverges", (two,))
    assert named(divergence(evidence="a"), seen)
    assert not named(divergence(evidence="b"), seen)


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
        (divergence(evidence="other"), [BROKEN], [("relay/a/one",)]),
        (divergence(), [BROKEN, verdict("relay/a/two", "conforms")], [("relay/a/two",)]),
        (
            divergence(),
            [verdict("relay/a/two", "conforms"), verdict("relay/a/one", "conforms")],
            [("relay/a/one", "relay/a/two")],
        ),
        (divergence(when="sometimes"), [KEPT], []),
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
