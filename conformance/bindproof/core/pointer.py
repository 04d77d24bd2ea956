"""JSON pointers (RFC 6901): places in JSON values.

Enters: pointers as text, JSON values. Leaves: tokens, the value at a place, and copies with a place changed. Must not
know what the values mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from bindproof.core.model import Json, copied

_INDEX = re.compile(r"0|[1-9][0-9]{0,9}")


class PointerError(ValueError):
    """The text is no pointer, or it leads nowhere in the value; the message says which."""


def pointer_to(tokens: Iterable[str | int]) -> str:
    """Return the pointer of these keys and indexes; without any it is the empty one, which means the whole value."""
    return "".join(f"/{str(token).replace('~', '~0').replace('/', '~1')}" for token in tokens)


def tokens_of(pointer: str) -> list[str]:
    """Return a pointer's keys and indexes as text. Raises PointerError for what is no pointer."""
    root, *tokens = pointer.split("/")
    if root:
        raise PointerError(f"{pointer!r} is no JSON pointer: it begins with /, or is empty for the whole")
    for token in tokens:
        if "~" in token.replace("~0", "").replace("~1", ""):
            raise PointerError(f"{pointer!r} is no JSON pointer: write ~0 for ~ and ~1 for / in a key")
    return [token.replace("~1", "/").replace("~0", "~") for token in tokens]


def value_at(document: Json, pointer: str) -> Json:
    """Return the value at a place. Raises PointerError."""
    for token in tokens_of(pointer):
        document = document[_place(document, token, pointer)]
    return document


def leads_somewhere(document: Json, pointer: str) -> bool:
    """Tell whether a pointer is one, and there is a value at its place."""
    try:
        value_at(document, pointer)
    except PointerError:
        return False
    return True


def with_value(document: Json, pointer: str, value: Json) -> Json:
    """Return a copy with a value put at a place: of a member that is there, a new key, or an item behind the last.

    Raises PointerError; also for the empty pointer, as nothing of the document would be left.
    """
    changed, holder, token = _held(document, pointer)
    if isinstance(holder, list) and token == str(len(holder)):
        holder.append(value)
    else:
        holder[token if isinstance(holder, dict) else _place(holder, token, pointer)] = value
    return changed


def without(document: Json, pointer: str) -> Json:
    """Return a copy that lacks the member at a place. Raises PointerError, also for the empty pointer."""
    changed, holder, token = _held(document, pointer)
    del holder[_place(holder, token, pointer)]
    return changed


def _held(document: Json, pointer: str) -> tuple[Json, Json, str]:
    """Return a copy, and in it what holds the place's member, with the member's token."""
    tokens = tokens_of(pointer)
    if not tokens:
        raise PointerError("the empty pointer is the whole value; name a place in it")
    changed = copied(document)
    return changed, value_at(changed, pointer_to(tokens[:-1])), tokens[-1]


def _place(holder: Json, token: str, pointer: str) -> str | int:
    """Return what selects an existing member: a key of an object, an index of a list."""
    if isinstance(holder, dict) and token in holder:
        return token
    if isinstance(holder, list) and _INDEX.fullmatch(token) and int(token) < len(holder):
        return int(token)
    raise PointerError(f"{pointer!r} leads nowhere: there is no {token!r}")
