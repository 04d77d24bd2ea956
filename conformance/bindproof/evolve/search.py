"""Looks for a value that one side takes and the other refuses, and makes it small.

Enters: two Readers and candidates. Leaves: a witness that two validators agree on, or None. That nothing is found
proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

import msgspec

from bindproof.core.model import Json
from bindproof.core.smallest import cost
from bindproof.evolve.validators import Reader

_SIMPLE: Final[tuple[Json, ...]] = (None, 0, "", [], {}, False, "a", 1)

MOST_AT_ONCE: Final = 4
"""Members above which half of them are tried first."""

MOST_SHRINKS: Final = 2000
"""Smaller values that are tried for one witness."""


def witness(writer: Reader, reader: Reader, candidates: Iterable[Json]) -> Json:
    """Return a small value that the writer takes and the reader refuses, as both validators say; else UNSET.

    Raises ValueError where a schema cannot be used.
    """
    takes, reads = writer.quick, reader.quick

    def holds(value: Json) -> bool:
        return _is(takes, value, True) and _is(reads, value, False) and _both_hold(writer, reader, value)

    return next((_shrunk(value, holds) for value in candidates if holds(value)), msgspec.UNSET)


def _is(takes: Callable[[Json], bool], value: Json, expected: bool) -> bool:
    """Ask the quick validator alone, which settles most values."""
    try:
        return takes(value) is expected
    except (ValueError, OverflowError, RecursionError):
        return False


def _both_hold(writer: Reader, reader: Reader, value: Json) -> bool:
    return writer.takes(value) is True and reader.takes(value) is False


def _shrunk(value: Json, holds: Callable[[Json], bool]) -> Json:
    left = MOST_SHRINKS
    again = True
    while again and left > 0:
        again = False
        for smaller in _smaller(value):
            left -= 1
            if left < 0:
                break
            if cost(smaller) < cost(value) and holds(smaller):
                value, again = smaller, True
                break
    return value


def _smaller(value: Json) -> Iterator[Json]:
    """Yield values like this one with something less, the greatest steps first."""
    yield from _SIMPLE
    if isinstance(value, dict):
        if len(value) > MOST_AT_ONCE:
            items = list(value.items())
            yield from (dict(items[start::2]) for start in (0, 1))
            yield from (dict(half) for half in (items[: len(items) // 2], items[len(items) // 2 :]))
        for key in value:
            yield {other: item for other, item in value.items() if other != key}
        for key, item in value.items():
            yield from ({**value, key: inner} for inner in _smaller(item))
    elif isinstance(value, list):
        for index in range(len(value)):
            yield value[:index] + value[index + 1 :]
        for index, item in enumerate(value):
            yield from ([*value[:index], inner, *value[index + 1 :]] for inner in _smaller(item))
    elif isinstance(value, str) and len(value) > 1:
        yield value[: len(value) // 2]
        yield value[:-1]
        yield value[1:]
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield from (int(value / 2), value - 1 if value > 0 else value + 1)
