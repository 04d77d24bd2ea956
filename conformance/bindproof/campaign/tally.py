"""What a generator chose, so that one can see what it never did.

Enters: choices from a seed. Leaves: the same choices, and the options that were offered and never taken. Must not know
what is generated: a choice is known by the place in the generator's source that asks for it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from bindproof.suites.choices import NumberedChoices

WIDEST = 16
"""A choice among more numbers than this is no choice of one of them."""


@dataclass(slots=True)
class _Site:
    """One place that asks: its code and line, what it offered, and the positions of what was taken."""

    code: CodeType
    line: int
    options: tuple[Any, ...]
    taken: set[int] = field(default_factory=set)


class Tally:
    """Adds up the choices of any number of scenarios; its size does not depend on how many."""

    def __init__(self) -> None:
        self._sites: dict[tuple[int, int], _Site] = {}

    def took(self, options: Sequence[Any], position: int) -> None:
        """Note a choice of the caller's caller."""
        frame = sys._getframe(2)
        key = (id(frame.f_code), frame.f_lasti)  # a site keeps the code, so no other ever has its id
        site = self._sites.get(key)
        if site is None:
            site = self._sites[key] = _Site(frame.f_code, frame.f_lineno, tuple(options))
        site.taken.add(position)

    def never(self) -> Iterator[str]:
        """Yield each option that was never taken where it was offered, with the place that offers it."""
        for site in sorted(self._sites.values(), key=lambda one: (one.code.co_filename, one.line)):
            for position, option in enumerate(site.options):
                if position not in site.taken:
                    yield f"{site.code.co_qualname}, line {site.line}: {option!r}"


class CountedChoices(NumberedChoices):
    """Choices that numbers decide, noted in a tally."""

    def __init__(self, draw: Callable[[], float], tally: Tally) -> None:
        super().__init__(draw)
        self._took = tally.took

    def integer(self, low: int, high: int) -> int:
        """Choose a whole number, both ends included."""
        position = int(self._random() * (high - low + 1))
        if high - low < WIDEST:
            self._took(range(low, high + 1), position)
        return low + position

    def pick(self, options: Sequence[Any]) -> Any:
        """Choose one of the options."""
        position = int(self._random() * len(options))
        self._took(options, position)
        return options[position]

    def chance(self, percent: int) -> bool:
        """Choose true in so many of a hundred cases."""
        decided = self._random() * 100 < percent
        self._took((False, True), decided)
        return decided
