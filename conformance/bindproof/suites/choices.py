"""Choices from a seed: the quick way to drive a suite's generator.

Enters: a seed, or another source of numbers. Leaves: choices, the same ones for the same seed on every machine. Must
not know what is generated.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from hashlib import blake2b
from itertools import chain, count
from typing import Any

BITS = 32
"""A choice is decided by a number of so many bits."""

_BLOCK = struct.Struct("<16I")
"""The numbers in one digest."""


def numbers(seed: int | str) -> Callable[[], int]:
    """Return what gives the next number of a seed, without end.

    They are made of digests: to seed Python's generator takes longer than to make a scenario's choices.
    """
    digests = (_BLOCK.unpack(blake2b(f"{seed}#{at}".encode()).digest()) for at in count())
    return chain.from_iterable(digests).__next__


class NumberedChoices:
    """Choices (see suites.Choices) that numbers decide, one for each. draw: gives the next, of so many BITS."""

    def __init__(self, draw: Callable[[], int]) -> None:
        self._draw = draw

    def integer(self, low: int, high: int) -> int:
        """Choose a whole number, both ends included."""
        return low + (self._draw() * (high - low + 1) >> BITS)

    def pick(self, options: Sequence[Any]) -> Any:
        """Choose one of the options, each as likely as every other."""
        return options[self._draw() * len(options) >> BITS]

    def chance(self, percent: int) -> bool:
        """Choose true in so many of a hundred cases."""
        return self._draw() * 100 < percent << BITS


class SeededChoices(NumberedChoices):
    """Choices that a seed decides."""

    def __init__(self, seed: int | str) -> None:
        super().__init__(numbers(seed))
