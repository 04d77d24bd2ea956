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

_SIMPLEST: Final[tuple[Json, ...]] = (None, 0, "", [], {}, False, "a", 1)
_SIMPLE: Final = tuple(sorted(((cost(value), value) for value in _SIMPLEST), key=lambda pair: pair[0]))
"""What stands for any value if it does, with what it costs to read; the cheapest first."""

_NAMES: Final = ("a", "b", "x-a")

MOST_AT_ONCE: Final = 4
"""Members above which half of them are tried first."""

MOST_SHRINKS: Final = 2000
"""Smaller values that are tried for one witness."""


def witness(writer: Reader, reader: Reader, candidates: Iterable[Json]) -> Json:
    """Return a small value that the writer takes and the reader refuses, as both validators say; else UNSET.

    The quick validator alone is asked of all that is tried; the second one of what is shown. Where it does not agree,
    it is asked of each value on the way from there. Raises ValueError where a schema cannot be used.
    """

    def is_told(value: Json) -> bool:
        try:
            return takes(value) and not reads(value)
        except (ValueError, OverflowError, RecursionError):
            return False

    def holds(value: Json) -> bool:
        return is_told(value) and _both_hold(writer, reader, value)

    for value in candidates:
        takes, reads = writer.quick, reader.quick  # compiled where there is something to try
        if not is_told(value):
            continue
        small = _shrunk(value, is_told)
        if _second_hold(writer, reader, small):
            return small
        if _both_hold(writer, reader, value):
            return _shrunk(value, holds)
    return msgspec.UNSET


def _second_hold(writer: Reader, reader: Reader, value: Json) -> bool:
    """Ask the second validators alone, of a value of which the quick ones have said that it is a witness."""
    return writer.second_says(value) is True and reader.second_says(value) is False


def _both_hold(writer: Reader, reader: Reader, value: Json) -> bool:
    return writer.takes(value) is True and reader.takes(value) is False


def _shrunk(value: Json, holds: Callable[[Json], bool]) -> Json:
    size = cost(value)
    for price, simple in _SIMPLE:
        if price >= size:
            break
        if holds(simple):
            return simple
    tried = 0
    again = True
    while again:
        again = False
        for smaller in _smaller(value):
            tried += 1
            if tried > MOST_SHRINKS:
                break
            if holds(smaller):
                value, again = smaller, True
                break
    return value


def _smaller(value: Json) -> Iterator[Json]:
    """Yield values that are like this one and cost less to read, the greatest steps first."""
    if isinstance(value, dict):
        yield from (item for item in value.values() if isinstance(item, dict | list))
        yield from _smaller_object(value)
    elif isinstance(value, list):
        yield from (item for item in value if isinstance(item, dict | list))
        for index in range(len(value)):
            yield value[:index] + value[index + 1 :]
        for index, item in enumerate(value):
            yield from ([*value[:index], inner, *value[index + 1 :]] for inner in _simpler(item))
    elif isinstance(value, str) and len(value) > 1:
        yield from (value[: len(value) // 2], value[:-1], value[1:])
    elif isinstance(value, int | float) and not isinstance(value, bool):
        size = cost(value)
        yield from (one for one in (int(value / 2), value - 1 if value > 0 else value + 1) if cost(one) < size)


def _simpler(part: Json) -> Iterator[Json]:
    """Yield what may stand in the place of a part and costs less to read."""
    size = cost(part)
    for price, simple in _SIMPLE:
        if price >= size:
            break
        yield simple
    yield from _smaller(part)


def _smaller_object(value: dict[str, Json]) -> Iterator[Json]:
    """Yield objects with fewer members, shorter names or smaller members."""
    if len(value) > MOST_AT_ONCE:
        items = list(value.items())
        yield from (dict(items[start::2]) for start in (0, 1))
        yield from (dict(half) for half in (items[: len(items) // 2], items[len(items) // 2 :]))
    for key in value:
        yield {other: item for other, item in value.items() if other != key}
    for key in value:
        for name in (short for short in _NAMES if short not in value and len(short) < len(key)):
            yield {name if other == key else other: item for other, item in value.items()}
    for key, item in value.items():
        yield from ({**value, key: inner} for inner in _simpler(item))
