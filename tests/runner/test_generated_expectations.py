"""Expectations about scenarios that are no vectors."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof.core.model import Evidence, Judgement, Plan, Verdict
from bindproof.core.origins import FromFile, FromVector, Generated, Origin, SmallerOf
from bindproof.runner.known_divergences import Expectations
from bindproof.spec import Divergence
from bindproof.spec.models import Sign

Json = Any

KEYS = {"steps": [{"name": "a", "set": {"/bogus": None}}]}
GENERATED = Generated(0, 1)
BROKEN = Judgement("OUT-011", (Evidence("*", "yet the step succeeded", 3, "an error", "a value"),))


def named(
    generated: str | None,
    origin: Origin = GENERATED,
    scenario: Json = KEYS,
    version: str = "1.0",
    without: str | None = None,
) -> bool:
    known = Divergence(
        "target",
        ("relay/outcomes/*",),
        "why",
        "where",
        requirement="OUT-011",
        versions=("<2",),
        sign=Sign(observed="a value"),
        generated=generated,
        generated_without=without,
    )
    verdict = Verdict(Plan(origin, "relay", scenario), "adapter", "diverges", (BROKEN,))
    return bool(Expectations([known], "target", version).of_failures(verdict))


@pytest.mark.parametrize("origin", [GENERATED, FromFile("relay/outcomes/some.json"), SmallerOf(GENERATED, 2)])
def test_the_condition_has_to_be_in_the_scenario(origin: Origin) -> None:
    assert named('"set":\\{"/bogus"', origin)
    assert not named('"set":\\{"/other"', origin)
    assert not named(None, origin)
    assert not named("bogus", origin, version="2.0")


def test_a_scenario_that_has_what_it_may_not_have_is_not_covered() -> None:
    assert named("bogus", without="subscriber")
    assert not named("bogus", without='"name":"a"')
    assert not named(None, without="subscriber")


def test_a_vector_is_covered_by_its_name_whatever_the_condition() -> None:
    assert named("other", FromVector("relay/outcomes/unknown-key"))
    assert not named("bogus", FromVector("relay/marks/one"))
    assert not named("bogus", FromVector("generated/0/1"))
