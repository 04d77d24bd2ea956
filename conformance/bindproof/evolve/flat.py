"""A schema that stands for itself: what it refers to is put in its place, and what refers to itself is kept by name.

It is of draft 2020-12, whatever its files are of: what draft-07 spells otherwise is respelled. A `oneOf` of objects
that a tag tells apart is an `anyOf`.

Enters: Schemas and one of their places. Leaves: one JSON Schema, equal in meaning, or None where that would be too
large or cannot be said. Subset proofs are about such schemas.
"""

from __future__ import annotations

import hashlib
from typing import Final

from bindproof.core.model import Json
from bindproof.core.pointer import pointer_to
from bindproof.evolve.apart import tags_apart
from bindproof.evolve.chains import end_of
from bindproof.evolve.keywords import DRAFT_7, DRAFT_2020, NAMED, ONE, SEVERAL, asserting
from bindproof.evolve.references import Node
from bindproof.evolve.schemas import Schemas, dynamic_targets, node_at, target_of
from bindproof.evolve.vocabulary import list_of

MOST_NODES: Final = 20_000
"""Schemas in a flat one."""

DEEPEST: Final = 120
"""References and schemas in one another."""


_ASSERTING: Final = asserting(DRAFT_2020)


class _CannotSayError(Exception):
    """The schema has no flat form that we would vouch for."""


def flat(schemas: Schemas, start: Node) -> Json | None:
    """Return the flat form of the schema at a place, without words; None where there is none."""
    return flattened(schemas, node_at(schemas, start), schemas[start[0]].draft)


def flattened(schemas: Schemas, schema: Json, draft: int) -> Json | None:
    """Return the flat form of a schema whose references are among `schemas`; None where there is none."""
    try:
        return _Flattening(schemas, draft).of(schema)
    except (_CannotSayError, LookupError, TypeError, ValueError):
        return None


def is_recursive(form: Json) -> bool:
    """Tell whether something in a flat schema refers to itself."""
    return isinstance(form, dict) and "$defs" in form


class _Flattening:
    """Makes one flat schema."""

    def __init__(self, schemas: Schemas, draft: int) -> None:
        self._schemas = schemas
        self._draft = draft
        self._left = MOST_NODES
        self._open: list[Node] = []
        self._recursive: dict[Node, str] = {}
        self._kept: dict[str, Json] = {}

    def of(self, schema: Json) -> Json:
        """Return the flat form, with definitions where something refers to itself."""
        whole = self._schema(schema, 0)
        while waiting := [node for node, key in self._recursive.items() if key not in self._kept]:
            for node in waiting:
                self._kept[self._recursive[node]] = self._entered(node, 0)
        if not self._kept:
            return whole
        return {"allOf": [whole], "$defs": self._kept}

    def _schema(self, schema: Json, depth: int) -> Json:
        self._left -= 1
        if self._left < 0 or depth > DEEPEST:
            raise _CannotSayError
        if not isinstance(schema, dict):
            return schema
        found: dict[str, Json] = {}
        parts = []
        for keyword, value in (_respelled(schema) if self._draft == DRAFT_7 else schema).items():
            if keyword not in _ASSERTING:
                continue
            if keyword in {"$ref", "$dynamicRef"}:
                parts.append(self._target(self._node(keyword, value), depth))
            else:
                found[keyword] = self._held(keyword, value, depth + 1)
        if "oneOf" in found and "anyOf" not in found and tags_apart(list_of(found["oneOf"])):
            found["anyOf"] = found.pop("oneOf")  # of a `oneOf` the library looks at each pair
        if not parts:
            return found
        if not found and len(parts) == 1:
            return parts[0]
        return {**found, "allOf": [*found.get("allOf", []), *parts]}

    def _held(self, keyword: str, value: Json, depth: int) -> Json:
        if keyword in NAMED and isinstance(value, dict):
            return {
                key: self._schema(item, depth) if isinstance(item, dict | bool) else item for key, item in value.items()
            }
        if keyword in SEVERAL and isinstance(value, list):
            return [self._schema(item, depth) for item in value]
        return self._schema(value, depth) if keyword in ONE else value

    def _node(self, keyword: str, reference: str) -> Node:
        if keyword == "$dynamicRef":
            targets = dynamic_targets(self._schemas, reference)
            if len(targets) != 1:
                raise _CannotSayError
            return targets[0]
        target = target_of(reference)
        if target is None:
            raise _CannotSayError
        return end_of(self._schemas, target)

    def _target(self, node: Node, depth: int) -> Json:
        if node in self._open or node in self._recursive:
            name = f"{node[0]}#{pointer_to(node[1])}"
            key = self._recursive.setdefault(node, hashlib.sha256(name.encode()).hexdigest()[:16])
            return {"$ref": f"#/$defs/{key}"}
        return self._entered(node, depth + 1)

    def _entered(self, node: Node, depth: int) -> Json:
        before = self._draft
        self._draft = self._schemas[node[0]].draft
        self._open.append(node)
        try:
            return self._schema(node_at(self._schemas, node), depth)
        finally:
            self._open.pop()
            self._draft = before


def _respelled(schema: dict[str, Json]) -> dict[str, Json]:
    """Return a schema object of draft-07 as one of 2020-12; the schemas in it stay as they are."""
    found = {key: value for key, value in schema.items() if key in asserting(DRAFT_7)}
    first = found.get("items")
    rest = found.pop("additionalItems", None)
    if isinstance(first, list):
        found["prefixItems"] = found.pop("items")
        if rest is not None:
            found["items"] = rest
    depending = found.pop("dependencies", {})
    lists = {name: item for name, item in depending.items() if isinstance(item, list)}
    if lists:
        found["dependentRequired"] = lists
    if len(lists) < len(depending):
        found["dependentSchemas"] = {name: item for name, item in depending.items() if name not in lists}
    return found
