"""How a grammar makes a text, and the smaller texts that this shows: what a campaign shrinks sentences by.

Enters: rules, a text. Leaves: shorter texts of the same rule. Must not know what the texts mean.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

Parts = tuple[str, ...]
"""An alternative: texts, and between two of them the name of a rule."""

LONGEST: Final = 200
"""So many characters of a text are read: the time grows with the third power of them."""

Spot = tuple[str, int, int]
"""A rule, and where its text begins and ends."""


class Node(Struct, frozen=True):
    """A rule's text within a whole one, and the rules that it is made of."""

    rule: str
    begin: int
    end: int
    made_of: tuple[Node, ...]

    def within(self) -> Iterator[Node]:
        """Yield all nodes below this one."""
        for one in self.made_of:
            yield one
            yield from one.within()


class Derivations:
    """How the rules of a grammar make one text."""

    def __init__(self, rules: Mapping[str, Sequence[Parts]], text: str) -> None:
        self._rules, self._text = rules, text
        self._known: dict[Spot, Node | None] = {}

    def whole(self, rule: str) -> Node | None:
        """Return how a rule makes all of the text, in the first way that it can; None where it cannot.

        None too of a text that is longer or nested deeper than it is worth to read.
        """
        try:
            return self._made((rule, 0, len(self._text))) if len(self._text) <= LONGEST else None
        except RecursionError:
            return None

    def _made(self, spot: Spot) -> Node | None:
        if spot not in self._known:
            self._known[spot] = None  # what would be made of itself is no way to make it
            rule, begin, end = spot
            ways = (self._sequence(parts, begin, end) for parts in self._rules[rule])
            made_of = next((way for way in ways if way is not None), None)
            self._known[spot] = None if made_of is None else Node(rule, begin, end, made_of)
        return self._known[spot]

    def _sequence(self, parts: Parts, begin: int, end: int) -> tuple[Node, ...] | None:
        """Return how an alternative makes what lies between two places; None where it does not."""
        first, *rest = parts
        if not self._text.startswith(first, begin, end):
            return None
        begin += len(first)
        if not rest:
            return () if begin == end else None
        rule, *further = rest
        for middle in self._ends(further[0], begin, end, last=len(further) == 1):
            node = self._made((rule, begin, middle))
            behind = None if node is None else self._sequence(tuple(further), middle, end)
            if node is not None and behind is not None:
                return (node, *behind)
        return None

    def _ends(self, following: str, begin: int, end: int, *, last: bool) -> Iterator[int]:
        """Yield where a rule's text may end so that what follows it stands there."""
        if last:
            if self._text.endswith(following, begin, end):
                yield end - len(following)
            return
        at = self._text.find(following, begin, end)
        while at >= 0:
            yield at
            at = self._text.find(following, at + 1, end) if at < end else -1
