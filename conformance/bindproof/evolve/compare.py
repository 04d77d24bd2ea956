"""Compares two sides: what each difference breaks by itself, and what all of them break together.

Enters: two Schemas, values to try first. Leaves: Decisions. It may take long or never end on schemas that mean to do
that: who cannot vouch for them asks in a process that can be killed (`bounded`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Final

import msgspec
from msgspec import Struct

from bindproof.core.model import Json
from bindproof.core.pointer import pointer_to
from bindproof.evolve.answers import DIRECTIONS, Answer, Decision, Direction
from bindproof.evolve.difference import STAYING, Difference, differences, made
from bindproof.evolve.effort import MOST_ASKED, asked
from bindproof.evolve.flat import flat, flattened
from bindproof.evolve.generate import Draw
from bindproof.evolve.keywords import nodes
from bindproof.evolve.local import parts, turned
from bindproof.evolve.proof import covers, difference
from bindproof.evolve.references import Node
from bindproof.evolve.rules import by_rule
from bindproof.evolve.schemas import Schemas, entries, leading, node_at, reached
from bindproof.evolve.search import witness
from bindproof.evolve.validators import Reader
from bindproof.evolve.vocabulary import Words

TRIES: Final = 600
"""Values that are drawn where nothing is proved, for one entry and direction."""

GUARDS: Final = 24
"""Values that are drawn all the same where it is proved that none is refused."""

Seeds = Mapping[str, Sequence[Json]]
"""Values to try before any is drawn, by the name of the file that they are of."""

Met = dict[str, list[Json]]
"""Witnesses by the entry that they were held against."""


class _Sides(Struct, frozen=True):
    """What is compared in one question, with the direction taken: does the reader take what the writer takes."""

    writer: Schemas
    reader: Schemas
    starts: tuple[Node, ...]
    changed: frozenset[Node]
    """The schemas that differ."""
    places: frozenset[Node]
    """The places of what differs in them: values that are drawn should have something there."""
    formats: bool
    """Whether a format is asked of values on either side."""


class Comparison:
    """Two sides, and the questions that can be asked about them, by number."""

    def __init__(self, old: Schemas, new: Schemas, seeds: Seeds | None = None, tries: int = TRIES) -> None:
        self._old = old
        self._new = new
        self._seeds = seeds or {}
        self._tries = tries
        self._met: Met = {}
        self._last: tuple[int, Schemas] | None = None
        self.differences: Final = differences(old, new)

    def __len__(self) -> int:
        """Return how many questions there are: one for each difference, and the last for all together."""
        return len(self.differences) + 1

    def meet(self, met: Met) -> None:
        """Take witnesses of other questions, to be tried first from now on."""
        self._met = met

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
        changed = frozenset({(one.file, one.node)})
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
    def _words(self) -> Words:
        return Words((self._old, self._new))

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
        both = list(dict.fromkeys([*entries(self._old), *entries(self._new)]))
        whole = {name for name, place in both if not place}
        return [start for start in both if not start[1] or start[0] not in whole]

    @cached_property
    def _turned(self) -> set[Node] | None:
        return turned((self._old_and_more, self._new_and_more), self._entries)

    def _is_entry(self, one: Difference) -> bool:
        return one.kind.startswith("file") or (one.file, one.place) in self._starting

    def _starts(self, changed: frozenset[Node]) -> tuple[Node, ...]:
        """Return the entries that ask what differs, those of its own files first."""
        own = {name for name, _ in changed}
        found = [start for start, there in self._entries.items() if changed & there]
        return tuple(sorted(found, key=lambda start: start[0] not in own))

    def _together(self, direction: Direction) -> Answer:
        ruled = [answer for one in self.differences if (answer := self._by_rule(one, direction)) is not None]
        made_here = [one for one in self.differences if one.kind not in STAYING]
        changed = frozenset((one.file, one.node) for one in made_here)
        valued = self._valued(self._new_and_more, self._starts(changed), changed, made_here, direction)
        return _worst([valued, *ruled])

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
        pair = (self._old_and_more, new) if direction == "old_to_new" else (new, self._old_and_more)
        places = frozenset((one.file, one.place) for one in about)
        return self._answer(_Sides(*pair, starts, changed, places, any(map(_has_formats, pair))))

    def _answer(self, sides: _Sides) -> Answer:
        """Prove it, or show the contrary, or say that nobody knows."""
        endless = [
            start
            for start in sides.starts
            if max(asked(side, start) for side in (sides.writer, sides.reader)) > MOST_ASKED
        ]
        if endless:
            return Answer("UNKNOWN", None, f"{_name(endless[0])} asks itself, or too many schemas, of one value.")
        for start in sides.starts:  # most breaks show at once, and need no proof
            found = self._search(sides, start, GUARDS)
            if found is not None:
                return found
        safe = self._proved_locally(sides)
        refused = False
        waiting: list[Node] = []
        for start in sides.starts:
            proved = True if safe else _entry_covers(sides, start)
            refused = refused or proved is False
            found = None if proved else self._search(sides, start, self._tries)
            if found is not None:
                return found
            if proved is None:
                waiting.append(start)
        if refused:
            return Answer("PROVED", True, "The subset check says that something is refused; no instance was found.")
        if waiting:
            names = ", ".join(_name(start) for start in waiting[:3])
            return Answer("UNKNOWN", None, f"Neither a proof nor an instance was found for {names}.")
        why = "Everything that the changed parts took they take, and nothing around them turns that round."
        return Answer("PROVED", False, why if safe else "The subset check proves that nothing is refused.")

    def _proved_locally(self, sides: _Sides) -> bool:
        if self._turned is None or not sides.changed:
            return not sides.changed
        for node in sides.changed:
            if node in self._turned:
                return False
            try:
                pair = parts(node_at(sides.writer, node), node_at(sides.reader, node))
            except (LookupError, TypeError, ValueError):
                return False
            narrow, wide = (
                flattened(schemas, part, schemas[node[0]].draft)
                for schemas, part in zip((sides.writer, sides.reader), pair, strict=True)
            )
            if narrow is None or wide is None or covers(wide, narrow) is not True:
                return False
        return True

    def _search(self, sides: _Sides, start: Node, tries: int) -> Answer | None:
        for formats in (True, False) if sides.formats else (True,):
            writer = Reader(sides.writer, start, formats=formats)
            reader = Reader(sides.reader, start, formats=formats)
            try:
                found = witness(writer, reader, self._candidates(sides, start, tries))
            except ValueError as error:
                return Answer("UNKNOWN", None, f"{_name(start)} cannot be used: {str(error)[:200]}")
            if found is not msgspec.UNSET:
                self._met.setdefault(_name(start), []).append(found)
                which = "a reader that asserts formats" if formats and sides.formats else "the reader"
                return Answer(
                    "WITNESS", True, f"Its writers may write this, and {which} refuses it.", found, _name(start)
                )
        return None

    def _candidates(self, sides: _Sides, start: Node, tries: int) -> Iterator[Json]:
        yield from list(self._met.get(_name(start), ()))
        yield from self._seeds.get(start[0], ())
        yield from _examples(sides, start)
        random = Random(_name(start))  # noqa: S311 - a seed, so that a report is the same every time
        warm = frozenset(leading(sides.writer, start, sides.changed) | sides.places)
        draw = Draw(random, sides.writer, self._words, warm)
        alone = tries > GUARDS and self._apart(sides, start)
        if alone:
            inner = Draw(random, sides.writer, self._words)
            yield from (inner.of(alone) for _ in range(tries // 4))
        yield from (draw.value(start) for _ in range(tries))
        if tries > GUARDS:
            other = Draw(random, sides.reader, self._words, warm)
            yield from (other.value(start) for _ in range(tries // 4))

    @staticmethod
    def _apart(sides: _Sides, start: Node) -> Json:
        """Return a schema of what is refused, where there is one."""
        old, new = flat(sides.writer, start), flat(sides.reader, start)
        if old is None or new is None:
            return None
        apart = difference(old, new)
        return apart if isinstance(apart, dict) else None


def _entry_covers(sides: _Sides, start: Node) -> bool | None:
    narrow, wide = flat(sides.writer, start), flat(sides.reader, start)
    return None if narrow is None or wide is None else covers(wide, narrow)


def _has_formats(schemas: Schemas) -> bool:
    return any(
        isinstance(node, dict) and "format" in node for schema in schemas.values() for _, node in nodes(schema.root)
    )


def _examples(sides: _Sides, start: Node) -> Iterator[Json]:
    for side in (sides.writer, sides.reader):
        try:
            schema = node_at(side, start)
        except (LookupError, TypeError, ValueError):
            continue
        if isinstance(schema, dict):
            examples = schema.get("examples")
            yield from examples if isinstance(examples, list) else ()


def _worst(answers: Iterable[Answer]) -> Answer:
    """Return the answer that weighs most: a break, then one that nobody knows."""
    order = {True: 0, None: 1, False: 2}
    return min(answers, key=lambda answer: order[answer.breaks])


def _name(start: Node) -> str:
    return f"{start[0]}#{pointer_to(start[1])}" if start[1] else start[0]
