"""JSON values as the contract compares and points into them: strict equality, pointers, matchers' literals.

Enters and leaves: plain JSON values. Nothing here knows requests, outcomes or events.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

Json = Any

ANY: dict[str, Json] = {"$any": True}
"""The matcher that every value satisfies."""


@dataclass(frozen=True, slots=True)
class Opaque:
    """A value that the contract leaves open: nothing can be edited inside it. `matcher` says what is known of it."""

    matcher: Json


class PointerError(ValueError):
    """A JSON pointer names nothing that can be edited; carries the pointer."""


def strictly_equal(left: Json, right: Json) -> bool:
    """Compare two JSON values: true, 1 and 1.0 differ, the order of keys does not matter."""
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(strictly_equal(value, right[key]) for key, value in left.items())
    if isinstance(left, list):
        return len(left) == len(right) and all(map(strictly_equal, left, right))
    return bool(left == right)


def only(value: Json, names: Iterable[str]) -> Json:
    """Return an object without the keys that it should not have, and anything else as it is."""
    return {name: value[name] for name in names if name in value} if isinstance(value, dict) else value


def tokens(pointer: str) -> list[str]:
    """Split a JSON pointer (RFC 6901) into its reference tokens.

    Raises PointerError when it does not start with `/`.
    """
    if pointer == "":
        return []
    if not pointer.startswith("/"):
        raise PointerError(f"{pointer!r} is no JSON pointer: it must be empty or start with '/'")
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer[1:].split("/")]


def child(value: Json, token: str, pointer: str) -> Json:
    """Return the member of an object, or the element of a list, that `token` names; raises PointerError."""
    if isinstance(value, dict) and token in value:
        return value[token]
    if isinstance(value, list) and token.isdigit() and int(token) < len(value):
        return value[int(token)]
    raise PointerError(f"{pointer!r} does not exist")


def get(value: Json, pointer: str) -> Json:
    """Return what `pointer` names inside `value`; raises PointerError."""
    for token in tokens(pointer):
        value = child(value, token, pointer)
    return value


def copy(value: Json) -> Json:
    """Copy a JSON value so that edits of one never show in the other."""
    kind = type(value)
    if kind is dict:
        return {key: copy(item) if type(item) in DEEP else item for key, item in value.items()}
    return [copy(item) if type(item) in DEEP else item for item in value] if kind is list else value


DEEP = (dict, list)
"""The types of values that have parts."""


def special(value: Json) -> bool:
    """Tell whether a value holds, anywhere, an object with one key that starts with `$`."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if type(part) is dict:
            if len(part) == 1 and next(iter(part)).startswith("$"):
                return True
            waiting += part.values()
        elif type(part) is list:
            waiting += part
    return False


def literal(value: Json) -> Json:
    """Return a value as a prediction may hold it: one that would read as a matcher is wrapped in `$literal`."""
    if type(value) is Opaque:
        return value.matcher
    if type(value) not in DEEP:
        return value
    if _holds_opaque(value):
        return {key: literal(item) for key, item in value.items()} if type(value) is dict else list(map(literal, value))
    return {"$literal": value} if special(value) else value


def _holds_opaque(value: Json) -> bool:
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if type(part) is dict:
            waiting += part.values()
        elif type(part) is list:
            waiting += part
        elif type(part) is Opaque:
            return True
    return False
