"""What conformed in earlier starts: of each scenario what is sent, and the shapes of observations that conformed.

Enters: shapes and judgements of what conforms, all of one setting. Leaves: the same, in a later start of the same code
on the same spec. Must not know where it is kept, nor what makes a shape.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from hashlib import blake2b

import msgspec

from bindproof.core.model import Judgement
from bindproof.judge.lanes import Order

MOST = 16
"""So many shapes of one scenario are kept: its observations have as many as its order leaves open."""

_encode = msgspec.msgpack.Encoder().encode


class OfScenario(msgspec.Struct):
    """What is known of one scenario."""

    params: bytes
    """What is sent."""
    order: Order | None
    """The order among the lanes of its logs, where that can be told."""
    held: dict[bytes, tuple[str, ...]] = {}
    """By the digest of a shape, the requirements that observations of it keep."""

    def judged(self, shape: Hashable, judge: Callable[[], tuple[Judgement, ...]]) -> tuple[Judgement, ...]:
        """Return the judgements on an observation of a shape: known ones, else those that `judge` makes.

        They are known from now on where all of them hold.
        """
        key = blake2b(_encode(shape), digest_size=16).digest()
        names = self.held.get(key)
        if names is not None:
            return tuple([Judgement(name) for name in names])
        judgements = judge()
        if len(self.held) < MOST and all(one.holds for one in judgements):
            self.held[key] = tuple([one.requirement for one in judgements])
        return judgements


class Conformed(msgspec.Struct):
    """What is known of the scenarios of one setting, by the digest of each."""

    scenarios: dict[bytes, OfScenario] = {}

    def of(self, scenario: bytes) -> OfScenario | None:
        """Return what is known of a scenario, None where nothing is. scenario: all that says what it is, encoded."""
        return self.scenarios.get(blake2b(scenario, digest_size=16).digest())

    def added(self, scenario: bytes, params: bytes, order: Order | None) -> OfScenario:
        """Return what is known from now on of a scenario, of which nothing was; params, order: see `OfScenario`."""
        return self.scenarios.setdefault(blake2b(scenario, digest_size=16).digest(), OfScenario(params, order))
