"""Expectations about scenarios that are no vectors."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from bindproof.core.model import Evidence, Judgement, Plan, Verdict
from bindproof.core.origins import FromFile, FromVector, Generated, Origin, SmallerOf
from bindproof.runner.known_divergences import Expectations, name_of
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


OTHER = Divergence(
    "target",
    (),
    "why",
    "where",
    requirement="OUT-011",
    sign=Sign(observed="another value"),
    generated="bogus",
)


def test_what_covers_a_scenario_that_is_no_vector_need_not_occur_there() -> None:
    """Of two expectations that cover one scenario one occurs; merged shards and whole campaigns say the same of it."""
    known = Expectations([OTHER, replace(OTHER, sign=Sign(observed="a value"))], "target", "1.0")
    for origin in (GENERATED, FromFile("mine.json")):
        known.see(Verdict(Plan(origin, "relay", KEYS), "adapter", "diverges", (BROKEN,)))
    assert list(known.stale("adapter")) == []


def test_an_expectation_of_generated_scenarios_alone_has_a_name_of_its_own() -> None:
    assert name_of(OTHER) == "target OUT-011 on scenarios with bogus"


def test_a_vector_is_covered_by_its_name_whatever_the_condition() -> None:
    assert named("other", FromVector("relay/outcomes/unknown-key"))
    assert not named("bogus", FromVector("relay/marks/one"))
    assert not named("bogus", FromVector("generated/0/1"))
