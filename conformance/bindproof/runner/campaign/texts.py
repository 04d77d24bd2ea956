"""Ways to make the texts of a JSON document shorter, such as expressions of a language that nobody told us.

Enters: a JSON document. Leaves: smaller documents. Must not know the language: words, numbers, spaces and brackets are
all that is seen of it. What is made may be nonsense, and whoever asks has to say whether it is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from bindproof.core.model import Json
from bindproof.core.smallest import size
from bindproof.core.tokens import tokens
from bindproof.runner.campaign.reductions import LETTERS, Reduction, applied, places

_CLOSING: Final = {"(": ")", "[": "]", "{": "}"}

FEWEST: Final = 2
"""A text of fewer tokens is a word: it is made short as a whole."""


def shorter_texts(document: Json) -> Iterator[Json]:
    """Yield the smaller documents in which one text is shorter: without a part, a bracket or what stands in one, or
    with a plain word or number.
    """
    heaviness = size(document)
    for path, value in places(document):
        if path and isinstance(value, str):
            for made in dict.fromkeys(_shorter(tokens(value))):
                smaller = applied(document, [Reduction(path, made)])
                if size(smaller) < heaviness:
                    yield smaller


def _shorter(parts: Sequence[str]) -> Iterator[str]:
    if len(parts) < FEWEST:
        return
    for first, last in _brackets(parts):
        yield "".join(parts[first + 1 : last])
        yield "".join([*parts[:first], *parts[last + 1 :]])
        yield "".join([*parts[:first], *parts[first + 1 : last], *parts[last + 1 :]])
        yield "".join([*parts[: first + 1], *parts[last:]])
    width = len(parts) // 2
    while width:
        for start in range(0, len(parts), width):
            yield "".join([*parts[:start], *parts[start + width :]])
        width //= 2
    for at, part in enumerate(parts):
        for plain in _plain(part):
            yield "".join([*parts[:at], plain, *parts[at + 1 :]])


def _brackets(parts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield where each bracket that is closed begins and ends, outer ones first."""
    found: list[tuple[int, int]] = []
    opened: list[int] = []
    for at, part in enumerate(parts):
        if part in _CLOSING:
            opened.append(at)
        elif opened and part == _CLOSING[parts[opened[-1]]]:
            found.append((opened.pop(), at))
    yield from sorted(found)


def _plain(part: str) -> Iterator[str]:
    if part.isdigit():
        yield from (plain for plain in ("0", "1") if plain != part)
    elif len(part) > 1 and not part.isspace():
        yield from LETTERS[:2]
    elif len(part) > 1:
        yield part[0]
