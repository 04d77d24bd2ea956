"""Every difference between a log and its prediction, each for itself: behind one the comparison goes on.

Enters: a prediction, a log that it does not allow, the lane of each record. Leaves: discrepancies, and the step that
each record of the log belongs to. Judges nothing; `match.allows` is what is asked of most logs.

A prediction may have `belongs`: for each record of each lane the names of what it belongs to. The first is its step, or
the outermost of several; the others are as the suite likes, such as its part in the step. Without, all belong together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain

from msgspec import Struct

from bindproof.core.model import EVERY_LANE, Evidence, Json
from bindproof.judge.alignment import Alignment, Pair, Wanted, align, wanted
from bindproof.judge.lanes import places
from bindproof.judge.match import MISSING, Bindings, Difference, allows, in_turn, unordered
from bindproof.judge.record_differences import assume, identities, record_differences, texts

Names = tuple[str, ...]

ELSEWHERE, LATER = "(another place)", "(later)"
"""What is expected of a record that stands at the wrong place of its lane, and of one that comes too early."""

MOST = 200
"""So many differences are told of one log; one more says how many there are beside them."""


class Discrepancy(Struct, frozen=True):
    """One difference from the reference, as evidence whose `about` are the names of what its record belongs to."""

    evidence: Evidence
    involved: frozenset[int] = frozenset()
    """The records any of which may be the one at fault, by index; none where one is missing."""
    changed: bool = False
    """The record is one that is expected, and says something else."""


def compare(prediction: Json, log: list[Json], lane_of: Callable[[Json], str]) -> list[Evidence]:
    """Return what differs; an empty list when the log is a run that the prediction allows."""
    if allows(prediction, log, lane_of):
        return []
    return [one.evidence for one in Comparison(prediction, log, lane_of).found]


class Comparison:
    """What differs between a log and its prediction.

    found: a discrepancy for each place of a record, each record that is missing, too much or out of place.
    placed: the prediction says what its records belong to. first: where records disagree which identity is which, the
    first is right; else what most of them show is.
    """

    def __init__(
        self, prediction: Json, log: list[Json], lane_of: Callable[[Json], str], *, first: bool = False
    ) -> None:
        self._log, self._lanes = log, prediction["lanes"]
        self._belongs: dict[str, list[list[str]]] = prediction.get("belongs", {})
        self.placed = "belongs" in prediction
        self._seen: dict[str, list[int | None]] = {}
        self._names: dict[int, list[Names]] = {}
        self._shown: Counter[tuple[str, str]] = Counter()
        self._bindings = Bindings()
        lanes = places(prediction["lanes"], map(lane_of, log))
        in_turn_aligned = {lane: self._aligned(lane, lanes[lane]) for lane in in_turn(self._lanes, lanes)}
        aligned = {lane: in_turn_aligned[lane] for lane in lanes}
        self._bindings = Bindings() if first else self._identified()
        found = list(chain.from_iterable(self._lane(lane, one) for lane, one in aligned.items()))
        found += self._order(prediction["after"])
        if len(found) > MOST:
            found[MOST:] = [_of_all(f"{len(found) - MOST} more differences from the reference")]
        self.found = found or [_of_all("is none of the runs that the reference allows")]

    def steps(self, record: int) -> set[str]:
        """Return the step that a record of the log belongs to; of one that is too much, those of its neighbours."""
        return {names[0] for names in self._names.get(record, ()) if names}

    def _aligned(self, lane: str, indices: list[int]) -> Alignment:
        """Return the pairs of a lane; what they show of identities helps to align the next one."""
        items = self._lanes.get(lane, [])
        alignment = align(wanted(items, self._seen), indices, self._log, self._identified())
        pairs = alignment.pairs
        self._seen[lane] = [None] * len(items)
        for pair in pairs:
            if pair.wanted is not None and pair.seen is not None:
                self._seen[lane][pair.wanted.position] = pair.seen
                self._names[pair.seen] = [self._at(lane, pair.wanted.position)]
                self._shown.update(identities(pair.wanted.record, self._log[pair.seen]))
        self._names.update({index: [self._at(lane, one.position)] for one, index in alignment.moved.items()})
        for at, pair in enumerate(pairs):
            if pair.wanted is None and pair.seen is not None and pair.seen not in self._names:
                near = (*_nearest(pairs[:at][::-1]), *_nearest(pairs[at + 1 :]))
                self._names[pair.seen] = [self._at(lane, one.position) for one in near]
        return alignment

    def _identified(self) -> Bindings:
        """Return which label is each identity: the one that is shown most often, of equal ones the first."""
        bindings = Bindings()
        for (name, label), _ in self._shown.most_common():
            if name not in bindings.identity and label not in bindings.named:
                bindings.bind(name, label)
        return bindings

    def _at(self, lane: str, position: int) -> Names:
        belongs = self._belongs.get(lane)
        return () if belongs is None else tuple(belongs[position])

    def _lane(self, lane: str, alignment: Alignment) -> Iterator[Discrepancy]:
        pairs, moved = alignment.pairs, alignment.moved
        absent = _Absent(self._lanes.get(lane, []), self._seen[lane], self._bindings)
        shifts: Counter[Names] = Counter()
        ahead: dict[tuple[str, str], int] = {}
        for pair in pairs:
            one, seen = pair.wanted, pair.seen
            if one is None:
                if seen is not None and seen not in moved.values():
                    shifts[texts(self._log[seen])] += 1
                    yield self._surplus(lane, seen)
            elif absent.lawfully(one):
                continue
            elif seen is None:
                assume(one.record, self._bindings)
                shifts[texts(one.record)] -= one not in moved
                yield self._elsewhere(lane, one, moved[one], pairs) if one in moved else self._missing(lane, one)
            elif absent.had_to_be(one):
                yield self._surplus(lane, seen)
            else:
                yield from self._changed(lane, one, seen, shifts[texts(self._log[seen])], ahead)

    def _changed(
        self, lane: str, one: Wanted, index: int, shift: int, ahead: dict[tuple[str, str], int]
    ) -> Iterator[Discrepancy]:
        """Yield what differs in a record.

        shift: by so much a number of it is greater, as others like it are too much. ahead: by how much the number at a
        pointer was greater for that reason in the last record with a text of this one's, such as its callback.
        """
        names = self._at(lane, one.position)
        own = texts(self._log[index])
        for found in record_differences(one.record, self._log[index], self._bindings):
            by = _ahead(found)
            if by and by in (shift, *(ahead.get((found.pointer, text)) for text in own)):
                ahead.update({(found.pointer, text): by for text in own})
                continue
            text = f"differs from the reference at {found.pointer or 'the record'}"
            evidence = Evidence(lane, text, index, found.expected, found.observed, found.pointer, about=names)
            yield Discrepancy(evidence, frozenset([index]), changed=True)

    def _missing(self, lane: str, one: Wanted) -> Discrepancy:
        text = "the reference demands a further record"
        return Discrepancy(Evidence(lane, text, None, one.record, MISSING, about=self._at(lane, one.position)))

    def _surplus(self, lane: str, index: int) -> Discrepancy:
        text = "the reference allows no further record here"
        names = tuple(dict.fromkeys(chain(*self._names[index])))
        return Discrepancy(Evidence(lane, text, index, MISSING, self._log[index], about=names), frozenset([index]))

    def _elsewhere(self, lane: str, one: Wanted, index: int, pairs: list[Pair]) -> Discrepancy:
        """Return the discrepancy of a record that is at another place: it moved, or what stands between."""
        ends = sorted(at for at, pair in enumerate(pairs) if pair.wanted is one or pair.seen == index)
        text = "stands at another place than in the reference"
        crossed = [pair.seen for pair in pairs[ends[0] : ends[1] + 1] if pair.seen is not None]
        names = self._at(lane, one.position)
        return Discrepancy(Evidence(lane, text, index, ELSEWHERE, self._log[index], about=names), frozenset(crossed))

    def _order(self, after: list[Json]) -> Iterator[Discrepancy]:
        for (lane, position, other, before), here, there in unordered(after, self._seen):
            text = f"comes before record {before} of lane {other}, on which it depends"
            names = self._at(lane, position)
            evidence = Evidence(lane, text, here, LATER, self._log[here], also=(there,), about=names)
            yield Discrepancy(evidence, frozenset([here, there]))


class _Absent:
    """What of a lane's records that may be missing is missing: from the first on, all later ones of its stream are."""

    def __init__(self, items: list[Json], seen: list[int | None], bindings: Bindings) -> None:
        self._items, self._seen, self._bindings = items, seen, bindings
        self._items_gone: set[int] = set()
        self._streams_gone: set[str] = set()

    def lawfully(self, one: Wanted) -> bool:
        """Tell whether an expected record is missing, and may be: nothing of its item is there."""
        if one.group is None or self._seen[one.position] is not None:
            return False
        if one.group not in self._items_gone:
            self._items_gone.add(one.group)
            self._streams_gone.add(one.stream)
            self._bindings.absent.update(self._items[one.position].get("counts", {}))
        return True

    def had_to_be(self, one: Wanted) -> bool:
        """Tell whether an expected record has to be missing, as an earlier one of its stream is."""
        return one.stream in self._streams_gone


def _ahead(found: Difference) -> int:
    """Return by how much a number right in a record is greater than it should be; 0 for what is no such number."""
    numbers = type(found.expected) is int and type(found.observed) is int
    return int(found.observed - found.expected) if numbers and found.pointer.count("/") == 1 else 0


def _nearest(pairs: list[Pair]) -> list[Wanted]:
    """Return the first expected record of these pairs, as a list of one or none."""
    return next(([pair.wanted] for pair in pairs if pair.wanted is not None), [])


def _of_all(text: str) -> Discrepancy:
    return Discrepancy(Evidence(EVERY_LANE, text))
