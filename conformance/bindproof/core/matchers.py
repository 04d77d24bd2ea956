"""The matchers that people write in a vector, and whether each is well formed: one that is not blames every binding.

Enters: what a vector expects. Leaves: words, or nothing. What matchers accept is `judge.match`'s.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

from bindproof.core.model import Json

_DIGITS: Final = re.compile(r"-?[0-9]+")


def misuse(value: Json) -> str | None:
    """Say what is wrong with the matchers in what a vector expects; None where nothing is."""
    if isinstance(value, list):
        return _first(value)
    if not isinstance(value, dict):
        return None
    name, argument = next(iter(value.items())) if len(value) == 1 else ("", None)
    if not name.startswith("$"):
        return _first(value.values())
    if name == "$literal":
        return None
    if name not in _ARGUMENTS:
        return f"`{name}` is no matcher of vectors; a value that looks like one is a `$literal`"
    wanted, is_one = _ARGUMENTS[name]
    if not is_one(argument):
        return f"`{name}` is given {wanted}, and not {argument!r:.60}"
    return _first(argument if isinstance(argument, list) else argument.values() if isinstance(argument, dict) else ())


def _first(values: Iterable[Json]) -> str | None:
    return next((found for one in values if (found := misuse(one)) is not None), None)


def _is_object(value: Json) -> bool:
    return isinstance(value, dict)


def _is_number(value: Json) -> bool:
    if isinstance(value, dict):
        return value.keys() == {"$integer"} and _is_digits(value["$integer"])
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_digits(value: Json) -> bool:
    return isinstance(value, str) and _DIGITS.fullmatch(value) is not None


_ARGUMENTS: Final[dict[str, tuple[str, Callable[[Json], bool]]]] = {
    "$any": ("true", lambda value: value is True),
    "$one_of": ("a list that is not empty", lambda value: isinstance(value, list) and value != []),
    "$contains": ("an object", _is_object),
    "$unordered": ("a list", lambda value: isinstance(value, list)),
    "$numeric": ("a number", _is_number),
    "$text": ("a text", lambda value: isinstance(value, str)),
    "$none": ("true", lambda value: value is True),
    "$function": ("true", lambda value: value is True),
    "$float": ("NaN, Infinity or -Infinity", lambda value: value in ("NaN", "Infinity", "-Infinity")),
    "$integer": ("a text of digits", _is_digits),
    "$utf16": ("a list of code units", lambda value: isinstance(value, list)),
    "$object": ("an object", _is_object),
}
"""By name, what a matcher or a spelling of what JSON lacks is given."""
