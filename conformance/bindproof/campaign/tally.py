"""What a generator chose, so that one can see what it never did.

Enters: choices from a seed. Leaves: the same choices, and the options that were offered and never taken. Must not know
what is generated: a choice is known by the place in the generator's source that asks for it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from bindproof.suites.choices import SeededChoices

WIDEST = 16
"""A choice among more numbers than this is no choice of one of them."""


@dataclass(slots=True)
class _Site:
    """One place that asks: what it offered, and the positions of what was taken."""

    options: tuple[Any, ...]
    taken: set[int] = field(default_factory=set)


class Tally:
    """Adds up the choices of any number of scenarios; its size does not depend on how many."""

    def __init__(self) -> None:
        self._sites: dict[tuple[CodeType, int], _Site] = {}
        self._places: dict[tuple[CodeType, int], int] = {}

    def took(self, options: Sequence[Any], position: int) -> None:
        """Note a choice of the caller's caller."""
        frame = sys._getframe(2)
        key = (frame.f_code, frame.f_lasti)
        site = self._sites.get(key)
        if site is None:
            site = self._sites[key] = _Site(tuple(options))
            self._places[key] = frame.f_lineno
        site.taken.add(position)

    def never(self) -> Iterator[str]:
        """Yield each option that was never taken where it was offered, with the place that offers it."""
        for key, site in sorted(self._sites.items(), key=lambda one: (one[0][0].co_filename, self._places[one[0]])):
            for position, option in enumerate(site.options):
                if position not in site.taken:
                    yield f"{key[0].co_qualname}, line {self._places[key]}: {option!r}"


class CountedChoices(SeededChoices):
    """Choices that a seed decides, noted in a tally."""

    def __init__(self, seed: int | str, tally: Tally) -> None:
        super().__init__(seed)
        self._tally = tally

    def integer(self, low: int, high: int) -> int:
        """Choose a whole number, both ends included."""
        number = super().integer(low, high)
        if high - low < WIDEST:
            self._tally.took(range(low, high + 1), number - low)
        return number

    def pick(self, options: Sequence[Any]) -> Any:
        """Choose one of the options."""
        position = super().integer(0, len(options) - 1)
        self._tally.took(options, position)
        return options[position]

    def chance(self, percent: int) -> bool:
        """Choose true in so many of a hundred cases."""
        decided = super().chance(percent)
        self._tally.took((False, True), decided)
        return decided
