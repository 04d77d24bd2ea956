"""Whether no value satisfies two branches of a `oneOf`, as their types and tags alone show: then it is like an `anyOf`.

Enters: Schemas of all sides, a place. Leaves: True where that is so on every side, and where parts of them are mixed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from msgspec import Struct

from bindproof.core.model import Json
from bindproof.evolve.references import Node
from bindproof.evolve.schemas import Schemas, node_at, target_of
from bindproof.evolve.vocabulary import dict_of, list_of

_TYPES: Final = frozenset({"object", "array", "string", "number", "boolean", "null"})
_OF: Final = {dict: "object", list: "array", str: "string", int: "number", float: "number", bool: "boolean"}

_DEEPEST: Final = 8
"""References that lead to one another."""

_OBJECT: Final = frozenset({"object"})


def apart(sides: Sequence[Schemas], node: Node) -> bool:
    """Tell whether the branches of the `oneOf` at a place exclude each other.

    A branch is what it is on any side, and what it refers to on any side: so it is true of every mixture.
    """
    name, place = node
    count = max((len(list_of(schema.get("oneOf"))) for schema in _at(sides, node)), default=0)
    branches = [_branch(list(_forms(sides, (name, (*place, "oneOf", index)), _DEEPEST))) for index in range(count)]
    return _shared_tag(branches) is not None or all(_exclude(one, other) for one, other in combinations(branches, 2))


def _at(sides: Sequence[Schemas], node: Node) -> Iterator[dict[str, Json]]:
    """Yield the schema at a place on each side that has one; what takes anything, or nothing, has no member."""
    for schemas in sides:
        try:
            yield dict_of(node_at(schemas, node))
        except (LookupError, TypeError, ValueError):
            continue


def _forms(sides: Sequence[Schemas], node: Node, left: int) -> Iterator[dict[str, Json]]:
    """Yield what a branch may be: the schema itself or, where it only refers, what it refers to."""
    for schema in _at(sides, node):
        target = target_of(schema["$ref"]) if schema.keys() == {"$ref"} and isinstance(schema["$ref"], str) else None
        if target is None or not left:
            yield schema
        else:
            yield from _forms(sides, target, left - 1)


class _Branch(Struct, frozen=True):
    """What is known of the values of a branch."""

    kinds: frozenset[str]
    """The types that they may be of."""
    tags: dict[str, frozenset[str]]
    """The members that each has, where it is an object, with the texts that may stand there."""


def _branch(forms: Sequence[dict[str, Json]]) -> _Branch:
    return _Branch(frozenset().union(*map(_kinds, forms)), _tags(forms))


def _shared_tag(branches: Sequence[_Branch]) -> str | None:
    """Return a member that tells all branches apart: asked first, as there may be many and pairs are many more."""
    if not branches or any(branch.kinds != _OBJECT for branch in branches):
        return None
    for key in sorted(set(branches[0].tags).intersection(*(branch.tags for branch in branches))):
        texts = [branch.tags[key] for branch in branches]
        if sum(map(len, texts)) == len(frozenset().union(*texts)):
            return key
    return None


def tags_apart(branches: Sequence[Json]) -> str | None:
    """Return a member by whose text no object can satisfy two of these schemas, which are flat; None without one."""
    return _shared_tag([_branch([dict_of(branch)]) for branch in branches])


def tags_of(branch: Json) -> dict[str, frozenset[str]]:
    """Return the members that a flat schema asks an object for and of which it lists the texts, with these."""
    return _tags([dict_of(branch)])


def _exclude(one: _Branch, other: _Branch) -> bool:
    if not one.kinds & other.kinds:
        return True
    if one.kinds != _OBJECT or other.kinds != _OBJECT:
        return False
    return any(not one.tags[key] & other.tags[key] for key in one.tags.keys() & other.tags.keys())


def _kinds(schema: dict[str, Json]) -> frozenset[str]:
    """Return the types that a schema may take; `integer` counts as `number`."""
    said = schema.get("type")
    if said is not None:
        return frozenset(
            "number" if kind == "integer" else kind for kind in ([said] if isinstance(said, str) else said)
        )
    values = [schema["const"]] if "const" in schema else list_of(schema.get("enum"))
    return frozenset(_OF.get(type(value), "null") for value in values) or _TYPES


def _tags(forms: Sequence[dict[str, Json]]) -> dict[str, frozenset[str]]:
    """Return the members that every form asks for and of which it lists the texts, each with all of these."""
    found: dict[str, frozenset[str]] = {}
    for number, form in enumerate(forms):
        own = {key: _values(dict_of(dict_of(form.get("properties")).get(key))) for key in list_of(form.get("required"))}
        own = {key: values for key, values in own.items() if values}
        found = own if not number else {key: found[key] | own[key] for key in found.keys() & own.keys()}
    return found


def _values(schema: dict[str, Json]) -> frozenset[str]:
    values = [schema["const"]] if "const" in schema else list_of(schema.get("enum"))
    return frozenset(values) if all(isinstance(value, str) for value in values) else frozenset()
