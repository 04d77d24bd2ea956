"""Where schemas lie in a schema, keyword by keyword, for the two drafts that are read: 2020-12 and draft-07.

Enters: a schema object. Leaves: the schemas directly in it, with their places. Must not know files.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from bindproof.core.model import Json
from bindproof.spec.files.toml_lines import Place

DRAFT_7: Final = 7
DRAFT_2020: Final = 20

DRAFTS: Final = {
    "https://json-schema.org/draft/2020-12/schema": DRAFT_2020,
    "http://json-schema.org/draft-07/schema": DRAFT_7,
}
"""By what `$schema` says, less a `#` at its end; http and https are the same."""

ONE: Final = frozenset(
    {
        "additionalItems",
        "additionalProperties",
        "contains",
        "else",
        "if",
        "items",
        "not",
        "propertyNames",
        "then",
        "unevaluatedItems",
        "unevaluatedProperties",
    }
)
"""Keywords that hold one schema."""

SEVERAL: Final = frozenset({"allOf", "anyOf", "items", "oneOf", "prefixItems"})
"""Keywords that hold a list of schemas; draft-07's `items` may."""

COMPONENTS: Final = "components/schemas"
"""No keyword of any draft: it stands for two keys of an OpenAPI document, which hold schemas by name."""

NAMED: Final = frozenset(
    {"$defs", COMPONENTS, "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"}
)
"""Keywords that hold schemas by name; draft-07's `dependencies` may hold lists of names besides."""

DEFINITIONS: Final = frozenset({"$defs", COMPONENTS, "definitions"})
"""Keywords that hold schemas which apply only where something refers to them."""

WORDS: Final = frozenset({"$id", "id", "$schema", "$comment", "$vocabulary", "title", "description", "examples"})
"""Keywords that say nothing about values."""

OPEN: Final = frozenset(
    {"contentEncoding", "contentMediaType", "contentSchema", "default", "deprecated", "readOnly", "writeOnly"}
)
"""Keywords that refuse nothing and yet mean something."""

_HOLDING: Final = ONE | SEVERAL | NAMED

ASSERTING: Final = (ONE | SEVERAL | NAMED) - DEFINITIONS | frozenset(
    {
        "$dynamicRef",
        "$ref",
        "const",
        "dependentRequired",
        "enum",
        "exclusiveMaximum",
        "exclusiveMinimum",
        "format",
        "maxContains",
        "maxItems",
        "maxLength",
        "maxProperties",
        "maximum",
        "minContains",
        "minItems",
        "minLength",
        "minProperties",
        "minimum",
        "multipleOf",
        "pattern",
        "required",
        "type",
        "uniqueItems",
    }
)
"""Keywords that may refuse a value, or decide which others do."""

_NOT_IN_DRAFT_7: Final = frozenset(
    {
        "$defs",
        "$dynamicRef",
        "dependentRequired",
        "dependentSchemas",
        "maxContains",
        "minContains",
        "prefixItems",
        "unevaluatedItems",
        "unevaluatedProperties",
    }
)
_NOT_IN_2020: Final = frozenset({"additionalItems", "dependencies"})


@cache
def asserting(draft: int) -> frozenset[str]:
    """Return the keywords that may refuse a value in a draft."""
    return ASSERTING - (_NOT_IN_DRAFT_7 if draft == DRAFT_7 else _NOT_IN_2020)


def children(schema: Json) -> Iterator[tuple[Place, Json]]:
    """Yield the schemas directly in a schema, with their places in it."""
    if not isinstance(schema, dict):
        return
    for keyword, value in schema.items():
        if keyword in NAMED and isinstance(value, dict):
            yield from (((keyword, name), item) for name, item in value.items() if isinstance(item, dict | bool))
        elif keyword in SEVERAL and isinstance(value, list):
            yield from (((keyword, index), item) for index, item in enumerate(value))
        elif keyword in ONE and isinstance(value, dict | bool):
            yield (keyword,), value


def nodes(schema: Json, at: Place = ()) -> Iterator[tuple[Place, Json]]:
    """Yield a schema and every schema in it, with their places."""
    waiting = [(at, schema)]
    while waiting:
        place, node = waiting.pop()
        yield place, node
        if isinstance(node, dict) and not _HOLDING.isdisjoint(node):
            waiting.extend([((*place, *inner), child) for inner, child in children(node)])
