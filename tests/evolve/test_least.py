"""A small value is read off a schema, and the schema takes it."""

from __future__ import annotations

import jsonschema
import pytest

from bindproof.evolve.least import Least
from tests.evolve.schemas_of import Json, side


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (True, 0),
        ({"type": "string", "minLength": 2}, "aa"),
        ({"type": "string", "maxLength": 0}, ""),
        ({"type": ["null", "object"]}, None),
        ({"type": "integer", "minimum": 3, "multipleOf": 4}, 4),
        ({"type": "number", "exclusiveMaximum": -1}, -2),
        ({"type": "array", "minItems": 2, "prefixItems": [{"type": "string"}], "items": {"const": 7}}, ["a", 7]),
        ({"type": "array", "contains": {"const": 7}}, [7]),
        ({"type": "object", "required": ["a"], "properties": {"a": {"enum": [5, 6]}}}, {"a": 5}),
        ({"type": "object", "minProperties": 2, "properties": {"a": {"type": "null"}}}, {"a": None, "k0": 0}),
        ({"allOf": [{"type": "object", "required": ["a"]}, {"properties": {"a": {"type": "string"}}}]}, {"a": "a"}),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"const": 1}}}, 1),
        ({"anyOf": [{"type": "string", "format": "ipv4"}, {"type": "null"}]}, "127.0.0.1"),
    ],
)
def test_the_value_is_one_of_the_schemas(schema: Json, value: Json) -> None:
    read = side(s=schema)
    assert Least(read).value(read["s.json"].root) == value
    assert jsonschema.Draft202012Validator(schema).is_valid(value)


def test_a_text_that_matches_is_made() -> None:
    assert jsonschema.Draft202012Validator({"pattern": "^x-[a-f]{3}$"}).is_valid(
        Least({}).value({"type": "string", "pattern": "^x-[a-f]{3}$"})
    )


def test_what_multiplies_at_each_level_ends() -> None:
    schema: Json = {"type": "null"}
    for _ in range(40):
        schema = {"type": "array", "minItems": 50, "items": schema}
    assert len(str(Least({}).value(schema))) < 20_000


def test_what_asks_for_itself_ends() -> None:
    schema = {"type": "object", "required": ["a", "b"], "properties": {"a": {"$ref": "#"}, "b": {"$ref": "#"}}}
    read = side(s=schema)
    assert len(str(Least(read).value(read["s.json"].root))) < 100_000
