"""How many schemas are asked of one value before any part of it is looked at: some schemas ask without end.

Enters: Schemas, one of their places. Leaves: a number, which is infinite for a schema that is a part of itself. No
validator that asks all of them ends in time, and a time limit would say so late.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from bindproof.core.model import Json
from bindproof.evolve.chains import end_of
from bindproof.evolve.references import Node
from bindproof.evolve.schemas import Schemas, node_at, targets
from bindproof.evolve.vocabulary import list_of

MOST_ASKED: Final = 1_000_000
"""Schemas that may be asked of one value."""


DEEPEST_ASKED: Final = 250
"""Schemas that may be asked one in the other of one value: validators ask each within the one before."""


def depth_asked(schemas: Schemas, start: Node) -> int:
    """Return how many schemas are asked one in the other of one value, references to references apart.

    One that comes back to itself counts once.
    """
    known: dict[Node, int] = {}
    ends: dict[Node, Node] = {}
    waiting: list[tuple[Node, bool]] = [(end_of(schemas, start, ends), False)]
    while waiting:
        node, done = waiting.pop()
        if not done and node in known:
            continue
        inner = [end_of(schemas, one, ends) for one in (*_asks(schemas, node), *_may_ask(schemas, node))]
        if done:
            known[node] = 1 + max((known[one] for one in inner), default=0)
        else:
            known[node] = 0
            waiting.append((node, True))
            waiting.extend((one, False) for one in inner if one not in known)
    return known[end_of(schemas, start, ends)]


def asked(schemas: Schemas, start: Node) -> float:
    """Return how many schemas are asked of one value, of those that are asked whatever the others say."""
    known: dict[Node, float] = {}
    waiting: list[tuple[Node, bool]] = [(start, False)]
    while waiting:
        node, done = waiting.pop()
        inner = list(_asks(schemas, node))
        if done:
            known[node] = 1 + sum(known[one] for one in inner)
        elif node not in known:
            known[node] = math.inf  # of whoever comes back here meanwhile
            waiting.append((node, True))
            waiting.extend((one, False) for one in inner if one not in known)
    return known[start]


def _asks(schemas: Schemas, node: Node) -> Iterator[Node]:
    """Yield the schemas that one asks of the same value in any case, as often as it asks them."""
    schema = _object_at(schemas, node)
    name, place = node
    for keyword in ("allOf", "oneOf"):
        yield from ((name, (*place, keyword, index)) for index in range(len(list_of(schema.get(keyword)))))
    yield from (target for target in targets(schema, schemas) if target)


def _may_ask(schemas: Schemas, node: Node) -> Iterator[Node]:
    """Yield the schemas that one asks of the same value in some cases."""
    schema = _object_at(schemas, node)
    name, place = node
    yield from ((name, (*place, "anyOf", index)) for index in range(len(list_of(schema.get("anyOf")))))
    yield from ((name, (*place, keyword)) for keyword in ("not", "if", "then", "else") if keyword in schema)


def _object_at(schemas: Schemas, node: Node) -> dict[str, Json]:
    """Return the schema at a node, an empty one where there is none that asks anything."""
    try:
        schema: Json = node_at(schemas, node)
    except (LookupError, TypeError, ValueError):
        return {}
    return schema if isinstance(schema, dict) else {}
