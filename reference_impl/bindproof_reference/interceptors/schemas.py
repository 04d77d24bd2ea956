"""Whether arguments satisfy a tool's schema: the few words of JSON Schema that scenarios use.

Enters: a schema, a value. Leaves: whether it is valid. Must not know tools.
"""

from __future__ import annotations

from collections.abc import Callable

from bindproof_reference.interceptors.values import Json

_TYPES: dict[str, Callable[[Json], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "integer": lambda value: (
        (isinstance(value, int) and not isinstance(value, bool)) or (isinstance(value, float) and value.is_integer())
    ),
}

WORDS = frozenset({"type", "required", "properties", "additionalProperties"})
"""The words that are understood; a schema with another one is refused."""


class UnknownWordError(ValueError):
    """A schema uses a word that the reference does not know."""


def satisfies(schema: Json, value: Json) -> bool:
    """Tell whether a value is valid; raises UnknownWordError for a word that is not understood."""
    unknown = schema.keys() - WORDS
    if unknown:
        raise UnknownWordError(f"a tool's schema may use {', '.join(sorted(WORDS))}; not {', '.join(sorted(unknown))}")
    if "type" in schema:
        if schema["type"] not in _TYPES:
            raise UnknownWordError(f"a tool's schema may have the types {', '.join(_TYPES)}; not {schema['type']!r}")
        if not _TYPES[schema["type"]](value):
            return False
    return not isinstance(value, dict) or _members(schema, value)


def _members(schema: Json, value: dict[str, Json]) -> bool:
    properties = schema.get("properties", {})
    if any(name not in value for name in schema.get("required", ())):
        return False
    if schema.get("additionalProperties", True) is False and value.keys() - properties.keys():
        return False
    return all(satisfies(part, value[name]) for name, part in properties.items() if name in value)
