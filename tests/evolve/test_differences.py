"""Each difference by itself: what it is called, where it is, and that it alone is made."""

from __future__ import annotations

import pytest

from bindproof.evolve.difference import differences, made
from tests.evolve.schemas_of import Json, each, side, together


def told(old: Json, new: Json) -> list[tuple[str, str]]:
    return [(one.kind, one.pointer) for one in differences(side(s=old), side(s=new))]


def test_a_reference_to_what_one_difference_takes_away_is_answered() -> None:
    """Made alone, that difference leaves a schema that no validator can use."""
    there = {"type": "object", "properties": {"a": {"$ref": "#/x/y"}}, "x": {"y": {"type": "string"}}}
    moved = {"type": "object", "properties": {"a": {"$ref": "#/z"}}, "z": {"type": "integer"}}
    found = {one.difference.kind: one.old_to_new.grade for one in each(there, moved) if one.difference}
    assert found == {
        "$ref changed": "UNKNOWN",
        "unknown keyword x removed": "UNKNOWN",
        "unknown keyword z added": "UNKNOWN",
    }
    assert together(there, moved).old_to_new.witness == {"a": "a"}


@pytest.mark.parametrize(
    "what", [{"pattern": 3}, {"required": 7}, {"properties": [1]}, {"type": {}}, {"enum": 1}, {"allOf": 3}]
)
def test_a_reference_to_what_is_no_schema_is_answered(what: Json) -> None:
    old, new = ({"properties": {"a": {"$ref": "#/x/y"}}, "x": {"y": y}} for y in ({"type": "string"}, what))
    for writer, reader in ((old, new), (new, old)):
        assert together(writer, reader).old_to_new.grade == "UNKNOWN"
        assert each(writer, reader)


@pytest.mark.parametrize(
    ("old", "new", "kind", "pointer"),
    [
        ({"maximum": 1}, {"maximum": 2}, "maximum raised", "/maximum"),
        ({"minLength": 2}, {"minLength": 1}, "minLength lowered", "/minLength"),
        ({"enum": ["a"]}, {"enum": ["a", "b"]}, "enum value added", "/enum"),
        ({"enum": ["a", "b"]}, {"enum": ["b", "a"]}, "enum reordered", "/enum"),
        ({"type": ["string", "null"]}, {"type": "string"}, "type type removed", "/type"),
        ({"required": ["a"]}, {"required": ["b"]}, "required name changed", "/required"),
        ({"anyOf": [{}]}, {"anyOf": [{}, {}]}, "anyOf gained", "/anyOf"),
        ({"anyOf": [{}, {"type": "null"}]}, {"anyOf": [{"type": "null"}, {}]}, "anyOf reordered", "/anyOf"),
        ({"x-y": 1}, {}, "unknown keyword x-y removed", "/x-y"),
        ({"const": 1}, {"const": True}, "const changed", "/const"),
        ({"const": 1}, {"const": 1.0}, "const changed", "/const"),
    ],
)
def test_a_keyword_that_differs_is_one_difference(old: Json, new: Json, kind: str, pointer: str) -> None:
    assert told(old, new) == [(kind, pointer)]


def test_words_differ_in_nothing() -> None:
    assert told({"title": "A", "type": "string"}, {"description": "B", "type": "string"}) == []


def test_a_property_that_is_called_as_a_word_is_one() -> None:
    old, new = ({"properties": {"title": {"type": kind}}} for kind in ("string", "null"))
    assert told(old, new) == [("type type changed", "/properties/title/type")]


def test_a_constant_that_looks_like_a_schema_is_none() -> None:
    old, new = ({"const": {"properties": {"a": {"title": word}}}} for word in "ab")
    assert told(old, new) == [("const changed", "/const")]


def test_a_file_of_one_side_alone_is_a_difference() -> None:
    found = differences(side(a={}, b={}), side(b={}, c={}))
    assert [(one.file, one.kind) for one in found] == [("a.json", "file removed"), ("c.json", "file added")]


def test_a_difference_alone_is_made() -> None:
    old = side(s={"properties": {"a": {"type": "string"}}, "required": ["a"]})
    new = side(s={"properties": {"b": {}}, "minProperties": 1})
    found = differences(old, new)
    assert [one.kind for one in found] == [
        "minProperties added",
        "property removed",
        "property added",
        "required removed",
    ]
    roots = [made(old, new, [one])["s.json"].root for one in found]
    assert roots[0]["minProperties"] == 1
    assert roots[0]["required"] == ["a"]
    assert roots[1]["properties"] == {}
    assert set(roots[2]["properties"]) == {"a", "b"}
    assert "required" not in roots[3]
    assert old["s.json"].root["required"] == ["a"], "the side itself stays as it is"


def test_all_differences_made_come_to_the_new_side() -> None:
    old = side(s={"properties": {"a": {"type": "string"}}, "anyOf": [{"required": ["a"]}]})
    new = side(s={"properties": {"a": {"enum": ["x"]}}, "anyOf": [{"required": ["b"]}], "maxProperties": 3})
    assert differences(side(s=made(old, new, differences(old, new))["s.json"].root), new) == []


def test_a_line_is_that_of_the_side_that_has_the_part() -> None:
    old, new = side(s={"a": 1, "properties": {"x": {}}}), side(s={"a": 1, "properties": {"y": {}, "z": {}}})
    lines = {one.kind + one.pointer: one.line for one in differences(old, new)}
    assert lines == {
        "property removed/properties/x": 4,
        "property added/properties/y": 4,
        "property added/properties/z": 5,
    }


def test_a_fingerprint_goes_by_the_change_and_not_by_its_line_or_words() -> None:
    old = side(s={"maximum": 1})
    plain, worded, other = ({"maximum": 2}, {"title": "t", "maximum": 2}, {"maximum": 3})
    prints = [differences(old, side(s=new))[0].fingerprint for new in (plain, worded, other)]
    assert prints[0] == prints[1] != prints[2]
