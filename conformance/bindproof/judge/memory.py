"""Remembers which observations conformed, so that the next one just like them need not be judged, nor even read.

Enters: results as they came, and judgements that all hold. Leaves: the same judgements. Only what conforms is kept: a
failure is judged each time, so that its evidence is its own. A scenario that runs once costs nothing, unless it is to
be known in a later start.

A result is known by its shape, which the suite makes. What is beside each other comes in another order each time: a
result that is not known so is read, and looked for by the shape of its log lane by lane. Of the first of a scenario in
a start that alone is made, as most come once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

import msgspec

from bindproof.core.model import Json, Judgement
from bindproof.judge.conformed import OfScenario

KEPT = 16
"""So many shapes of each kind are kept of one scenario; an observation has as many as its order leaves open."""

_encode = msgspec.json.Encoder().encode
_RESULT = b'"result":'


class Memory:
    """What is known of one prepared scenario.

    shape: makes a reply, from its result on, into its key, None for no key. apart: puts a log's records lane by lane,
    None where that would hide something (see `lanes.LaneByLane`). conformed: what conformed in earlier starts, and
    takes what does in this one; None: nothing is kept that long.
    """

    def __init__(
        self,
        shape: Callable[[bytes], Hashable | None],
        apart: Callable[[list[Json]], list[Json] | None],
        conformed: OfScenario | None = None,
    ) -> None:
        self._shape, self._apart, self._conformed = shape, apart, conformed
        self._as_they_came: dict[Hashable, tuple[Judgement, ...]] = {}
        self._lane_by_lane: dict[Hashable, tuple[Judgement, ...]] = {}
        self._seen = False

    def recall(self, result: bytes) -> tuple[Judgement, ...] | None:
        """Return the judgements on a result that conforms because one of its shape did; None where it is not known."""
        if not self._as_they_came:
            return None
        key = self._shape(result)
        return None if key is None else self._as_they_came.get(key)

    def judged(
        self, line: bytes | None, log: list[Json], judge: Callable[[], tuple[Judgement, ...]]
    ) -> tuple[Judgement, ...]:
        """Return the judgements on an observation: remembered ones of its shape, else those that `judge` makes.

        line: the reply as it came, None where `log` is not what it says.
        """
        again, self._seen = self._seen, True
        if line is None or not (again or self._conformed is not None):
            return judge()
        as_it_came = self._as_it_came(line) if again else None
        known = self._as_they_came.get(as_it_came)
        if known is not None:
            return known
        apart = self._apart(log)
        by_lanes = None if apart is None else self._shape(_RESULT + _encode(apart))
        if by_lanes is None and not again:
            as_it_came = self._as_it_came(line)
        lasting = as_it_came if by_lanes is None else by_lanes
        judgements = self._lane_by_lane.get(by_lanes)
        if judgements is None:
            earlier = None if lasting is None else self._conformed
            judgements = judge() if earlier is None else earlier.judged(lasting, judge)
        if all(one.holds for one in judgements):
            _keep(self._as_they_came, as_it_came, judgements)
            _keep(self._lane_by_lane, by_lanes, judgements)
        return judgements

    def _as_it_came(self, line: bytes) -> Hashable | None:
        return self._shape(line[max(line.find(_RESULT), 0) :])


def _keep(
    known: dict[Hashable, tuple[Judgement, ...]], key: Hashable | None, judgements: tuple[Judgement, ...]
) -> None:
    """Keep judgements under a key; None is no key."""
    if key is not None and len(known) < KEPT:
        known[key] = judgements
