from __future__ import annotations

from typing import Any

import pytest

from bindproof.spec.schema_diff import differences

Json = Any

OLD: Json = {"$id": "1", "title": "T", "properties": {"a": {"type": "string"}}, "required": ["a"]}


@pytest.mark.parametrize(
    ("new", "found"),
    [
        (OLD, []),
        (OLD | {"$id": "2", "title": "U", "description": "words"}, []),
        (OLD | {"required": []}, ["/properties/a"]),
        ({key: value for key, value in OLD.items() if key != "required"}, ["/properties/a"]),
        (OLD | {"properties": {"a": {"type": "string"}, "title": {}}}, ["/properties/title"]),
        (OLD | {"properties": {}}, ["/properties/a"]),
        (OLD | {"properties": {"a": {"type": "number", "description": "d"}}}, ["/properties/a/type"]),
        (OLD | {"properties": {"a": {"type": "string", "x/y": 1}}}, ["/properties/a/x~1y"]),
        (OLD | {"additionalProperties": False}, ["/additionalProperties"]),
        (OLD | {"properties": {"a": True}}, ["/properties/a"]),
    ],
)
def test_what_differs_is_pointed_at(new: Json, found: list[str]) -> None:
    assert differences(OLD, new) == found
    assert differences(new, OLD) == found


def test_a_property_named_like_a_keyword_is_a_property() -> None:
    named: Json = {"properties": {"properties": {"title": "x", "type": "string"}, "required": {}}}
    assert differences(named, {"properties": {"properties": {"title": "y", "type": "string"}, "required": {}}}) == []
    assert differences(named, {"properties": {"properties": {"type": "number"}}}) == [
        "/properties/properties/type",
        "/properties/required",
    ]


def test_true_and_one_differ() -> None:
    assert differences({"const": True}, {"const": 1}) == ["/const"]
