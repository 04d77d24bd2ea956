"""Expected and observed, side by side, cut down to what a reader needs.

Enters: one piece of evidence. Leaves: pairs of short texts. Must not know where they are printed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice

from bindproof.core.model import Evidence, Json
from bindproof.core.pointer import pointer_to
from bindproof.report.in_words import in_words

LONGEST = 1200
"""Characters of one side; what is longer is cut, and says so. The log keeps all of it."""

MOST_PLACES = 40
"""So many places in which two values differ are shown; then it is said how many more there are."""

MOST_TEXT = 6000
"""Characters of what two values differ in: where they are more, fewer places are shown."""

SMALL = 400
"""Two objects that are together no longer than this are shown whole, others only where they differ."""


def contrast(evidence: Evidence) -> list[tuple[str, str, str]]:
    """Rows of (place, expected, observed); the place is a JSON pointer into both, empty for the whole."""
    expected, observed = in_words(evidence.expected), evidence.observed
    if observed is None and evidence.record is None:
        return [("", text(expected), "nothing")]
    both_small = len(text(expected)) + len(text(observed)) <= SMALL
    if both_small or type(expected) is not type(observed) or not isinstance(expected, dict | list):
        return [("", text(expected), text(observed))]
    return list(_rows(_differences("", [expected], [observed]))) or [("", text(expected), text(observed))]


def _rows(places: Iterator[tuple[str, list[Json], list[Json]]]) -> Iterator[tuple[str, str, str]]:
    """Yield a row for each place, of many the first ones, and then one that says how many more there are."""
    shown = 0
    for pointer, one, other in islice(places, MOST_PLACES):
        left, right = _side(one), _side(other)
        yield pointer, left, right
        shown += len(left) + len(right)
        if shown > MOST_TEXT:
            break
    if more := sum(1 for _ in places):
        yield "…", f"{more} more places differ", "see the log (--results FILE)"


def text(value: Json) -> str:
    """A JSON value as text: words as they are, anything else as indented JSON, cut at LONGEST."""
    shown = value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)
    if len(shown) > LONGEST:
        return f"{shown[:LONGEST]}\n… ({len(shown) - LONGEST} characters more in the log)"
    return shown


def _side(value: list[Json]) -> str:
    return text(value[0]) if value else "absent"


def _differences(pointer: str, one: list[Json], other: list[Json]) -> Iterator[tuple[str, list[Json], list[Json]]]:
    """Where two values differ; a side is a list of one value, or empty where the member is absent."""
    if one and other:
        left, right = one[0], other[0]
        if type(left) is type(right) and isinstance(left, dict):
            for key in [*left, *(k for k in right if k not in left)]:
                yield from _differences(pointer + pointer_to([key]), _member(left, key), _member(right, key))
            return
        if type(left) is type(right) and isinstance(left, list):
            for at in range(max(len(left), len(right))):
                yield from _differences(f"{pointer}/{at}", left[at : at + 1], right[at : at + 1])
            return
        if type(left) is type(right) and left == right:
            return
    yield pointer, one, other


def _member(values: dict[str, Json], key: str) -> list[Json]:
    return [values[key]] if key in values else []
