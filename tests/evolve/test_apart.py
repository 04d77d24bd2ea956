"""Branches that no value can satisfy two of: only by types and tags that every side has."""

from __future__ import annotations

import pytest

from bindproof.evolve.apart import apart
from tests.evolve.schemas_of import Json, each, side

TEXT, NUMBER, OBJECT = {"type": "string"}, {"type": "integer"}, {"type": "object"}


def tagged(tag: Json, *, key: str = "t", required: bool = True) -> Json:
    return {"type": "object", "properties": {key: tag}, **({"required": [key]} if required else {})}


A, B = tagged({"const": "a"}), tagged({"const": "b"})


@pytest.mark.parametrize(
    ("old", "new", "is_so"),
    [
        ([TEXT, NUMBER], None, True),
        ([TEXT, NUMBER, OBJECT], None, True),
        ([NUMBER, {"type": "number"}], None, False),
        ([TEXT, {}], None, False),
        ([TEXT, True], None, False),
        ([{"const": 1}, {"enum": [1.0, 2]}], None, False),
        ([{"const": None}, {"enum": [True]}], None, True),
        ([A, B], None, True),
        ([A, tagged({"enum": ["b", "a"]})], None, False),
        ([A, tagged({"const": "b"}, required=False)], None, False),
        ([A, tagged({"const": "b"}, key="u")], None, False),
        ([tagged({"const": 1}), tagged({"const": 1.0})], None, False),
        ([{**A, "type": ["object", "null"]}, {**B, "type": ["object", "null"]}], None, False),
        ([TEXT, NUMBER], [NUMBER, TEXT], False),  # one of them made alone, both branches would be of one type
        ([A, B], [B, A], False),
        ([TEXT, NUMBER], [TEXT, NUMBER, OBJECT], True),
        ([{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}], None, True),
    ],
)
def test_branches_exclude_each_other_by_their_types_and_tags(old: Json, new: Json, is_so: bool) -> None:
    sides = [side(s={"oneOf": branches, "$defs": {"a": A, "b": B}}) for branches in (old, new or old)]
    assert apart(sides, ("s.json", ())) is is_so


def test_what_changes_inside_such_a_branch_is_proved_by_itself() -> None:
    def of(inner: Json) -> Json:
        deep = {"type": "object", "properties": {"d": {"pattern": "^(?=x)", **inner}}}
        return {"oneOf": [{"type": "array", "items": deep}, TEXT], "minItems": 1}

    (found,) = each(of({"type": "string"}), of({"type": ["string", "null"]}))
    assert found.old_to_new.grade == "PROVED"
    assert found.old_to_new.is_safe
    assert found.new_to_old.grade == "WITNESS"
