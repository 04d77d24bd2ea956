"""What a generator chose, so that one can see what it never did.

Enters: choices from a seed. Leaves: the same choices, and the options that were offered and never taken. Must not know
what is generated: a choice is known by the place in the generator's source that asks for it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from types import CodeType, FrameType
from typing import Any

from msgspec import Struct

from bindproof.suites.choices import BITS, NumberedChoices

WIDEST = 16
"""A choice among more numbers than this is no choice of one of them."""


Place = tuple[int, int]
"""Where a choice is asked for: the id of the code, and how far into it. The code is kept, so no other has its id."""


class _Site(Struct, frozen=True):
    """One place that asks: its code and line, and what it offered."""

    code: CodeType
    line: int
    options: tuple[Any, ...]


class Tally:
    """Adds up the choices of any number of scenarios; its size does not depend on how many.

    taken: place → the positions of what was taken there.
    """

    def __init__(self) -> None:
        self.taken: dict[Place, set[int]] = {}
        self._sites: dict[Place, _Site] = {}

    def first(self, frame: FrameType, options: Sequence[Any], position: int) -> None:
        """Note the first choice of a place."""
        place = id(frame.f_code), frame.f_lasti
        self._sites[place] = _Site(frame.f_code, frame.f_lineno, tuple(options))
        self.taken[place] = {position}

    def never(self) -> dict[str, tuple[str, ...]]:
        """Return for each place that offered a choice what was never taken there; places on one line are one."""
        found: dict[str, tuple[str, ...]] = {}
        for place, site in sorted(self._sites.items(), key=lambda one: (one[1].code.co_filename, one[1].line)):
            name = f"{site.code.co_qualname}, line {site.line}"
            taken = self.taken[place]
            left = [repr(option) for position, option in enumerate(site.options) if position not in taken]
            found[name] = tuple(dict.fromkeys((*found.get(name, ()), *left)))
        return found


class CountedChoices(NumberedChoices):
    """Choices that numbers decide, noted in a tally. Each method notes by itself: a call more would cost a tenth."""

    def __init__(self, draw: Callable[[], int], tally: Tally) -> None:
        super().__init__(draw)
        self._tally, self._taken = tally, tally.taken

    def integer(self, low: int, high: int) -> int:
        """Choose a whole number, both ends included."""
        position = self._draw() * (high - low + 1) >> BITS
        if high - low < WIDEST:
            frame = sys._getframe(1)
            taken = self._taken.get((id(frame.f_code), frame.f_lasti))
            if taken is None:
                self._tally.first(frame, range(low, high + 1), position)
            else:
                taken.add(position)
        return low + position

    def pick(self, options: Sequence[Any]) -> Any:
        """Choose one of the options."""
        position = self._draw() * len(options) >> BITS
        frame = sys._getframe(1)
        taken = self._taken.get((id(frame.f_code), frame.f_lasti))
        if taken is None:
            self._tally.first(frame, options, position)
        else:
            taken.add(position)
        return options[position]

    def chance(self, percent: int) -> bool:
        """Choose true in so many of a hundred cases."""
        decided = self._draw() * 100 < percent << BITS
        frame = sys._getframe(1)
        taken = self._taken.get((id(frame.f_code), frame.f_lasti))
        if taken is None:
            self._tally.first(frame, (False, True), decided)
        else:
            taken.add(decided)
        return decided
