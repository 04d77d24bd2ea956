"""A small value that a schema takes, read off its keywords and not searched for.

Enters: the Schemas of one side, schemas in them. Leaves: values that nobody has held against the schema yet: what
cannot be read off a keyword, such as `not`, is passed over.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from random import Random
from typing import Final

from bindproof.core.model import Json
from bindproof.evolve.chains import end_of
from bindproof.evolve.matching import matching
from bindproof.evolve.schemas import Schemas, dynamic_targets, node_at, target_of
from bindproof.evolve.vocabulary import LONGEST, dict_of, is_number, list_of

KINDS: Final = ("integer", "fraction", "string", "null", "boolean", "array", "object")
"""Kinds of values, the simplest first. A `number` is an integer or a fraction."""

FORMATS: Final[Mapping[str, tuple[str, ...]]] = {
    "date": ("2024-02-29", "2023-01-01"),
    "date-time": ("2024-02-29T12:00:00Z",),
    "time": ("12:00:00Z",),
    "duration": ("P1D",),
    "email": ("a@b.co",),
    "hostname": ("a.example",),
    "ipv4": ("127.0.0.1",),
    "ipv6": ("::1",),
    "uri": ("http://a.example/b",),
    "uri-reference": ("/a", "http://a.example/"),
    "uuid": ("01234567-89ab-cdef-0123-456789abcdef",),
    "regex": ("a+",),
    "json-pointer": ("/a",),
}
"""Texts of each format."""

NOTHING: Final[dict[str, Json]] = {"enum": []}
"""A schema object that takes nothing, as `false` does."""

_WRITTEN_IN: Final = frozenset({"$ref", "$dynamicRef", "allOf"})

_MOST_WRITTEN_IN: Final = 100
"""Schemas that are written into one."""

_ROOM: Final = 2000
"""Parts of a value, about: what a schema asks for may multiply at each level."""

_ALL: Final = frozenset(KINDS)


class Least:
    """Reads the schemas of one side. longest: characters of a text and items of a list, where a bound asks for many."""

    def __init__(self, schemas: Schemas, longest: int = LONGEST) -> None:
        self._schemas = schemas
        self.longest: Final = longest

    def plain(self, schema: Json) -> dict[str, Json]:
        """Return a schema as an object, with what it refers to and its `allOf` written into it, as far as that goes."""
        if not isinstance(schema, dict):
            return {} if schema is True else NOTHING
        if _WRITTEN_IN.isdisjoint(schema):
            return schema
        found = {key: item for key, item in schema.items() if key not in _WRITTEN_IN}
        waiting = list(self._parts(schema))
        for _ in range(_MOST_WRITTEN_IN):
            if not waiting:
                break
            part = waiting.pop()
            if isinstance(part, dict):
                waiting.extend(self._parts(part))
                _write_into(found, part)
            elif part is False:
                found |= NOTHING
        return found

    def _parts(self, schema: dict[str, Json]) -> Iterator[Json]:
        yield from list_of(schema.get("allOf"))
        for keyword in ("$ref", "$dynamicRef"):
            reference = schema.get(keyword)
            if isinstance(reference, str):
                meant = (
                    dynamic_targets(self._schemas, reference) if keyword == "$dynamicRef" else [target_of(reference)]
                )
                if not meant or meant[0] is None:
                    continue
                with suppress(LookupError, TypeError, ValueError):  # where one difference is made, it may be gone
                    yield node_at(self._schemas, end_of(self._schemas, meant[0]))

    def chosen(self, plain: dict[str, Json], keyword: str, branch: Json) -> dict[str, Json]:
        """Return a plain schema with one branch of its union in the place of the union."""
        return self.plain({**{key: item for key, item in plain.items() if key != keyword}, "allOf": [branch]})

    def value(self, schema: Json, kind: str = "", room: int = _ROOM) -> Json:
        """Return a small value that a schema might take. kind: of which kind; unless said, the simplest of its own."""
        plain = self.plain(schema)
        if room <= 0:
            return 0
        if "const" in plain:
            return plain["const"]
        if list_of(plain.get("enum")):
            return plain["enum"][0]
        for keyword in ("anyOf", "oneOf"):
            if list_of(plain.get(keyword)):
                return self.value(self.chosen(plain, keyword, plain[keyword][0]), kind, room - 1)
        kind = kind or next((one for one in KINDS if one in kinds_of(plain)), "null")
        if kind == "object":
            return self.members(plain, room)
        if kind == "array":
            return self.items(plain, room)
        if kind == "string":
            return least_text(plain, self.longest)
        if kind in {"integer", "fraction"}:
            return least_number(plain) + (0.5 if kind == "fraction" else 0)
        return False if kind == "boolean" else None

    def members(self, plain: dict[str, Json], room: int = _ROOM) -> dict[str, Json]:
        """Return the object of which a plain schema asks for each member."""
        names = [name for name in list_of(plain.get("required")) if isinstance(name, str)]
        each = room // (len(names) + 1)
        found = {name: self.value(self.member(plain, name), room=each) for name in names}
        least = plain.get("minProperties")
        if is_number(least):
            known = [name for name in dict_of(plain.get("properties")) if name not in found]
            names = known + [f"k{number}" for number in range(int(min(least, self.longest)))]
            for name in names[: max(0, int(min(least, self.longest)) - len(found))]:
                found[name] = self.value(self.member(plain, name), room=each)
        return found

    def items(self, plain: dict[str, Json], room: int = _ROOM) -> list[Json]:
        """Return the shortest list that a plain schema might take."""
        least = plain.get("minItems")
        count = int(min(least, self.longest)) if is_number(least) else 0
        if not count:
            return [self.value(plain["contains"], room=room - 1)] if "contains" in plain else []
        each = room // (count + 1)
        first = [self.value(schema, room=each) for schema in first_of(plain)[:count]]
        if len(first) == count:
            return first
        rest = self.value(rest_of(plain), room=each)
        return first + [rest] * (count - len(first))

    @staticmethod
    def member(plain: dict[str, Json], name: str) -> Json:
        """Return the schema that a plain schema asks of a member; of its patterns none is looked at."""
        named = dict_of(plain.get("properties"))
        return named[name] if name in named else others_of(plain)


def _write_into(found: dict[str, Json], part: dict[str, Json]) -> None:
    """Add the keywords of another schema that is asked too; of two that meet the first stays, but for some."""
    for key, item in part.items():
        if key in _WRITTEN_IN:
            continue
        if key == "properties" and isinstance(found.get(key), dict) and isinstance(item, dict):
            found[key] = {**item, **found[key]}
        elif key == "required" and isinstance(found.get(key), list) and isinstance(item, list):
            found[key] = [*found[key], *item]
        else:
            found.setdefault(key, item)


def kinds_of(plain: dict[str, Json]) -> frozenset[str]:
    """Return the kinds of values that a plain schema names in `type`; all, where it names none."""
    said = plain.get("type")
    return _ALL if said is None else _kinds(said if isinstance(said, str) else tuple(list_of(said)))


@lru_cache(maxsize=64)
def _kinds(said: str | tuple[str, ...]) -> frozenset[str]:
    named = {said} if isinstance(said, str) else set(said)
    return frozenset(named | {"integer", "fraction"} if "number" in named else named) & _ALL


def others_of(plain: dict[str, Json]) -> Json:
    """Return what a plain schema asks of members that it does not name."""
    return plain.get("additionalProperties", plain.get("unevaluatedProperties", True))


def first_of(plain: dict[str, Json]) -> list[Json]:
    """Return what a plain schema asks of the first items of a list, one after the other, in either draft's words."""
    items = plain.get("items")
    return list_of(plain.get("prefixItems")) or list_of(items)


def rest_of(plain: dict[str, Json]) -> Json:
    """Return what a plain schema asks of the items behind the first."""
    keyword = "additionalItems" if isinstance(plain.get("items"), list) else "items"
    return plain.get(keyword, plain.get("unevaluatedItems", True))


def least_text(plain: dict[str, Json], longest: int = LONGEST) -> str:
    """Return a short text; one letter is easier to read than none. longest: of a text that a bound asks for."""
    if "pattern" in plain and (found := sample(plain["pattern"])) is not None:
        return found
    if plain.get("format") in FORMATS:
        return FORMATS[plain["format"]][0]
    least, most = plain.get("minLength"), plain.get("maxLength")
    if is_number(most) and most < 1:
        return ""
    return "a" * int(min(least, longest)) if is_number(least) and least > 1 else "a"


@lru_cache(maxsize=256)
def sample(pattern: str) -> str | None:
    """Return one text that a pattern might match."""
    return matching(Random(pattern), pattern)  # noqa: S311 - the same every time


def least_number(plain: dict[str, Json]) -> int | float:
    """Return an integer that is near to nought."""
    value: int | float = 0
    low, above, high, below, step = (
        item if is_number(item := plain.get(key)) else None
        for key in ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf")
    )
    if low is not None:
        value = max(value, math.ceil(low))
    if above is not None:
        value = max(value, math.floor(above) + 1)
    if high is not None:
        value = min(value, math.floor(high))
    if below is not None:
        value = min(value, math.ceil(below) - 1)
    if not step or not math.isfinite(steps := value / step):
        return value
    return math.ceil(steps) * step
