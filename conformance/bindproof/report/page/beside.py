"""Expected and observed in full, a line beside its line, with what differs marked.

Enters: one piece of evidence. Leaves: rows of marked text. Must not know where they are shown.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import zip_longest

from msgspec import Struct

from bindproof.core.model import Evidence, Json

MOST_LINES = 120
"""Lines of a side; the log keeps more."""

LONGEST_LINE = 400
"""Characters of a line."""


class Piece(Struct, frozen=True):
    """A part of a line, and whether the other side has something else there."""

    text: str
    marked: bool


class Row(Struct, frozen=True):
    """A line of each side, empty where the other has one more."""

    expected: tuple[Piece, ...]
    observed: tuple[Piece, ...]
    differs: bool


class Contrast(Struct, frozen=True):
    """Both sides, and how many lines of them are left out."""

    rows: tuple[Row, ...]
    more: int


def beside(evidence: Evidence) -> Contrast:
    """Return both sides of a piece of evidence."""
    missing = evidence.observed is None and evidence.record is None
    left = _lines(evidence.expected)
    right = ["nothing"] if missing else _lines(_ordered(evidence.observed, evidence.expected))
    more = max(0, len(left) - MOST_LINES, len(right) - MOST_LINES)
    return Contrast(tuple(_rows(left[:MOST_LINES], right[:MOST_LINES])), more)


def _lines(value: Json) -> list[str]:
    text = value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)
    return [line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}…" for line in text.split("\n")]


def _ordered(value: Json, like: Json) -> Json:
    """Return a value whose members come in the order of another's: where they differ is all that counts."""
    if isinstance(value, dict) and isinstance(like, dict):
        keys = [*(key for key in like if key in value), *(key for key in value if key not in like)]
        return {key: _ordered(value[key], like.get(key)) for key in keys}
    if isinstance(value, list) and isinstance(like, list):
        return [_ordered(one, other) for one, other in zip_longest(value, like[: len(value)])]
    return value


def _rows(left: list[str], right: list[str]) -> Iterator[Row]:
    for kind, at, end, other, other_end in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if kind == "equal":
            yield from (Row((Piece(line, False),), (Piece(line, False),), False) for line in left[at:end])
            continue
        for one, two in zip_longest(left[at:end], right[other:other_end]):
            yield Row(*_pieces(one, two), True)


def _pieces(one: str | None, two: str | None) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    if one is None or two is None:
        return _whole(one), _whole(two)
    start = _alike(one, two)
    end = min(_alike(one[::-1], two[::-1]), len(one) - start, len(two) - start)
    return _cut(one, start, end), _cut(two, start, end)


def _whole(line: str | None) -> tuple[Piece, ...]:
    return () if line is None else (Piece(line, True),)


def _cut(line: str, start: int, end: int) -> tuple[Piece, ...]:
    parts = (line[:start], False), (line[start : len(line) - end], True), (line[len(line) - end :], False)
    return tuple(Piece(text, marked) for text, marked in parts if text)


def _alike(one: str, two: str) -> int:
    """How many characters two lines begin alike with."""
    return next(
        (at for at, (left, right) in enumerate(zip(one, two, strict=False)) if left != right), min(len(one), len(two))
    )
