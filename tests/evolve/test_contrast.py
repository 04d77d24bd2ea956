"""What two schemas tell of their difference, read off their keywords: mostly the first value shows the break."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import jsonschema
import pytest

from bindproof.evolve.contrast import MOST, contrasts
from tests.evolve.decisions import cases
from tests.evolve.schemas_of import Json, side

S = ("s.json", ())


def read_off(writer: Json, reader: Json) -> Iterator[Json]:
    return contrasts(side(s=writer), side(s=reader), S)


def shows(writer: Json, reader: Json, value: Json) -> bool:
    takes, reads = (jsonschema.Draft202012Validator(schema).is_valid for schema in (writer, reader))
    return takes(value) and not reads(value)


NAMED = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}}


@pytest.mark.parametrize(
    ("writer", "reader", "value"),
    [
        (NAMED, {**NAMED, "required": ["a"]}, {}),
        (NAMED, {**NAMED, "properties": {"a": {"type": "string"}, "b": {"type": "null"}}}, {"b": 0}),
        ({**NAMED, "required": ["a"]}, {**NAMED, "required": ["a", "b"]}, {"a": "a"}),
        (NAMED, {"type": "object", "properties": NAMED["properties"], "additionalProperties": False}, {"x": 0}),
        ({"enum": ["a", "b"]}, {"enum": ["a"]}, "b"),
        ({"const": "a"}, {"const": "b"}, "a"),
        ({"type": "string"}, {"enum": ["", "a"]}, "other"),
        ({"type": "string"}, {"type": "string", "maxLength": 3}, "aaaa"),
        ({"type": "string", "minLength": 1}, {"type": "string", "minLength": 3}, "a"),
        ({"type": "integer"}, {"type": "integer", "minimum": 5}, 0),
        ({"type": "integer", "minimum": 3}, {"type": "integer", "maximum": 8}, 9),
        ({"type": "number"}, {"type": "integer"}, 0.5),
        ({"type": "integer"}, {"type": "integer", "multipleOf": 3}, 1),
        ({"type": "array"}, {"type": "array", "maxItems": 1}, [0, 0]),
        ({"type": "array"}, {"type": "array", "uniqueItems": True}, [0, 0]),
        ({"type": "array"}, {"type": "array", "items": {"type": "string"}}, [0]),
        ({"type": "array"}, {"type": "array", "prefixItems": [True, {"type": "string"}]}, [0, 0]),
        ({"type": "array"}, {"type": "array", "contains": {"type": "string"}}, []),
        ({"type": "object"}, {"type": "object", "propertyNames": {"maxLength": 2}}, {"aaa": 0}),
        ({"type": "object"}, {"type": "object", "dependentRequired": {"a": ["b"]}}, {"a": 0}),
        ({"type": "object"}, {"patternProperties": {"^ab$": {"type": "string"}}}, {"ab": 0}),
        ({"type": "string"}, {"not": {"const": "rare"}}, "rare"),
        ({"anyOf": [{"type": "null"}, {"type": "string"}]}, {"anyOf": [{"type": "null"}]}, "a"),
        ({"type": "integer"}, {"oneOf": [{"type": "integer"}, {"type": "number"}]}, 0),
        ({"type": "string", "pattern": "^ab+$"}, {"type": "string", "pattern": "^abbbbbbbbbbb$"}, None),
    ],
)
def test_one_of_the_first_values_shows_the_break(writer: Json, reader: Json, value: Json) -> None:
    first = [one for one in islice(read_off(writer, reader), 8) if shows(writer, reader, one)]
    assert first
    assert value is None or value in first


@pytest.mark.parametrize(
    ("writer", "reader"),
    [
        ({**NAMED, "required": ["a"]}, NAMED),
        ({"enum": ["a"]}, {"enum": ["a", "b"]}),
        ({"type": "integer", "minimum": 3}, {"type": "integer", "minimum": 1}),
        ({"type": "string"}, {"type": ["string", "null"]}),
        ({"type": "array", "maxItems": 2}, {"type": "array", "maxItems": 3}),
    ],
)
def test_nothing_is_read_off_where_the_reader_takes_more(writer: Json, reader: Json) -> None:
    """So a proof that follows costs nothing more: no validator is begun with."""
    assert list(read_off(writer, reader)) == []


def test_a_change_behind_references_is_seen() -> None:
    old, new = (
        {"type": "object", "properties": {"a": {"$ref": "#/$defs/b"}}, "$defs": {"b": {"items": {"enum": values}}}}
        for values in ([1, 2], [1])
    )
    assert {"a": [2]} in list(read_off(old, new))


@pytest.mark.long
def test_unions_of_unions_end() -> None:
    def union(depth: int, last: Json) -> Json:
        return {"anyOf": [union(depth - 1, last) for _ in range(8)]} if depth else last

    found = list(read_off(union(4, {"type": "string"}), union(4, {"maxLength": 3, "type": "string"})))
    assert 0 < len(found) <= MOST


def test_most_witnesses_of_the_catalogue_are_read_off() -> None:
    decisions = [
        pair
        for case in cases()
        if case.file in {"objects", "values", "bounds", "lists"}
        for pair in ((case.old, case.new, case.old_to_new), (case.new, case.old, case.new_to_old))
    ]
    breaking = [(writer, reader) for writer, reader, expected in decisions if expected == "breaking"]
    found = [any(shows(*pair, value) for value in read_off(*pair)) for pair in breaking]
    assert sum(found) > 0.9 * len(found)
