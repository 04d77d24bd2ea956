"""JSON pointers (RFC 6901) on plain values: find, put, cut, extend.

Enters: a document and a pointer. Leaves: a value, or the changed document. Must not know scenarios.
"""

from __future__ import annotations

from typing import Any

Json = Any


class PlaceError(Exception):
    """The pointer names nothing that the operation could work on; the text says what is missing."""


def find(document: Json, pointer: str) -> Json:
    """Return the value at `pointer`; raise PlaceError where there is none."""
    value = document
    for token in _tokens(pointer):
        value = value[_key(value, token)]
    return value


def put(document: Json, pointer: str, value: Json) -> Json:
    """Set `pointer` to `value` and return the document; the parent must exist, a list takes only an index it has."""
    if pointer == "":
        return value
    parent, token = _parent(document, pointer)
    if isinstance(parent, dict):
        parent[token] = value
    else:
        parent[_key(parent, token)] = value
    return document


def cut(document: Json, pointer: str) -> None:
    """Remove the existing member at `pointer`."""
    if pointer == "":
        raise PlaceError("the whole document cannot be removed")
    parent, token = _parent(document, pointer)
    del parent[_key(parent, token)]


def extend(document: Json, pointer: str, values: list[Json]) -> None:
    """Append `values` to the existing list at `pointer`."""
    place = find(document, pointer)
    if not isinstance(place, list):
        raise PlaceError("there is no list there")
    place.extend(values)


def _parent(document: Json, pointer: str) -> tuple[Json, str]:
    head, _, _ = pointer.rpartition("/")
    return find(document, head), _tokens(pointer)[-1]


def _tokens(pointer: str) -> list[str]:
    if pointer == "":
        return []
    if not pointer.startswith("/"):
        raise PlaceError("a pointer is empty or begins with /")
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer[1:].split("/")]


def _key(parent: Json, token: str) -> Any:
    if isinstance(parent, dict):
        if token not in parent:
            raise PlaceError(f"there is no member {token!r}")
        return token
    if isinstance(parent, list):
        if not (token.isdecimal() and token.isascii() and str(int(token)) == token and int(token) < len(parent)):
            raise PlaceError(f"a list of {len(parent)} has no index {token!r}")
        return int(token)
    raise PlaceError(f"{type(parent).__name__} has no member {token!r}")
