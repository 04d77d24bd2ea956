"""Unions of tagged objects are compared branch by branch, however many there are and whatever is in them."""

from __future__ import annotations

import os
from random import Random

import jsonschema
import pytest

from bindproof.evolve.pairing import takes_all
from bindproof.evolve.proof import covers
from tests.evolve.schemas_of import Json, each, side, together, word

ODD = {"type": "string", "pattern": "^[a-z]+(?<!x)$"}
"""What the library has no answer about, where anything else is around it."""


def tagged(number: int, **more: Json) -> Json:
    properties = {"t": {"const": f"k{number}"}, "v": {**ODD, **more}}
    return {"type": "object", "properties": properties, "required": ["t"], "additionalProperties": False}


MANY = [tagged(number) for number in range(100)]


@pytest.mark.long
def test_a_branch_that_came_among_a_hundred_is_proved_to_take_nothing_away() -> None:
    old, new = {"oneOf": MANY}, {"oneOf": [*MANY[:50], tagged(100), *MANY[50:]]}
    found = together(old, new)
    assert (found.old_to_new.grade, word(found.old_to_new)) == ("PROVED", "safe")
    assert found.new_to_old.witness == {"t": "k100"}


@pytest.mark.long
def test_of_a_branch_that_takes_less_among_a_hundred_there_is_a_witness() -> None:
    (found,) = each({"oneOf": MANY}, {"oneOf": [*MANY[:-1], tagged(99, maxLength=3)]})
    assert (found.new_to_old.grade, word(found.new_to_old)) == ("PROVED", "safe")
    assert set(found.old_to_new.witness) == {"t", "v"}
    assert len(found.old_to_new.witness["v"]) > 3


@pytest.mark.parametrize(
    ("narrow", "wide", "proved"),
    [
        ([1, 2], [2, 1], True),
        ([1], [1, 2], True),
        ([1, 2], [1], None),
        ([1], [3, 2], None),
    ],
)
def test_a_branch_goes_to_the_one_with_its_tag(narrow: list[int], wide: list[int], proved: bool | None) -> None:
    left, right = ({"anyOf": [tagged(number) for number in one]} for one in (wide, narrow))
    assert takes_all(left, right) is (proved or covers(left, right))


def test_a_branch_that_takes_more_than_the_one_with_its_tag_is_not_proved() -> None:
    wide, narrow = ({"anyOf": [tagged(1, minLength=least), tagged(2)]} for least in (3, 2))
    assert takes_all(wide, narrow) is not True


@pytest.mark.parametrize("beside", [{}, {"maxProperties": 2}])
def test_what_stands_beside_the_branches_has_to_be_the_same(beside: Json) -> None:
    wide = {"anyOf": [tagged(1), tagged(2)], "maxProperties": 1}
    assert takes_all(wide, {"anyOf": wide["anyOf"], **beside}) is not True


def test_a_branch_that_names_less_takes_less_where_what_no_branch_names_is_refused() -> None:
    named = [{"type": "object", "properties": {"t": {"const": text}}, "required": ["t"]} for text in ("a", "b")]
    more = [{**branch, "properties": {**branch["properties"], "v": True}} for branch in named]  # type: ignore[dict-item]
    wide, narrow = ({"anyOf": branches, "unevaluatedProperties": False} for branches in (named, more))
    assert takes_all(wide, narrow) is not True


def test_branches_that_a_value_may_satisfy_two_of_stay_a_oneof() -> None:
    both = {"oneOf": [{"type": "object", "required": ["t"]}, tagged(1)]}
    assert word(together({"oneOf": [tagged(1)]}, both).old_to_new) == "breaking"
    assert side(s=both)


def drawn_union(random: Random) -> Json:
    """A union whose branches mostly have a tag, at times one that they share, do not ask for, or are no objects."""
    branches = []
    for text in random.sample("abcd", random.choice((2, 3))):
        tag: Json = random.choice(({"const": text}, {"const": text}, {"enum": [text, random.choice("abcd")]}, {}))
        values = random.choice(({"type": "string"}, {"type": "integer"}, {"minimum": 1}, {"enum": [1, "x"]}, True))
        kind = "object" if random.random() < 0.9 else ["object", "null"]
        wanted = random.choice((["t"], ["t"], ["t", "v"], []))
        branches.append({"type": kind, "properties": {"t": tag, "v": values}, "required": wanted})
    more = {"maxProperties": random.choice((1, 2))} if random.random() < 0.3 else {}
    rest = {"unevaluatedProperties": random.choice((False, {"type": "string"}))} if random.random() < 0.2 else {}
    return {random.choice(("oneOf", "oneOf", "anyOf")): branches, **more, **rest}


VALUES: list[Json] = [None, 1, "a", {}] + [
    {"t": tag, **more, **other}
    for tag in ("a", "b", "c", "d", 1)
    for more in ({}, {"v": "x"}, {"v": 1}, {"v": 0}, {"v": None})
    for other in ({}, {"w": 1}, {"w": "y"})
]


def refuted(seed: int) -> list[Json]:
    """Values that refute a proof about two drawn unions, as a validator of its own says."""
    random = Random(seed)
    old, other = drawn_union(random), drawn_union(random)
    word_ = "oneOf" if "oneOf" in old else "anyOf"
    branches = [*old[word_], *other.get("oneOf", other.get("anyOf"))][random.choice((0, 1)) : random.choice((2, 3, 6))]
    new = {**old, word_: random.sample(branches, len(branches))}
    found = together(old, new, tries=0)
    takes, reads = (jsonschema.Draft202012Validator(schema).is_valid for schema in (old, new))
    there = [value for value in VALUES if takes(value) and not reads(value)] if found.old_to_new.is_safe else []
    back = [value for value in VALUES if reads(value) and not takes(value)] if found.new_to_old.is_safe else []
    return [[old, new, value] for value in there + back]


@pytest.mark.long
def test_no_proof_about_drawn_unions_is_refuted() -> None:
    assert [found for seed in range(60) for found in refuted(seed)] == []


UNIONS = int(os.environ.get("BINDPROOF_UNIONS", "300"))
"""So many unions are drawn. Three thousand take a quarter of a minute."""


@pytest.mark.long
def test_no_proof_about_many_drawn_unions_is_refuted() -> None:
    assert [found for seed in range(1000, 1000 + UNIONS) for found in refuted(seed)] == []
