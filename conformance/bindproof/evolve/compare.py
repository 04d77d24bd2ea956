"""Compares two sides: what each difference breaks by itself, and what all of them break together.

Enters: two Schemas, values to try first. Leaves: Decisions. It may take long or never end on schemas that mean to do
that: who cannot vouch for them asks in a process that can be killed (`bounded`).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, partial
from typing import Final

from bindproof.evolve.answers import DIRECTIONS, Answer, Decision, Direction
from bindproof.evolve.candidates import FIRST, Candidates, Met, Pair, Seeds, name_of
from bindproof.evolve.difference import DRAFT_CHANGED, STAYING, Difference, differences, made
from bindproof.evolve.effort import DEEPEST_ASKED, MOST_ASKED, asked, depth_asked
from bindproof.evolve.flat import flat, flattened, is_recursive
from bindproof.evolve.keywords import nodes
from bindproof.evolve.local import parts, turned
from bindproof.evolve.pairing import takes_all
from bindproof.evolve.references import Node
from bindproof.evolve.rules import MEMBERS, by_rule, may_refuse
from bindproof.evolve.schemas import Schemas, entries, node_at, reached

TRIES: Final = 600
"""Values that are drawn where nothing is proved, for one entry and direction."""

SMALL: Final = 20_000
"""Bytes of JSON on both sides, up to which a proof of the whole costs less than to look at what differs."""

_PROVED: Final = "The subset check proves that nothing is refused."
_TOO_LARGE: Final = (
    "Its writers may write what is too large to show, and the reader refuses it, as both validators say."
)


class Comparison:
    """Two sides, and the questions that can be asked about them, by number."""

    def __init__(self, old: Schemas, new: Schemas, seeds: Seeds | None = None, tries: int = TRIES) -> None:
        self._old = old
        self._new = new
        self._tries = tries
        self._candidates = Candidates(old, new, seeds or {})
        self._last: tuple[int, Schemas] | None = None
        self.differences: Final = differences(old, new)

    def __len__(self) -> int:
        """Return how many questions there are: one for each difference, and the last for all together."""
        return len(self.differences) + 1

    def meet(self, met: Met) -> None:
        """Take witnesses of other questions, to be tried first from now on."""
        self._candidates.met = met

    def decision(self, number: int) -> Decision:
        """Answer a question in both directions."""
        about = self.differences[number] if number < len(self.differences) else None
        there, back = (self.answer(number, direction) for direction in DIRECTIONS)
        return Decision(there, back, about)

    def answer(self, number: int, direction: Direction) -> Answer:
        """Answer a question in one direction."""
        if number == len(self.differences):
            return self._together(direction)
        one = self.differences[number]
        ruled = self._by_rule(one, direction)
        if ruled is not None:
            return ruled
        changed = self._changed([one])
        starts = self._starts(changed)
        if not starts:
            return Answer("PROVED", False, "Nothing that values are held against asks this schema.")
        return self._valued(self._with(number), starts, changed, [one], direction)

    def _with(self, number: int) -> Schemas:
        """Return the old side with one difference made; both directions ask for it one after the other."""
        if self._last is None or self._last[0] != number:
            self._last = number, made(self._old, self._new, [self.differences[number]])
        return self._last[1]

    @cached_property
    def _old_and_more(self) -> Schemas:
        return made(self._old, self._new, [])

    @cached_property
    def _new_and_more(self) -> Schemas:
        return made(self._new, self._old, [])

    @cached_property
    def _entries(self) -> dict[Node, set[Node]]:
        """What takes part in each entry, on either side."""
        return {
            start: reached(self._old_and_more, start) | reached(self._new_and_more, start)
            for start in self._starting
            if start[0] in self._old and start[0] in self._new
        }

    @cached_property
    def _starting(self) -> list[Node]:
        """The entries of either side; a file that does more than define, on one of them, is one itself."""
        there, here = entries(self._old), entries(self._new)
        if there == here and not any(place for _, place in here):
            return here
        both = list(dict.fromkeys([*there, *here]))
        whole = {name for name, place in both if not place}
        return [start for start in both if not start[1] or start[0] not in whole]

    @cached_property
    def _turned(self) -> set[Node] | None:
        return turned((self._old_and_more, self._new_and_more), self._entries)

    def _is_entry(self, one: Difference) -> bool:
        """Tell of a file or definition that came or went whether values are held against it."""
        return one.kind.startswith("file") or (one.kind in STAYING and (one.file, one.place) in self._starting)

    def _changed(self, some: list[Difference]) -> frozenset[Node]:
        """Return the schemas in which these differences lie: of another draft all in its file, as each is read anew."""
        found = {(one.file, one.node) for one in some if one.kind != DRAFT_CHANGED}
        whole = {one.file for one in some if one.kind == DRAFT_CHANGED}
        return frozenset(found | {(name, at) for name in whole for at, _ in nodes(self._old_and_more[name].root)})

    def _starts(self, changed: frozenset[Node]) -> tuple[Node, ...]:
        """Return the entries that ask what differs: those in which it lies first, then those of its own files."""
        own = {name for name, _ in changed}
        around = {(name, place[:length]) for name, place in changed for length in range(len(place) + 1)}
        found = [start for start, there in self._entries.items() if changed & there]
        return tuple(sorted(found, key=lambda start: (start not in around, start[0] not in own)))

    def _together(self, direction: Direction) -> Answer:
        ruled = [answer for one in self.differences if (answer := self._by_rule(one, direction)) is not None]
        valued = self._at_once(direction)
        if valued is not None and not ruled:
            return valued
        if valued is None:
            made_here = [one for one in self.differences if one.kind not in STAYING]
            changed = self._changed(made_here)
            valued = self._valued(self._new_and_more, self._starts(changed), changed, made_here, direction)
        return _worst([valued, *ruled])

    def _at_once(self, direction: Direction) -> Answer | None:
        """Answer of small sides, as they are, by what is read off them or by a proof; None where that takes more."""
        if len(self._candidates.written) > SMALL:
            return None
        starts = [start for start in self._starting if start[0] in self._old and start[0] in self._new]
        sides = (self._old, self._new) if direction == "old_to_new" else (self._new, self._old)
        pair = Pair(*sides, tuple(starts), frozenset(), frozenset())
        # what refers may ask itself without end, which is looked at before anything is held against it
        first = not self._candidates.refers and any(
            may_refuse(one, direction, closed=self._is_closed(one)) for one in self.differences
        )
        for start in starts:
            found = self._read_off(pair, start) if first else None
            if found is not None:
                return found
            if not _entry_covers(pair, start, recursive=False):
                return None
        return self._refuted(pair) or Answer("PROVED", False, _PROVED)

    def _is_closed(self, one: Difference) -> bool:
        """Tell whether a member came or went in a schema that takes no other."""
        is_member = one.kind.rpartition(" ")[0] in MEMBERS
        return is_member and node_at(self._old, (one.file, one.node)).get("additionalProperties") is False

    def _by_rule(self, one: Difference, direction: Direction) -> Answer | None:
        """Return what a rule says of a difference; None where values decide."""
        ruled = by_rule(one, is_entry=self._is_entry(one))
        return ruled and ruled[DIRECTIONS.index(direction)]

    def _valued(
        self,
        new: Schemas,
        starts: tuple[Node, ...],
        changed: frozenset[Node],
        about: Iterable[Difference],
        direction: Direction,
    ) -> Answer:
        """Answer for the old side and another, as values decide."""
        sides = (self._old_and_more, new) if direction == "old_to_new" else (new, self._old_and_more)
        places = frozenset((one.file, one.place) for one in about)
        return self._answer(Pair(*sides, starts, changed, places))

    def _answer(self, pair: Pair) -> Answer:
        """Prove it, or show the contrary, or say that nobody knows."""
        if endless := _endless(pair):
            return Answer("UNKNOWN", None, endless)
        if self._proved_locally(pair):
            why = "Everything that the changed parts took they take, and nothing around them turns that round."
            return self._refuted(pair) or Answer("PROVED", False, why)
        for start in pair.starts:
            found = self._read_off(pair, start) or self._drawn(pair, start, FIRST)
            if found is not None:
                return found
        return self._searched(pair)

    def _searched(self, pair: Pair) -> Answer:
        """Prove it of each entry as a whole, and where that does not go look for a value among many."""
        refused = False
        waiting: list[Node] = []
        for start in pair.starts:
            proved = _entry_covers(pair, start)
            refused = refused or proved is False
            found = None if proved else self._drawn(pair, start, self._tries)
            if found is not None:
                return found
            if proved is None and self._candidates.too_large_to_show(pair, start):
                return Answer("PROVED", True, _TOO_LARGE)
            if proved is None:
                waiting.append(start)
        if refused:
            return Answer("PROVED", True, "The subset check says that something is refused; no instance was found.")
        if waiting:
            names = ", ".join(name_of(start) for start in waiting[:3])
            return Answer("UNKNOWN", None, f"Neither a proof nor an instance was found for {names}.")
        return Answer("PROVED", False, _PROVED)

    def _refuted(self, pair: Pair) -> Answer | None:
        """Try what is known of notes, vectors and other questions all the same: none of it may refute a proof."""
        for start in pair.starts:
            known = self._candidates.known(pair, start)
            found = self._candidates.search(pair, start, partial(iter, known)) if known else None
            if found is not None:
                return found
        return None

    def _read_off(self, pair: Pair, start: Node) -> Answer | None:
        return self._candidates.search(pair, start, lambda: self._candidates.read_off(pair, start))

    def _drawn(self, pair: Pair, start: Node, tries: int) -> Answer | None:
        return self._candidates.search(pair, start, lambda: self._candidates.drawn(pair, start, tries))

    def _proved_locally(self, pair: Pair) -> bool:
        if self._turned is None or not pair.changed:
            return not pair.changed
        for node in pair.changed:
            if node in self._turned or pair.writer[node[0]].draft != pair.reader[node[0]].draft:
                return False  # the same keywords may mean another thing in each draft
            try:
                two = parts(node_at(pair.writer, node), node_at(pair.reader, node))
            except (LookupError, TypeError, ValueError):
                return False
            narrow, wide = (
                flattened(schemas, part, schemas[node[0]].draft)
                for schemas, part in zip((pair.writer, pair.reader), two, strict=True)
            )
            if narrow is None or wide is None or takes_all(wide, narrow) is not True:
                return False
        return True


def _endless(pair: Pair) -> str:
    """Return why an entry asks more of one value than a validator ends with; nothing where none does."""
    for start in pair.starts:
        for side in (pair.writer, pair.reader):
            if asked(side, start) > MOST_ASKED:
                return f"{name_of(start)} asks itself, or too many schemas, of one value."
            if depth_asked(side, start) > DEEPEST_ASKED:
                return f"{name_of(start)} asks more than {DEEPEST_ASKED} schemas, one in the other, of one value."
    return ""


def _entry_covers(pair: Pair, start: Node, *, recursive: bool = True) -> bool | None:
    """Tell whether the reader takes all that the writer takes.

    recursive: whether schemas that ask themselves are tried. Some do so without end, which has to be known before.
    """
    try:
        narrow, wide = flat(pair.writer, start), flat(pair.reader, start)
    except (LookupError, TypeError, ValueError):  # one side has no such entry
        return None
    if narrow is None or wide is None or (not recursive and (is_recursive(narrow) or is_recursive(wide))):
        return None
    return takes_all(wide, narrow)


def _worst(answers: Iterable[Answer]) -> Answer:
    """Return the answer that weighs most: a break, then one that nobody knows."""
    order = {True: 0, None: 1, False: 2}
    return min(answers, key=lambda answer: order[answer.breaks])
