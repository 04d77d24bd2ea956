"""Expectations about scenarios that are no vectors."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof.core.model import Evidence, Judgement, Plan, Verdict
from bindproof.core.origins import FromFile, FromVector, Generated, Origin, SmallerOf
from bindproof.runner.expecting import Expectations
from bindproof.spec import Divergence

Json = Any

KEYS = {"steps": [{"name": "a", "set": {"/bogus": None}}]}
GENERATED = Generated(0, 1)
BROKEN = Judgement("OUT-011", (Evidence("*", "yet the step succeeded"), Evidence("program", "of another kind")))


def named(generated: str | None, origin: Origin = GENERATED, scenario: Json = KEYS, version: str = "1.0") -> bool:
    known = Divergence(
        "target",
        ("relay/outcomes/*",),
        "why",
        "where",
        requirement="OUT-011",
        versions=("<2",),
        evidence="yet the step",
        generated=generated,
    )
    verdict = Verdict(Plan(origin, "relay", scenario), "adapter", "diverges", (BROKEN,))
    return bool(Expectations([known], "target", version).of_failures(verdict))


@pytest.mark.parametrize("origin", [GENERATED, FromFile("relay/outcomes/some.json"), SmallerOf(GENERATED, 2)])
def test_the_condition_has_to_be_in_the_scenario(origin: Origin) -> None:
    assert named('"set":\\{"/bogus"', origin)
    assert not named('"set":\\{"/other"', origin)
    assert not named(None, origin)
    assert not named("bogus", origin, version="2.0")


def test_of_a_vector_every_failure_has_to_agree_whatever_the_condition() -> None:
    assert not named("bogus", FromVector("relay/outcomes/unknown-key"))
    assert not named("bogus", FromVector("generated/0/1"))
