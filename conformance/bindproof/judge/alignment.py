"""Puts the records of a lane beside those that are expected there, so that each difference is seen for itself.

Enters: what a lane is expected to have, what it has, what the log has shown so far. Leaves: pairs. Judges nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from msgspec import Struct

from bindproof.core.model import Json
from bindproof.judge.match import Bindings, goes_missing
from bindproof.judge.record_differences import agree, akin, related, unlikeness

GAP = 0.75
"""What a record that is missing, or that is too much, costs; each place in which two records differ costs 1.

So a record changed in one place is seen as that, and two neighbours that were swapped as one that moved.
"""

COUNTED = 0.125
"""What such a place costs that holds a number right in its record, where neither record has its like in the lane."""

MOST = 40_000
"""So many pairs of records are tried in a lane, behind what it has in common at its ends."""


class Wanted(Struct, eq=False, frozen=True):
    """A record that is expected in a lane."""

    record: Json
    position: int
    """Of its item there."""
    group: int | None = None
    """That of an item whose records may be missing, all together; None for others."""
    stream: str = ""
    """What of such an item all later ones are missing with."""
    gone: bool = False
    """It is missing, as those are that it comes with."""


class Pair(Struct, frozen=True):
    """A record that is expected beside the one that is there: index into the log. One of the two may be None."""

    wanted: Wanted | None
    seen: int | None


def wanted(items: list[Json], seen: dict[str, list[int | None]]) -> list[Wanted]:
    """Return the records that a lane of a prediction has, one by one. seen: where those of other lanes are."""
    found: list[Wanted] = []
    for position, item in enumerate(items):
        if "$maybe" in item:
            gone = goes_missing(item, seen)
            found += [Wanted(record, position, position, item["of"], gone) for record in item["$maybe"]]
        else:
            found.append(Wanted(item, position))
    return found


class Alignment(Struct, frozen=True):
    """The pairs of a lane in its order, and those records of it that stand elsewhere: index of each into the log."""

    pairs: list[Pair]
    moved: dict[Wanted, int]


def align(expected: list[Wanted], indices: list[int], log: list[Json], bindings: Bindings) -> Alignment:
    """Return the pairs of a lane, such that as little as possible differs.

    What is too long to try every pair of is taken as it comes.
    """
    head = _common(list(zip(expected, indices, strict=False)), log, bindings)
    rest, left = expected[head:], indices[head:]
    tail = _common(list(zip(reversed(rest), reversed(left), strict=False)), log, bindings)
    middle, between = rest[: len(rest) - tail], left[: len(left) - tail]
    ends = zip(rest[len(middle) :], left[len(between) :], strict=True)
    pairs = list(_inner(middle, between, log, bindings))
    moved = dict(_moved(pairs, log, bindings))
    first = [Pair(one, index) for one, index in zip(expected[:head], indices[:head], strict=True)]
    return Alignment([*first, *_merged(pairs, moved, log), *(Pair(one, index) for one, index in ends)], moved)


def _moved(pairs: list[Pair], log: list[Json], bindings: Bindings) -> Iterator[tuple[Wanted, int]]:
    """Yield the expected records that are in the lane, but at another place."""
    surplus = [pair.seen for pair in pairs if pair.wanted is None and pair.seen is not None]
    for pair in pairs:
        if pair.wanted is not None and pair.seen is None and pair.wanted.group is None:
            for index in surplus:
                if agree(pair.wanted.record, log[index], bindings):
                    surplus.remove(index)
                    yield pair.wanted, index
                    break


def _inner(expected: list[Wanted], indices: list[int], log: list[Json], bindings: Bindings) -> Iterator[Pair]:
    if len(expected) * len(indices) <= MOST:
        return _aligned(expected, indices, log, bindings)
    return (Pair(one, index) for one, index in zip_longest(expected, indices))


def _common(pairs: list[tuple[Wanted, int]], log: list[Json], bindings: Bindings) -> int:
    """Return how many of the first pairs agree, as far as a pair can tell for itself."""
    for count, (one, index) in enumerate(pairs):
        if one.group is not None or not agree(one.record, log[index], bindings):
            return count
    return len(pairs)


def _aligned(expected: list[Wanted], indices: list[int], log: list[Json], bindings: Bindings) -> Iterator[Pair]:
    apart = _distances(expected, [log[index] for index in indices], bindings)
    costs = _costs(expected, len(indices), apart)
    at, place = 0, 0
    while at < len(expected) or place < len(indices):
        here = costs[at][place]
        if at < len(expected) and place < len(indices) and here == apart[at][place] + costs[at + 1][place + 1]:
            yield Pair(expected[at], indices[place])
            at, place = at + 1, place + 1
        elif at < len(expected) and here == _gap(expected[at]) + costs[at + 1][place]:
            yield Pair(expected[at], None)
            at += 1
        else:
            yield Pair(None, indices[place])
            place += 1


def _distances(expected: list[Wanted], records: list[Json], bindings: Bindings) -> list[list[float]]:
    """Return how far each expected record is from each that is there, in a row for each expected one.

    A number right in a record that is another tells little, as it counts others: unless a record with the expected
    number is there, or the one that is there is expected elsewhere.
    """
    found = [[_unlike(one, record, bindings) for record in records] for one in expected]
    rows = [(0, 0) in row for row in found]
    columns = [(0, 0) in column for column in zip(*found, strict=True)]
    return [
        [
            places + numbers * (1 if row or column else COUNTED)
            for (places, numbers), column in zip(line, columns, strict=True)
        ]
        for line, row in zip(found, rows, strict=True)
    ]


def _unlike(one: Wanted, record: Json, bindings: Bindings) -> tuple[float, int]:
    return unlikeness(one.record, record, bindings) if akin(one.record, record) and not one.gone else (float("inf"), 0)


def _gap(one: Wanted) -> float:
    return GAP if one.group is None else 0.0


def _costs(expected: list[Wanted], count: int, apart: list[list[float]]) -> list[list[float]]:
    """Return what it costs at least to pair what is left from each place on."""
    costs = [[(count - place) * GAP for place in range(count + 1)]]
    for one, row in zip(reversed(expected), reversed(apart), strict=True):
        below, gap = costs[-1], _gap(one)
        line = [below[count] + gap]
        for place in range(count - 1, -1, -1):
            line.append(min(row[place] + below[place + 1], gap + below[place], GAP + line[-1]))
        costs.append(line[::-1])
    return costs[::-1]


def _merged(pairs: list[Pair], moved: dict[Wanted, int], log: list[Json]) -> Iterator[Pair]:
    """Yield the pairs, where a record that is missing and one too much at its place are one that changed."""
    elsewhere = set(moved.values())
    missing: list[Wanted] = []
    surplus: list[int] = []
    for pair in pairs:
        both = pair.wanted is not None and pair.seen is not None
        if both or pair.wanted in moved or pair.seen in elsewhere:
            yield from _changed(missing, surplus, log)
            missing, surplus = [], []
            yield pair
        elif pair.wanted is not None:
            missing.append(pair.wanted)
        elif pair.seen is not None:
            surplus.append(pair.seen)
    yield from _changed(missing, surplus, log)


def _changed(missing: list[Wanted], surplus: list[int], log: list[Json]) -> Iterator[Pair]:
    for at, one in enumerate(missing):
        spared = one.group is not None and any(other.group is None for other in missing[at + 1 :])
        index = None if spared or one.gone else next((each for each in surplus if related(one.record, log[each])), None)
        if index is not None:
            for other in surplus[: surplus.index(index)]:
                yield Pair(None, other)
            surplus = surplus[surplus.index(index) + 1 :]
        yield Pair(one, index)
    yield from (Pair(None, index) for index in surplus)
