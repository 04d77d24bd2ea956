"""Which part of a run one machine does: every so many-th scenario.

Enters: all that was chosen, and which shard of how many. Leaves: the shard's part. A vector's negative and twin stay
together, because vectors are shared out, not plans.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from bindproof.core.request import Shard

Item = TypeVar("Item")


def part_of(items: Sequence[Item], shard: Shard | None) -> list[Item]:
    """Return the items of one shard, in their order; None: all of them.

    The parts of all shards together are all items, each once, and differ in size by one at most.
    """
    return list(items if shard is None else items[shard.number - 1 :: shard.of])
