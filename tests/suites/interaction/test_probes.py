"""The probes of AFK: each is accounted for, and where its code differs from its documents a vector shows it."""

from __future__ import annotations

import pytest

from bindproof.spec.expectations import load_expectations, shipped_expectations
from bindproof.spec.sources import read_sources
from tests.interaction import SPEC

PROBES = [f"F{number}" for number in range(1, 27)]
DIFFERING = ("F6", "F12", "F15", "F17", "F18", "F21", "F23")
"""Those in which its code was seen to do otherwise than its documents say."""

RULES = {rule.place: rule for rule in read_sources(SPEC)[0] if rule.document == "observed"}


def test_each_probe_is_judged_by_a_requirement_or_says_why_not() -> None:
    assert list(RULES) == PROBES
    assert [place for place, rule in RULES.items() if not rule.requirements] == []


@pytest.mark.parametrize("place", DIFFERING)
def test_a_difference_is_found_by_vectors(place: str) -> None:
    known = load_expectations(SPEC, shipped_expectations(SPEC))
    about = [one for one in known if one.requirement in RULES[place].requirements]
    found = [one for one in about if place in one.source.replace(",", " ").split()]
    assert found
    assert all(one.vectors for one in found)
