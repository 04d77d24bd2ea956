"""A sample of faults in which every part of a layer has its share.

Enters: faults in the order of files, functions and statements. Leaves: some of them. Must not know what a fault is.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def sample(faults: Sequence[T], count: int, seed: int) -> list[T]:
    """Return so many faults, at equal distances, or all; the seed says where the first one is."""
    if count >= len(faults):
        return list(faults)
    first = random.Random(seed).random()  # noqa: S311 - the same each time
    return [faults[int((at + first) * len(faults) / count)] for at in range(count)]
