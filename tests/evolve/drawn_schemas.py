"""Schemas and values that nobody wrote: small ones of few names and numbers, so that two of them meet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from bindproof.core.model import copied

Json = Any

ATOMS: tuple[Json, ...] = (None, True, False, 0, 1, 2, 3, -1, 0.5, 1.5, "", "a", "b", "ab", "ba", "aa", "aaa")
_LEAVES: tuple[Json, ...] = (True, False, {}, {"type": "string"}, {"type": "integer"}, {"const": 1}, {"minimum": 1})
_TYPES: tuple[Json, ...] = ("string", "integer", "number", "object", "array", "null", ["object", "null"])


def drawn_schema(random: Random) -> Json:
    """A schema with a definition `x`, to which it and its parts may refer."""
    found = _schema(random, 2)
    return {**(found if isinstance(found, dict) else {"allOf": [found]}), "$defs": {"x": _schema(random, 1)}}


def changed(random: Random, schema: Json) -> Json:
    """The schema with one thing less, more or otherwise."""
    found = copied(schema)
    keyword = random.choice([key for key in found if key != "$defs"] or ["$defs"])
    chance = random.random()
    if chance < 0.3 and keyword != "$defs":
        del found[keyword]
    elif chance < 0.5 and keyword != "$defs" and isinstance(found[keyword], dict) and found[keyword]:
        del found[keyword][random.choice(list(found[keyword]))]
    elif chance < 0.6:
        found["$defs"]["x"] = _schema(random, 1)
    else:
        more = _schema(random, 1)
        found.update(more if isinstance(more, dict) else {"not": {}})
    return found


def drawn_values(random: Random, number: int) -> list[Json]:
    """Values of all kinds."""
    return [*ATOMS, [], {}, *(_value(random, 2) for _ in range(number))]


def _value(random: Random, depth: int) -> Json:
    chance = random.random()
    if depth == 0 or chance < 0.4:
        return random.choice(ATOMS)
    if chance < 0.65:
        return [_value(random, depth - 1) for _ in range(random.choice((0, 1, 2, 3)))]
    names = random.sample(["a", "b", "c", "ab", "d"], random.choice((0, 1, 2, 3)))
    return {name: _value(random, depth - 1) for name in names}


def _schema(random: Random, depth: int) -> Json:
    if depth <= 0:
        return random.choice(_LEAVES)
    found: dict[str, Json] = {}
    for _ in range(random.choice((1, 1, 2, 3))):
        keyword = random.choice(list(_KEYWORDS))
        found[keyword] = _KEYWORDS[keyword](random, depth - 1)
        if keyword == "if":
            found["then"], found["else"] = _schema(random, depth - 1), _schema(random, depth - 1)
    return found


def _small(random: Random, _: int) -> Json:
    return random.choice((0, 1, 2))


def _names(random: Random, _: int) -> Json:
    return random.sample("abc", random.choice((1, 2)))


def _two(random: Random, depth: int) -> Json:
    return [_schema(random, depth), _schema(random, depth)]


_KEYWORDS: Mapping[str, Callable[[Random, int], Json]] = {
    "type": lambda random, _: random.choice(_TYPES),
    "enum": lambda random, _: random.sample([1, 2, "a", "b", "", None, True, [], {}, "ab", [1]], 3),
    "const": lambda random, _: random.choice((1, 2, "a", None, [], {}, True, 0, [1, "a"], {"a": 1})),
    "properties": lambda random, depth: {name: _schema(random, depth) for name in _names(random, depth)},
    "patternProperties": lambda random, depth: {random.choice(("^a", "b$", ".")): _schema(random, depth)},
    "additionalProperties": _schema,
    "required": _names,
    "items": _schema,
    "prefixItems": _two,
    "contains": _schema,
    "minContains": _small,
    "maxContains": _small,
    "minItems": _small,
    "maxItems": _small,
    "uniqueItems": lambda random, _: True,
    "minimum": _small,
    "exclusiveMinimum": _small,
    "maximum": _small,
    "multipleOf": lambda random, _: random.choice((1, 2, 0.5)),
    "minLength": _small,
    "maxLength": _small,
    "pattern": lambda random, _: random.choice(("^a", "a$", "^a*$", "b", "^$")),
    "propertyNames": _schema,
    "minProperties": _small,
    "maxProperties": _small,
    "dependentRequired": lambda random, _: {random.choice("ab"): [random.choice("abc")]},
    "dependentSchemas": lambda random, depth: {random.choice("ab"): _schema(random, depth)},
    "allOf": _two,
    "anyOf": _two,
    "oneOf": _two,
    "not": _schema,
    "if": _schema,
    "unevaluatedProperties": _schema,
    "unevaluatedItems": _schema,
    "$ref": lambda random, _: "#/$defs/x",
}
