"""How much of what is large is still in memory.

Enters: the C library's own account of its memory. Leaves: numbers. Must not know what was allocated.
"""

from __future__ import annotations

import sys
from typing import Any

from bindproof_adapter import Unsupported

Json = Any

LARGE = 2**20
"""A text of so many bytes is a mapping of its own, so that those still held can be counted."""

_M_MMAP_THRESHOLD = -3


class Memory:
    """The large pieces of memory that appeared since `begin`."""

    def __init__(self, libc: Any) -> None:
        self._libc = libc
        self._before = 0

    def begin(self) -> None:
        """Count from now on; raise Unsupported where the C library cannot tell."""
        self._before = self._mappings()

    def kept(self) -> int:
        """Return how many there are more."""
        return self._mappings() - self._before

    def _mappings(self) -> int:
        try:
            self._libc.mallopt(_M_MMAP_THRESHOLD, LARGE)
            return int(self._libc.mallinfo2().hblks)
        except AttributeError:
            raise Unsupported("raw", "this machine's C library cannot count what is allocated") from None


def large_texts(value: Json) -> int:
    """Return how many texts of a value are large pieces of memory of Python's own."""
    if isinstance(value, str):
        return int(sys.getsizeof(value) >= LARGE)
    if isinstance(value, dict):
        return sum(large_texts(item) for pair in value.items() for item in pair)
    return sum(map(large_texts, value)) if isinstance(value, list) else 0
