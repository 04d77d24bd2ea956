"""The values that may show a break of an entry, and the witness among them.

Enters: two Schemas, values to try first. Leaves: an Answer with a witness, or None. What is proved is not known here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from random import Random
from typing import Final

import msgspec
from msgspec import Struct

from bindproof.core.model import Json
from bindproof.evolve.answers import Answer
from bindproof.evolve.chains import is_chained, straightened
from bindproof.evolve.contrast import contrasts
from bindproof.evolve.flat import flat
from bindproof.evolve.generate import Draw
from bindproof.evolve.keywords import nodes
from bindproof.evolve.proof import difference
from bindproof.evolve.references import Node
from bindproof.evolve.schemas import Schemas, leading, node_at, pointer_of
from bindproof.evolve.search import witness
from bindproof.evolve.validators import Reader
from bindproof.evolve.vocabulary import Words

FIRST: Final = 24
"""Values that are drawn before anything is proved of the whole: most breaks show at once."""

HUGE: Final = 1_100_000
"""Parts of a value that is held against schemas whose bounds nothing smaller passes."""

MOST_HUGE: Final = 8
"""Such values that are tried for one entry."""

_LARGE_BOUND: Final = re.compile(rb'"m(?:in|ax)(?:Contains|Items|Length|Properties)":[1-9][0-9]{2}')

MOST_KEPT: Final = 16
"""Readers that are kept: those of the last questions."""

Seeds = Mapping[str, Sequence[Json]]
"""Values to try before any is drawn, by the name of the file that they are of."""

Met = dict[str, list[Json]]
"""Witnesses by the entry that they were held against."""


class Pair(Struct, frozen=True):
    """What is compared in one question, with the direction taken: does the reader take what the writer takes."""

    writer: Schemas
    reader: Schemas
    starts: tuple[Node, ...]
    changed: frozenset[Node]
    """The schemas that differ."""
    places: frozenset[Node]
    """The places of what differs in them: values that are drawn should have something there."""


class Candidates:
    """What can be tried in the questions of one comparison."""

    def __init__(self, old: Schemas, new: Schemas, seeds: Seeds) -> None:
        self._old = old
        self._new = new
        self._seeds = seeds
        self._readers: dict[tuple[int, Node, bool], tuple[Schemas, Reader]] = {}
        self.met: Met = {}
        self.written: Final = msgspec.json.encode([schema.root for side in (old, new) for schema in side.values()])
        """The schemas of both sides as JSON."""
        self.refers: Final = b'"$ref"' in self.written or b'"$dynamicRef"' in self.written
        """Whether a schema on either side refers to another."""
        self._may_have_formats = b'"format"' in self.written
        self._may_have_examples = b'"examples"' in self.written

    @cached_property
    def _words(self) -> Words:
        return Words((self._old, self._new))

    @cached_property
    def _is_chained(self) -> bool:
        return is_chained(self._old) or is_chained(self._new)

    @cached_property
    def _has_formats(self) -> bool:
        """Whether a format is asked of values on either side."""
        return _has_formats(self._old) or _has_formats(self._new)

    def search(self, pair: Pair, start: Node, values: Callable[[], Iterable[Json]]) -> Answer | None:
        """Look for a witness among values, which are asked for again where formats are asserted and where not."""
        has_formats = self._may_have_formats and self._has_formats
        for formats in (True, False) if has_formats else (True,):
            writer, reader = self._reader(pair.writer, start, formats), self._reader(pair.reader, start, formats)
            try:
                if self.refers:  # what a reference leads to may be no schema, which is to be known before it is read
                    writer.compile()
                    reader.compile()
                found = witness(writer, reader, values())
            except ValueError as error:
                return Answer("UNKNOWN", None, f"{name_of(start)} cannot be used: {str(error)[:200]}")
            if found is not msgspec.UNSET:
                entry = name_of(start)
                self.met.setdefault(entry, []).append(found)
                depends = (
                    has_formats and formats and self._reader(pair.reader, start, formats=False).takes(found) is True
                )
                which = "a reader that asserts formats" if depends else "the reader"
                return Answer("WITNESS", True, f"Its writers may write this, and {which} refuses it.", found, entry)
        return None

    def too_large_to_show(self, pair: Pair, start: Node) -> bool:
        """Tell whether a value shows a break that is so large that nobody would read it.

        It is held against both validators of both sides as any witness is, and neither shrunk nor kept.
        """
        if not _LARGE_BOUND.search(self.written):
            return False
        writer, reader = (self._reader(side, start, formats=True) for side in (pair.writer, pair.reader))
        values = contrasts(pair.writer, pair.reader, start, follow=self.refers, longest=HUGE)
        return any(writer.takes(value) is True and reader.takes(value) is False for value in islice(values, MOST_HUGE))

    def _reader(self, schemas: Schemas, start: Node, formats: bool) -> Reader:
        """Return what was compiled before; the schemas are kept with it, so that their identity is theirs alone."""
        key = (id(schemas), start, formats)
        found = self._readers.get(key)
        if found is None:
            if len(self._readers) >= MOST_KEPT:
                self._readers.clear()
            straight = straightened(schemas) if self.refers and self._is_chained else schemas
            found = self._readers[key] = schemas, Reader(straight, start, formats=formats, may_refer=self.refers)
        return found[1]

    def known(self, pair: Pair, start: Node) -> list[Json]:
        """Return the values that nobody needs to draw."""
        if not (self.met or self._seeds or self._may_have_examples):
            return []
        met = self.met.get(name_of(start), ()) if self.met else ()
        examples = _examples(pair, start) if self._may_have_examples else ()
        return [*met, *self._seeds.get(start[0], ()), *examples]

    def read_off(self, pair: Pair, start: Node) -> Iterator[Json]:
        """Yield the values that are known, and those that the keywords of the two schemas tell."""
        yield from self.known(pair, start)
        yield from contrasts(pair.writer, pair.reader, start, follow=self.refers)

    def drawn(self, pair: Pair, start: Node, tries: int) -> Iterator[Json]:
        """Yield values at random. tries: so many, and more where they are many."""
        random = Random(name_of(start))  # noqa: S311 - a seed, so that a report is the same every time
        warm = frozenset(leading(pair.writer, start, pair.changed) | pair.places)
        draw = Draw(random, pair.writer, self._words, warm)
        alone = tries > FIRST and self._apart(pair, start)
        if alone:
            inner = Draw(random, pair.writer, self._words)
            yield from (inner.of(alone) for _ in range(tries // 4))
        yield from (draw.value(start) for _ in range(tries))
        if tries > FIRST:
            other = Draw(random, pair.reader, self._words, warm)
            yield from (other.value(start) for _ in range(tries // 4))

    @staticmethod
    def _apart(pair: Pair, start: Node) -> Json:
        """Return a schema of what is refused, where there is one."""
        old, new = flat(pair.writer, start), flat(pair.reader, start)
        if old is None or new is None:
            return None
        apart = difference(old, new)
        return apart if isinstance(apart, dict) else None


def _has_formats(schemas: Schemas) -> bool:
    return any(
        isinstance(node, dict) and "format" in node for schema in schemas.values() for _, node in nodes(schema.root)
    )


def _examples(pair: Pair, start: Node) -> Iterator[Json]:
    for side in (pair.writer, pair.reader):
        try:
            schema = node_at(side, start)
        except (LookupError, TypeError, ValueError):
            continue
        if isinstance(schema, dict):
            examples = schema.get("examples")
            yield from examples if isinstance(examples, list) else ()


def name_of(start: Node) -> str:
    """Return what messages call an entry."""
    return f"{start[0]}#{pointer_of(start[1])}" if start[1] else start[0]
