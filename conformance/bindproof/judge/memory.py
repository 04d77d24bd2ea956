"""Remembers which shapes of an observation conformed, so that the next one of such a shape need not be judged.

Enters: shapes, which the suite makes, and judgements that all hold. Leaves: the same judgements. Only what conforms is
kept: a failure is judged each time, so that its evidence is its own. A scenario that runs once costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from bindproof.model import Judgement

KEPT = 16
"""So many shapes are kept of one scenario; an observation has as many as its order leaves open."""


class Memory:
    """What is known of one prepared scenario. shape: makes an observation's line into its key, None for no key."""

    def __init__(self, shape: Callable[[bytes], Hashable | None]) -> None:
        self._shape = shape
        self._conforming: dict[Hashable, tuple[Judgement, ...]] = {}
        self._seen = False

    def judged(self, line: bytes | None, judge: Callable[[], tuple[Judgement, ...]]) -> tuple[Judgement, ...]:
        """Return the judgements on an observation: remembered ones of its shape, else those that `judge` makes."""
        if line is None or not self._seen:
            self._seen = True
            return judge()
        key = self._shape(line)
        known = self._conforming.get(key) if key is not None else None
        if known is not None:
            return known
        judgements = judge()
        if key is not None and len(self._conforming) < KEPT and all(one.holds for one in judgements):
            self._conforming[key] = judgements
        return judgements
