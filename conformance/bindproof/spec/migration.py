"""Makes objects of an edition into objects of the next, as its notes say, where that needs nobody to decide.

Enters: the `migrate` tables of notes, objects. Leaves: objects, and what is wrong with a table. Must not know whether
an edition takes what comes out: who asks holds it against the schemas.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from bindproof.core.model import Json, copied
from bindproof.core.pointer import tokens_of
from bindproof.spec.changes import Change
from bindproof.spec.files.document import parse
from bindproof.spec.problem import SpecError

if TYPE_CHECKING:
    from bindproof.spec.files.models import Migrate, Note

EVERY = "*"
"""The part of a pointer that means every item of a list."""

Patch = Callable[[Json], Json]
"""Gives what an object becomes; the object itself stays as it was."""


def patches(notes: Sequence[Note], schema: str) -> list[Patch]:
    """Return what these notes make of an object of one schema, in their order. Raises ValueError as `patch_of` does."""
    return [patch_of(one) for note in notes for one in note.migrate if one.schema_ == schema]


def migrated(value: Json, ways: Sequence[Patch]) -> Json:
    """Return what an object becomes by one patch after another."""
    for way in ways:
        value = way(value)
    return value


def notes_of(change: Change) -> list[Note]:
    """Return the notes of a step."""
    return [note for _, note in change.notes]


def patch_of(table: Migrate) -> Patch:
    """Return what a table does to an object.

    A patch is done whole or not at all: where a part has no such member, or a `test` in it fails, the part stays as it
    is. Raises ValueError for what is no JSON Patch.
    """
    from jsonpatch import JsonPatch, JsonPatchException
    from jsonpointer import JsonPointerException

    try:
        steps = parse(table.patch.encode(), "patch").value
        patch = JsonPatch(steps)
        at = tokens_of(table.at)
    except SpecError as error:
        raise ValueError(f"`patch` is no JSON: {error.what}") from None
    except (JsonPatchException, JsonPointerException, TypeError, ValueError, LookupError) as error:
        raise ValueError(f"`patch` is no JSON Patch (RFC 6902): {error}") from None

    def on_part(part: Json) -> Json:
        try:
            return patch.apply(part)
        except (JsonPatchException, JsonPointerException, TypeError):  # what it speaks of is not there
            return part

    def on_whole(value: Json) -> Json:
        found = [on_part(value)] if not at else [copied(value)]
        if at:
            for holder, key in _holders(found[0], at):
                holder[key] = on_part(holder[key])
        return found[0]

    return on_whole


def _holders(value: Json, tokens: Sequence[str]) -> Iterator[tuple[Json, str | int]]:
    """Yield each list or object that holds a part, with the part's index or key; parts that are not there are left."""
    first, rest = tokens[0], tokens[1:]
    keys: list[str | int] = []
    if isinstance(value, list):
        keys = list(range(len(value))) if first == EVERY else [int(first)] if _is_index(first, value) else []
    elif isinstance(value, dict) and first in value:
        keys = [first]
    for key in keys:
        if rest:
            yield from _holders(value[key], rest)
        else:
            yield value, key


def _is_index(token: str, value: list[Json]) -> bool:
    return token.isascii() and token.isdigit() and int(token) < len(value)
