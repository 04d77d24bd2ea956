"""Expectations about scenarios that are no vectors."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof.core.model import Evidence, Judgement, Plan, Verdict
from bindproof.runner.expecting import Expectations
from bindproof.spec import Divergence
from bindproof.spec.models import Sign

Json = Any

KEYS = {"steps": [{"name": "a", "set": {"/bogus": None}}]}
BROKEN = Judgement("OUT-011", (Evidence("*", "yet the step succeeded", 3, "an error", "a value"),))


def named(
    generated: str | None,
    plan: str = "generated/0/1",
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
    verdict = Verdict(Plan(plan, "relay", scenario), "adapter", "diverges", (BROKEN,))
    return bool(Expectations([known], "target", version).of_failures(verdict))


@pytest.mark.parametrize("plan", ["generated/0/1", "file/some.json"])
def test_the_condition_has_to_be_in_the_scenario(plan: str) -> None:
    assert named('"set":\\{"/bogus"', plan)
    assert not named('"set":\\{"/other"', plan)
    assert not named(None, plan)
    assert not named("bogus", plan, version="2.0")


def test_a_scenario_that_has_what_it_may_not_have_is_not_covered() -> None:
    assert named("bogus", without="subscriber")
    assert not named("bogus", without='"name":"a"')
    assert not named(None, without="subscriber")


def test_a_vector_is_covered_by_its_name_whatever_the_condition() -> None:
    assert named("other", "relay/outcomes/unknown-key")
    assert not named("bogus", "relay/marks/one")
