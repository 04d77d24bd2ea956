"""The scenarios of a campaign: each is decided by the seed, its number and what is drawn for, and by nothing else.

Enters: a suite, a seed, a number. Leaves: the complete scenario of that number. Must not know adapters.

So every adapter, every share of a campaign and every machine gets the same scenarios, in any order: guided ones too,
whose seed itself says what is rare (see `guidance`). Those of the last numbers are kept, because several adapters ask
for them at about the same time; an older one is made again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence

from bindproof.core.model import Json
from bindproof.runner.campaign.guidance import guided_choices, scenario_seed
from bindproof.runner.campaign.tally import CountedChoices, Tally
from bindproof.suites import Suite
from bindproof.suites.choices import NumberedChoices, numbers

KEPT = 2048
"""So many scenarios are kept for adapters that are not that far yet."""

COUNTED, OF_SO_MANY = 1000, 8000
"""Of so many scenarios that are made the choices of the first ones are counted; to count takes as long as to choose."""


class SeededScenarios:
    """The scenarios of one suite and one seed.

    rare: numbers to be guided by, or none. draw_for: the dialect that scenarios are drawn for, None: anything.
    tally: what was chosen in those that are counted. counted: how many these are.
    """

    def __init__(self, suite: Suite, seed: int, rare: Sequence[int] = (), draw_for: str | None = None) -> None:
        self._suite, self._seed, self._rare, self._draw_for = suite, seed, rare, draw_for
        self.tally = Tally()
        self.counted = 0
        self._count = 0
        self._kept: OrderedDict[int, Json] = OrderedDict()

    def scenario(self, number: int) -> Json:
        """Return the complete scenario of this number. It is shared: nobody may change it."""
        found = self._kept.get(number)
        if found is None:
            found = self._kept[number] = self._made(number)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return found

    def _made(self, number: int) -> Json:
        counted = self._count % OF_SO_MANY < COUNTED
        self._count += 1
        self.counted += counted
        draw = self._draw(number)
        choices = CountedChoices(draw, self.tally) if counted else NumberedChoices(draw)
        return self._suite.generate(choices, self._draw_for)

    def _draw(self, number: int) -> Callable[[], int]:
        """Return what decides a scenario: every second one is guided, by each rare one in turn."""
        if self._rare and number % 2:
            return guided_choices(self._rare[number // 2 % len(self._rare)], self._seed, number)
        return numbers(scenario_seed(self._seed, number))
