"""References that lead to nothing but a reference: where such a chain ends.

Enters: Schemas. Leaves: places, and Schemas that mean the same, in which every reference leads to the end of its chain.
Validators follow references one in the other, and thousands of them are more than any can.
"""

from __future__ import annotations

from typing import Final

from bindproof.core.model import Json
from bindproof.core.pointer import pointer_to
from bindproof.evolve.keywords import asserting, nodes
from bindproof.evolve.references import BASE, Node
from bindproof.evolve.schemas import Schema, Schemas, node_at, target_of

MOST_LINKS: Final = 50
"""References that lead to references, in all schemas of a side, above which they are made straight."""


def next_of(schemas: Schemas, node: Node) -> Node | None:
    """Return what a schema refers to that does nothing else; None for any other."""
    try:
        schema = node_at(schemas, node)
        draft = schemas[node[0]].draft
    except (LookupError, TypeError, ValueError):
        return None
    if not isinstance(schema, dict) or not isinstance(schema.get("$ref"), str):
        return None
    return target_of(schema["$ref"]) if asserting(draft) & schema.keys() == {"$ref"} else None


def end_of(schemas: Schemas, node: Node, known: dict[Node, Node] | None = None) -> Node:
    """Return where a chain ends that begins at a place; of one that leads back, the place where it does.

    known: ends that were found before, to which this one is added.
    """
    ends = {} if known is None else known
    way: dict[Node, None] = {}
    while node not in ends and node not in way:
        way[node] = None
        after = next_of(schemas, node)
        if after is None:
            break
        node = after
    found = ends.get(node, node)
    ends.update(dict.fromkeys(way, found))
    return found


def is_chained(schemas: Schemas) -> bool:
    """Tell whether there are chains that have to be made straight: not where it matters which way led to a schema."""
    links = 0
    for name, schema in schemas.items():
        for place, node in nodes(schema.root):
            if not isinstance(node, dict):
                continue
            if "$dynamicRef" in node:
                return False
            after = next_of(schemas, (name, place)) if "$ref" in node else None
            links += after is not None and next_of(schemas, after) is not None
    return links > MOST_LINKS


def straightened(schemas: Schemas) -> dict[str, Schema]:
    """Return schemas in which each reference leads to the end of its chain."""
    ends: dict[Node, Node] = {}

    def made(value: Json) -> Json:
        if isinstance(value, list):
            return [made(item) for item in value]
        if not isinstance(value, dict):
            return value
        found = {key: made(item) for key, item in value.items()}
        target = target_of(found["$ref"]) if isinstance(found.get("$ref"), str) else None
        if target is not None:
            name, place = end_of(schemas, target, ends)
            found["$ref"] = f"{BASE}{name}#{pointer_to(place)}"
        return found

    return {name: Schema(made(schema.root), schema.draft) for name, schema in schemas.items()}
