"""A policy allows kinds of breaks from a release on, and nothing that it does not name."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof.evolve.compare import Comparison
from bindproof.evolve.findings import Findings
from bindproof.evolve.policy import Allow, Policy, Release, forbidden
from tests.evolve.schemas_of import comparison

Json = Any

OLD: Json = {"type": "object", "properties": {"level": {"enum": ["a"]}}, "additionalProperties": False}
MORE = {**OLD, "properties": {"level": {"enum": ["a", "b"]}}}
REQUIRED = {**OLD, "required": ["level"]}
DEFAULT = {**OLD, "properties": {"level": {"enum": ["a"], "default": "a"}}}

ADDED = Allow(release="minor", kinds=("* added",), directions=("new_to_old",), reason="Readers pass over it.")
ANY = Allow(release="major", kinds=("*",), unknown=True, reason="It may.")


def found(new: Json, old: Json = OLD) -> Findings:
    asked: Comparison = comparison(old, new)
    every = [asked.decision(number) for number in range(len(asked))]
    return Findings("old", "new", "", "", tuple(every[:-1]), every[-1], (), compared=1)


@pytest.mark.parametrize(
    ("new", "release", "blocked"),
    [
        (OLD, "patch", []),
        (MORE, "patch", ["new_to_old"]),
        (MORE, "minor", []),
        (MORE, "major", []),
        (REQUIRED, "minor", ["old_to_new"]),
        (REQUIRED, "major", []),
        (DEFAULT, "minor", ["old_to_new", "new_to_old"]),
        (DEFAULT, "major", []),
    ],
)
def test_a_release_may_have_what_is_allowed_in_it_or_in_a_smaller_one(
    new: Json, release: Release, blocked: list[str]
) -> None:
    policy = Policy(allow=(ADDED, ANY))
    assert [direction for _, direction in forbidden(found(new), policy, release)] == blocked


def test_what_nobody_knows_passes_only_where_it_says_so() -> None:
    policy = Policy(allow=(Allow(release="patch", kinds=("*",), reason="r"),))
    assert len(list(forbidden(found(DEFAULT), policy, "major"))) == 2


def test_what_breaks_only_all_together_passes_by_no_entry() -> None:
    together = found(REQUIRED)
    whole = Findings("old", "new", "", "", (), together.together, (), compared=1)
    assert [direction for _, direction in forbidden(whole, Policy(allow=(ANY,)), "major")] == ["old_to_new"]
