"""What two sides call by different names and means the same: `definitions` on the one, `$defs` on the other.

Drafts after draft-07 keep definitions in `$defs`, so who moves on renames it and every reference into it. Compared as
they stand, such files have no definition in common.

Enters: two Schemas. Leaves: the old one, with the names of the new one. What either takes stays what it was.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bindproof.core.model import Json, copied
from bindproof.evolve.keywords import nodes
from bindproof.evolve.references import BASE
from bindproof.evolve.schemas import Schema, Schemas

_NAMES: Final = frozenset({"$defs", "definitions"})


def spelled_as(old: Schemas, new: Schemas) -> Schemas:
    """Return the old schemas, their definitions in the key that the same file of the new side has them in."""
    called = {name: pair for name in old.keys() & new.keys() for pair in _renamed(old[name].root, new[name].root)}
    if not called:
        return old
    return {name: _respelled(name, schema, called) for name, schema in old.items()}


def _renamed(old: Json, new: Json) -> Iterator[tuple[str, str]]:
    """Yield the key of the new root and that of the old one, where each has just one and they differ."""
    if isinstance(old, dict) and isinstance(new, dict):
        before, after = _NAMES & old.keys(), _NAMES & new.keys()
        if len(before) == len(after) == 1 and before != after:
            yield min(after), min(before)


def _respelled(name: str, schema: Schema, called: dict[str, tuple[str, str]]) -> Schema:
    root = copied(schema.root)
    for _, node in nodes(root):
        if isinstance(node, dict) and isinstance(node.get("$ref"), str):
            node["$ref"] = _reference(node["$ref"], called)
    if name not in called:
        return Schema(root, schema.draft, schema.document)
    after, before = called[name]
    root = {after if key == before else key: item for key, item in root.items()}
    return Schema(root, schema.draft, schema.document, called[name])


def _reference(reference: str, called: dict[str, tuple[str, str]]) -> str:
    address, _, pointer = reference.partition("#")
    after, before = called.get(address.removeprefix(BASE), ("", ""))
    if not (before and address.startswith(BASE) and pointer.startswith(f"/{before}/")):
        return reference
    return f"{address}#/{after}{pointer.removeprefix(f'/{before}')}"
