"""Ways to make a JSON document smaller, whatever it means.

Enters: a JSON document. Leaves: reductions, and the documents that they make. Must not know scenarios: what a reduction
makes may be nonsense, and whoever asks has to say whether it is not.

Smaller is one total order (`core.smallest`). A reduction that does not make a document smaller is not proposed, so
making smaller always comes to an end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, pairwise
from typing import Final

from msgspec import Struct

from bindproof.core.model import Json
from bindproof.core.smallest import cost, size

Path = tuple[str | int, ...]

CUT: Final = object()
"""Stands for: take it away."""

LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"

MERGED_PAIRS: Final = 8
"""Of a longer list only neighbours are merged."""


class Reduction(Struct, frozen=True):
    """Put `value` at a path, or CUT what is there."""

    path: Path
    value: object


def places(document: Json, path: Path = ()) -> Iterator[tuple[Path, Json]]:
    """Yield every value of a document with its path, outer ones first."""
    yield path, document
    if isinstance(document, dict):
        for key in sorted(document):
            yield from places(document[key], (*path, key))
    elif isinstance(document, list):
        for index, item in enumerate(document):
            yield from places(item, (*path, index))


def cuts(document: Json, depth: int | None = None) -> list[Reduction]:
    """Return a reduction for each value that can be taken away; depth: of those at this depth alone."""
    return [Reduction(path, CUT) for path, _ in places(document) if path and depth in (None, len(path))]


def puts(document: Json) -> list[Reduction]:
    """Return the reductions that put something simpler in the place of a value: a part of it, or a plain value."""
    found = []
    for path, value in places(document):
        for simple in _simpler(value):
            if cost(simple) < cost(value) and path:
                found.append(Reduction(path, simple))
    return found


def hoists(document: Json, depth: int) -> list[Reduction]:
    """Return the reductions that put a part of the same kind in the place of an object at this depth."""
    return [
        Reduction(path, part)
        for path, value in places(document)
        if len(path) == depth and isinstance(value, dict)
        for inner, part in places(value)
        if inner and isinstance(part, dict)
    ]


def _simpler(value: Json) -> Iterator[Json]:
    if isinstance(value, dict):
        yield from (part for path, part in places(value) if path)
        yield {}
    elif isinstance(value, list):
        yield from value
        yield []
    elif isinstance(value, str):
        yield from LETTERS[:2]
    yield 0


def others(document: Json) -> Iterator[Json]:
    """Yield smaller documents that are made in another way.

    One list of several takes the place of the item that has them, two items are made one, a name is made short, items
    are exchanged, all items that name the same are gone and with them one thing more that only they needed.
    """
    heaviness = size(document)
    ways = (_opened, _merged, _renamed, _exchanged, _parted)
    for made in (made for way in ways for made in way(document)):
        if size(made) < heaviness:
            yield made


def applied(document: Json, reductions: Iterable[Reduction]) -> Json:
    """Return a document with these reductions done; one within another is left out, and a second one of a place."""
    chosen: dict[Path, object] = {}
    for reduction in sorted(reductions, key=lambda reduction: len(reduction.path)):
        if not any(reduction.path[:end] in chosen for end in range(1, len(reduction.path) + 1)):
            chosen[reduction.path] = reduction.value
    return _applied(document, (), chosen)


def _applied(value: Json, path: Path, chosen: dict[Path, object]) -> Json:
    if isinstance(value, dict):
        pairs = ((key, _at((*path, key), item, chosen)) for key, item in value.items())
        return {key: item for key, item in pairs if item is not CUT}
    if isinstance(value, list):
        items = (_at((*path, index), item, chosen) for index, item in enumerate(value))
        return [item for item in items if item is not CUT]
    return value


def _at(path: Path, value: Json, chosen: dict[Path, object]) -> object:
    return chosen[path] if path in chosen else _applied(value, path, chosen)


def _opened(document: Json) -> Iterator[Json]:
    """Yield the documents in which the items of an inner list stand where the item is that has a list of lists."""
    for path, value in places(document):
        if path and isinstance(value, list):
            for index, lists in [(index, part) for index, item in enumerate(value) for part in _lists_of(item)]:
                for chosen in lists:
                    yield applied(document, [Reduction(path, [*value[:index], *chosen, *value[index + 1 :]])])


def _parted(document: Json) -> Iterator[Json]:
    """Yield the documents without the items of lists that have one member alike, and without one thing more."""
    items = [(path, item) for path, item in places(document) if path and isinstance(path[-1], int)]
    members = [(path, item.items()) for path, item in items if isinstance(item, dict)]
    for pair in sorted({(key, word) for _, own in members for key, word in own if isinstance(word, str)}):
        rest = applied(document, [Reduction(path, CUT) for path, own in members if pair in own])
        yield rest
        yield from (applied(rest, [reduction]) for reduction in cuts(rest))


def _lists_of(item: Json) -> list[list[Json]]:
    """Return the members of an object that are lists of lists."""
    parts = item.values() if isinstance(item, dict) else ()
    return [part for part in parts if isinstance(part, list) and all(isinstance(one, list) for one in part)]


def _merged(document: Json) -> Iterator[Json]:
    """Yield the documents in which two items of one list are made one that has the parts of both."""
    for path, value in places(document):
        if isinstance(value, list):
            near = combinations(range(len(value)), 2) if len(value) <= MERGED_PAIRS else pairwise(range(len(value)))
            for first, second in near:
                one, other = value[first], value[second]
                if type(one) is type(other) and isinstance(one, dict | list):
                    joined = [*value[:first], _joined(one, other), *value[first + 1 : second], *value[second + 1 :]]
                    yield applied(document, [Reduction(path, joined)]) if path else joined


def _joined(one: Json, other: Json) -> Json:
    if isinstance(one, dict) and isinstance(other, dict):
        both = {key: _joined(one[key], other[key]) for key in one if key in other}
        return one | other | both
    return one + other if isinstance(one, list) and isinstance(other, list) else one


def _renamed(document: Json) -> Iterator[Json]:
    """Yield the documents in which one word is, wherever it stands, another single letter."""
    words = sorted({part for word in _words(document) for part in word.split("/")})
    free = [letter for letter in LETTERS if letter not in words]
    for word in words:
        for letter in [one for one in LETTERS if one in free[:1] or one in words]:
            if word not in ("", letter) and (len(word), word) > (len(letter), letter):
                yield _with(document, word, letter)


def _words(document: Json) -> Iterator[str]:
    for path, value in places(document):
        if isinstance(value, str):
            yield value
        if path and isinstance(path[-1], str):
            yield path[-1]


def _with(value: Json, word: str, letter: str) -> Json:
    """Return a value with a word replaced where it is a whole text, a key, or a whole part of a path."""
    if isinstance(value, dict):
        return {_with(key, word, letter): _with(item, word, letter) for key, item in value.items()}
    if isinstance(value, list):
        return [_with(item, word, letter) for item in value]
    if isinstance(value, str) and word in value:
        return "/".join(letter if part == word else part for part in value.split("/"))
    return value


def _exchanged(document: Json) -> Iterator[Json]:
    """Yield the documents in which two neighbours of a list have changed places."""
    for path, value in places(document):
        if isinstance(value, list):
            for first, second in pairwise(range(len(value))):
                turned = [*value[:first], value[second], value[first], *value[second + 1 :]]
                yield applied(document, [Reduction(path, turned)]) if path else turned
