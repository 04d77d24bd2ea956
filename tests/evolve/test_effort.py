"""How many schemas are asked of one value: once for each way to one, and without end where one is its own part."""

from __future__ import annotations

import math

import pytest

from bindproof.evolve.effort import asked
from tests.evolve.schemas_of import Json, side

SELF = {"$ref": "#"}


@pytest.mark.parametrize(
    ("schema", "number"),
    [
        ({"type": "string"}, 1),
        ({"allOf": [{}, {"oneOf": [{}, True]}]}, 5),
        ({"allOf": [{"$ref": "#/$defs/a"}] * 2, "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {}}}, 7),
        ({"properties": {"a": SELF}, "items": SELF}, 1),  # of its parts, which end
        ({"anyOf": [{"type": "null"}, SELF]}, 1),  # not of every value
        ({"oneOf": [{"type": "null"}, SELF]}, math.inf),
        ({"allOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"allOf": [{}, SELF]}}}, math.inf),
        ({"$ref": "https://json-schema.org/draft/2020-12/schema"}, 1),
    ],
)
def test_how_many_are_asked(schema: Json, number: float) -> None:
    assert asked(side(s=schema), ("s.json", ())) == number
