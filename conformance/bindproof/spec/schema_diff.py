"""Where two schemas say something different, words apart.

Enters: two JSON Schemas, parsed. Leaves: JSON pointers. It finds every difference and grades none: what a difference
breaks is shown by the examples of a note.
"""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Json
from bindproof.core.pointer import pointer_to

WORDS = frozenset({"$id", "$schema", "title", "description", "examples"})
"""Keywords that refuse and accept nothing."""

NAMES = frozenset({"properties", "$defs", "patternProperties"})
"""Keywords whose members are named by the schema's author: a property may be called `title`."""


def differences(old: Json, new: Json) -> list[str]:
    """Pointers of what is in one schema only or differs, sorted. A property that became required is its pointer too."""
    return sorted(set(_differences(old, new, "", names=False)))


def meaning(schema: Json, *, names: bool = False) -> Json:
    """The schema without its words. names: what is given maps names of the author's to schemas."""
    if isinstance(schema, list):
        return [meaning(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: item for key, item in schema.items() if names or key not in WORDS}
    return {key: meaning(item, names=key in NAMES and not names) for key, item in kept.items()}


def _differences(old: Json, new: Json, at: str, *, names: bool) -> Iterator[str]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in old.keys() | new.keys():
            if key in WORDS and not names:
                continue
            place = at + pointer_to([key])
            if key not in old or key not in new:
                yield from _whole(key, old.get(key, new.get(key)), at, place, names=names)
            elif key == "required" and not names:
                yield from (at + pointer_to(["properties", name]) for name in set(old[key]) ^ set(new[key]))
            else:
                yield from _differences(old[key], new[key], place, names=key in NAMES and not names)
    elif type(old) is not type(new) or old != new:
        yield at


def _whole(key: str, value: Json, at: str, place: str, *, names: bool) -> Iterator[str]:
    """A keyword that only one of the two has; of `required`, the properties."""
    if key == "required" and not names:
        yield from (at + pointer_to(["properties", name]) for name in value)
    else:
        yield place
