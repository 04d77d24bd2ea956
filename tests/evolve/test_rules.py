"""Where a break is looked for first: the order of work, of which no answer depends."""

from __future__ import annotations

import pytest

from bindproof.evolve.rules import may_refuse
from tests.evolve.schemas_of import Json, comparison

OPEN: Json = {"type": "object", "properties": {"a": {"type": "string"}}}


def with_b(part: Json) -> Json:
    return {**OPEN, "properties": {**OPEN["properties"], "b": part}}


@pytest.mark.parametrize(
    ("old", "new", "there", "back"),
    [
        ({"type": "integer"}, {"type": "number"}, False, True),
        ({"const": 1}, {"const": 1.0}, False, False),
        ({"const": 1}, {"const": 2}, True, True),
        ({"const": 1}, {"const": True}, True, True),
        (OPEN, with_b({}), False, False),
        (OPEN, with_b({"type": "string"}), True, False),
        (with_b(False), with_b(True), False, True),
        (with_b(False), with_b({"type": "string"}), False, True),
        ({"enum": ["a"]}, {"enum": ["a", "b"]}, False, True),
        ({"maxLength": 2}, {"maxLength": 1}, True, False),
    ],
)
def test_a_break_is_looked_for_first_where_there_may_be_one(old: Json, new: Json, there: bool, back: bool) -> None:
    (one,) = comparison(old, new).differences
    assert may_refuse(one, "old_to_new", closed=False) is there
    assert may_refuse(one, "new_to_old", closed=False) is back
