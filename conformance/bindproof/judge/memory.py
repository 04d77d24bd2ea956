"""Remembers which shapes of an observation conformed, so that the next one of such a shape need not be judged.

Enters: shapes, which the suite makes, and judgements that all hold. Leaves: the same judgements. Only what conforms is
kept: a failure is judged each time, so that its evidence is its own. A scenario that runs once costs nothing.

It is the log lane by lane that has the shape, because what is beside each other comes in another order each time.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

import msgspec

from bindproof.core.model import Json, Judgement

KEPT = 16
"""So many shapes are kept of one scenario; an observation has as many as its order leaves open."""

_encode = msgspec.json.Encoder().encode


class Memory:
    """What is known of one prepared scenario.

    shape: makes an observation's line into its key, None for no key. apart: puts a log's records lane by lane, None
    where that would hide something (see `lanes.LaneByLane`).
    """

    def __init__(
        self, shape: Callable[[bytes], Hashable | None], apart: Callable[[list[Json]], list[Json] | None]
    ) -> None:
        self._shape, self._apart = shape, apart
        self._conforming: dict[Hashable, tuple[Judgement, ...]] = {}
        self._seen = False

    def judged(
        self, line: bytes | None, log: list[Json], judge: Callable[[], tuple[Judgement, ...]]
    ) -> tuple[Judgement, ...]:
        """Return the judgements on an observation: remembered ones of its shape, else those that `judge` makes.

        line: the reply as it came, None where `log` is not what it says.
        """
        if line is None or not self._seen:
            self._seen = True
            return judge()
        key = self._key(line, log)
        known = self._conforming.get(key) if key is not None else None
        if known is not None:
            return known
        judgements = judge()
        if key is not None and len(self._conforming) < KEPT and all(one.holds for one in judgements):
            self._conforming[key] = judgements
        return judgements

    def _key(self, line: bytes, log: list[Json]) -> Hashable | None:
        apart = self._apart(log)
        return self._shape(line if apart is None else _encode({"result": apart}))
