"""The scenarios of a campaign: each is decided by the seed and its number, and by nothing else.

Enters: a suite, a seed, a number. Leaves: the complete scenario of that number. Must not know adapters.

So every adapter, every share of a campaign and every machine gets the same scenarios, in any order. Those of the last
numbers are kept, because several adapters ask for them at about the same time; an older one is made again.
"""

from __future__ import annotations

from collections import OrderedDict

from bindproof.campaign.tally import CountedChoices, Tally
from bindproof.model import Json
from bindproof.suites import Suite

KEPT = 2048
"""So many scenarios are kept for adapters that are not that far yet."""


def plan_id(seed: int, number: int) -> str:
    """Return the id of a generated scenario."""
    return f"generated/{seed}/{number}"


class Stream:
    """The scenarios of one suite and one seed. tally: what the generator chose."""

    def __init__(self, suite: Suite, seed: int) -> None:
        self._suite, self._seed = suite, seed
        self.tally = Tally()
        self._kept: OrderedDict[int, Json] = OrderedDict()

    def scenario(self, number: int) -> Json:
        """Return the complete scenario of this number. It is shared: nobody may change it."""
        found = self._kept.get(number)
        if found is None:
            found = self._kept[number] = self._suite.complete(self._made(number))
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return found

    def _made(self, number: int) -> Json:
        return self._suite.generate(CountedChoices(f"{self._seed}/{number}", self.tally), None)
