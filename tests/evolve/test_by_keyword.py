"""What is proved keyword by keyword, and that no value refutes it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import jsonschema
import pytest

from bindproof.evolve.by_keyword import takes_all_by_keyword
from bindproof.evolve.flat import flat
from tests.evolve.schemas_of import Json, side

SHORT = {"type": "string", "pattern": "^a+$"}
SHORTER = {"type": "string", "pattern": "^aa$"}


def proved(narrow: Json, wide: Json) -> bool:
    forms = [flat(side(s=schema), ("s.json", ())) for schema in (wide, narrow)]
    return takes_all_by_keyword(*forms) is True


def tree(item: Json, **more: Json) -> Json:
    return {"type": "object", "properties": {"value": item, "next": {"$ref": "#"}}, **more}


def unrolled(item: Json) -> Json:
    inner = {"type": "object", "properties": {"value": item, "next": {"$ref": "#/$defs/t"}}}
    return {**inner, "$defs": {"t": inner}}


def counted(schema: Json, **more: Json) -> Json:
    return {"type": "array", "contains": schema, **more}


@pytest.mark.parametrize(
    ("narrow", "wide"),
    [
        (SHORTER, SHORT),
        ({"properties": {"a": SHORTER}}, {"properties": {"a": SHORT, "b": True}}),
        ({"patternProperties": {"^x": SHORTER}}, {"patternProperties": {"^x": SHORT}}),
        ({"additionalProperties": SHORTER}, {"additionalProperties": SHORT}),
        ({"items": SHORTER}, {"prefixItems": [SHORT], "items": SHORT}),
        ({"prefixItems": [SHORTER], "items": False}, {"items": SHORT}),
        ({"propertyNames": SHORTER}, {"propertyNames": SHORT}),
        ({"not": SHORT}, {"not": SHORTER}),
        ({"anyOf": [SHORTER, {"type": "null"}]}, {"anyOf": [{"type": ["null", "integer"]}, SHORT]}),
        (SHORTER, {"anyOf": [{"type": "integer"}, SHORT]}),
        ({"allOf": [SHORTER, {"maxLength": 3}]}, {"allOf": [{"maxLength": 4}, SHORT]}),
        ({"dependentSchemas": {"a": {"items": SHORTER}}}, {"dependentSchemas": {"a": {"items": SHORT}}}),
        (counted(SHORTER), counted(SHORT)),
        (counted(SHORT, minContains=0, maxContains=1), counted(SHORTER, minContains=0, maxContains=2)),
        (counted(SHORT, minContains=2, maxContains=2), counted(SHORT, maxContains=3)),
        ({"type": "string", "pattern": "^(a|b)$"}, {"enum": ["a", "b", 1]}),
        (tree(SHORTER), tree(SHORT)),
        (tree(SHORTER), unrolled(SHORT)),
        (unrolled(SHORTER), tree(SHORT)),
        (tree(SHORTER, required=["value"]), tree(SHORT)),
    ],
)
def test_more_is_taken_though_the_library_does_not_know(narrow: Json, wide: Json) -> None:
    assert proved(narrow, wide)


@pytest.mark.parametrize(
    ("narrow", "wide"),
    [
        (SHORT, SHORTER),
        ({"pattern": "^aa$", "type": ["string", "null"]}, SHORT),
        ({"properties": {"a": SHORTER}}, {"properties": {"a": SHORT, "b": SHORT}}),
        ({"properties": {"a": SHORTER}}, {"properties": {"a": SHORT}, "patternProperties": {"^b": SHORT}}),
        (
            {"properties": {"b": True}, "patternProperties": {"^x": SHORTER}, "additionalProperties": False},
            {"patternProperties": {"^x": SHORTER}, "additionalProperties": {"type": "null"}},
        ),
        ({"prefixItems": [SHORTER]}, {"items": SHORT}),
        ({"not": SHORTER}, {"not": SHORT}),
        ({"anyOf": [SHORTER, {"type": "null"}]}, {"anyOf": [{"type": "integer"}, SHORT]}),
        (counted(SHORTER, maxContains=1), counted(SHORT, maxContains=1)),
        (counted(SHORT, maxContains=1), counted(SHORTER, maxContains=1)),
        (counted(SHORT, maxContains=2), counted(SHORT, maxContains=1)),
        (counted(SHORT, minContains=0), counted(SHORT)),
        ({"type": "array"}, counted(SHORT, minContains=0, maxContains=1)),
        ({"pattern": "^(a|b)$"}, {"enum": ["a", "b"]}),
        ({"type": "string", "pattern": "^(a|b|c)$"}, {"enum": ["a", "b"]}),
        (tree(SHORT), tree(SHORTER)),
        (tree(SHORTER), tree(SHORT, required=["next"])),
        ({"items": SHORTER}, {"items": SHORT, "unevaluatedItems": False}),
    ],
)
def test_what_is_not_so_is_not_proved(narrow: Json, wide: Json) -> None:
    assert not proved(narrow, wide)


@pytest.mark.parametrize(
    "asking",
    [
        {"$ref": "#/$defs/a", "$defs": {"a": {"allOf": [{"$ref": "#/$defs/a"}, SHORT]}}},
        {"$ref": "#/$defs/a", "$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}, SHORT]}}},
    ],
)
def test_what_asks_itself_of_the_same_value_proves_nothing_by_that(asking: Json) -> None:
    other = {**asking, "$defs": {"a": {**asking["$defs"]["a"], "maxLength": 9}}}
    assert not proved(asking, other)


def drawn(random: Random, depth: int = 0) -> Json:
    """A schema of what the rules speak of."""
    leaves: list[Json] = [
        {"type": "string", "pattern": random.choice(("^a+$", "^aa$", "^(a|b)$", "b", "^[ab]{1,2}$"))},
        {"enum": random.sample(["a", "b", "aa", 1, None], 2)},
        {"type": random.choice(("string", "integer", ["string", "null"]))},
        {"$ref": "#"},
        True,
    ]
    if depth > 2 or random.random() < 0.3:
        return random.choice(leaves)

    def inner() -> Json:
        return drawn(random, depth + 1)

    kinds: list[Callable[[], Json]] = [
        lambda: {"properties": {name: inner() for name in random.sample("abx", 2)}},
        lambda: {"properties": {"a": inner()}, "additionalProperties": inner()},
        lambda: {"patternProperties": {"^x": inner()}, "properties": {random.choice("ax"): inner()}},
        lambda: {"items": inner(), "prefixItems": [inner()]},
        lambda: counted(inner(), minContains=random.choice((0, 1, 2)), maxContains=random.choice((1, 2, 3))),
        lambda: {"anyOf": [inner(), inner()]},
        lambda: {"allOf": [inner(), inner()]},
        lambda: {"not": inner()},
        lambda: {"propertyNames": inner()},
        lambda: {"required": [random.choice("abx")], "properties": {"b": inner()}},
    ]
    return random.choice(kinds)()


def varied(random: Random, schema: Json) -> Json:
    """The schema with some parts of it drawn anew, or gone."""
    if not isinstance(schema, dict):
        return schema
    if random.random() < 0.15:
        return drawn(random, 2)
    found: dict[str, Json] = {}
    for key, item in schema.items():
        if random.random() < 0.07:
            continue
        if key in {"properties", "patternProperties"}:
            found[key] = {name: varied(random, one) for name, one in item.items()}
        elif key in {"anyOf", "allOf", "prefixItems"}:
            found[key] = [varied(random, one) for one in item]
        elif key in {"minContains", "maxContains"}:
            found[key] = max(0, item + random.choice((-1, 0, 0, 1)))
        else:
            found[key] = varied(random, item)
    return found


def drawn_value(random: Random, depth: int = 0) -> Json:
    if depth > 2 or random.random() < 0.4:
        return random.choice(["a", "aa", "b", "ab", "", 1, 2, None, True])
    if random.random() < 0.5:
        return [drawn_value(random, depth + 1) for _ in range(random.choice((0, 1, 2, 3)))]
    return {
        name: drawn_value(random, depth + 1) for name in random.sample(["a", "b", "x", "xa"], random.choice((0, 1, 2)))
    }


def may_ask_itself(schema: Json) -> bool:
    """Tell whether a schema may ask the root of the value that the root is asked of."""
    if not isinstance(schema, dict):
        return False
    inner = [*schema.get("anyOf", ()), *schema.get("allOf", ()), *([schema["not"]] if "not" in schema else ())]
    return "$ref" in schema or any(map(may_ask_itself, inner))


@pytest.mark.long
def test_no_proof_about_drawn_schemas_is_refuted() -> None:
    count = 0
    for seed in range(400):
        random = Random(seed)
        narrow = drawn(random)
        wide = varied(random, narrow)
        if narrow == wide or any(map(may_ask_itself, (narrow, wide))) or not proved(narrow, wide):
            continue
        count += 1
        takes, reads = (jsonschema.Draft202012Validator(one).is_valid for one in (narrow, wide))
        values = [drawn_value(random) for _ in range(100)]
        assert [value for value in values if takes(value) and not reads(value)] == [], (seed, narrow, wide)
    assert count > 60
