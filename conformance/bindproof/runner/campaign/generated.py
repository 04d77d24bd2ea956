"""A campaign's scenarios: every adapter is sent those of one seed, until their number or the time is up.

Enters: what is read of each suite, the campaign that is asked for. Leaves: the plans of each adapter, made as they are
sent. Must not know how they are judged. Memory does not grow with the number of scenarios.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from bindproof.core.errors import SuiteError, UsageError
from bindproof.core.model import Plan
from bindproof.core.origins import Generated
from bindproof.core.request import Campaign, Shard
from bindproof.drive import HardEnd
from bindproof.results import AdapterLine, ChoicesLine, Line
from bindproof.runner.campaign.guidance import rare_numbers
from bindproof.runner.campaign.seeded_scenarios import SeededScenarios
from bindproof.runner.inputs import Inputs
from bindproof.runner.loop import Unmade
from bindproof.runner.setting import Setting
from bindproof.suites.choices import SeededChoices
from bindproof.suites.mistakes import telling_mistakes

GRACE = 2.0
"""Seconds after those of a campaign in which what is in flight is answered, and what was found is made smaller."""


class GeneratedSource:
    """The scenarios of one seed, the suites of an adapter in turns.

    The clock starts with the first adapter that is ready. end: when what is in flight is waited for no longer.
    """

    def __init__(self, campaign: Campaign, shard: Shard | None, inputs: Mapping[str, Inputs]) -> None:
        self._campaign, self._shard = campaign, shard
        self._inputs = inputs
        self._streams: dict[str, SeededScenarios] = {}
        self._suites: dict[str, list[str]] = {}
        self._sent: Counter[tuple[str, str]] = Counter()
        self._over: set[str] = set()
        self._broken: set[str] = set()
        self._withdrawn: Counter[str] = Counter()
        self._ends: float | None = None
        self.mistakes: list[SuiteError] = []
        self.end = HardEnd()

    @property
    def open_ended(self) -> bool:
        """True where the time decides how many scenarios there are."""
        return self._campaign.seconds is not None

    def prepare(self) -> None:
        """Nothing: a scenario is made as it is sent."""

    def open(self, adapter: str, found: Sequence[Setting]) -> list[int]:
        """Start the clock; return how many scenarios are asked for, 0 where the time decides."""
        for setting in found:
            name = setting.spec.name
            if name not in self._streams and self._generates(setting):
                self._streams[name] = self._scenarios(setting)
        self._suites[adapter] = [one.spec.name for one in found if one.spec.name in self._streams]
        if self._campaign.seconds is not None and self._ends is None:
            self._ends = time.monotonic() + self._campaign.seconds
            self.end.at = self._ends + GRACE
        selected = 0 if self.open_ended else self._campaign.count(self._shard) or 0
        return [selected if one.spec.name in self._streams else 0 for one in found]

    def _scenarios(self, setting: Setting) -> SeededScenarios:
        campaign, rare = self._campaign, self._rare(setting.spec.name)
        return SeededScenarios(setting.suite, campaign.seed, rare, campaign.draw_for)

    def _generates(self, setting: Setting) -> bool:
        """Tell whether a suite makes scenarios; raises UsageError where the only one that is asked for does not.

        One whose code has a mistake may make others: that is told where a scenario is to be sent.
        """
        try:
            with telling_mistakes():
                setting.suite.generate(SeededChoices(0), None)
        except SuiteError:
            return True
        except UsageError:
            if len(self._inputs) == 1:
                raise
            return False
        return True

    def _rare(self, suite: str) -> Sequence[int]:
        """Return the numbers that a suite's scenarios are guided by: none where a mistake in its code is met."""
        if not self._campaign.guided:
            return ()
        try:
            with telling_mistakes():
                return rare_numbers(
                    self._inputs[suite].suite, self._inputs[suite].spec, self._campaign.seed, self._campaign.draw_for
                )
        except SuiteError as error:
            self.mistakes.append(error)
            return ()

    def plans(self, adapter: str) -> Iterator[Plan | Unmade]:
        """Yield the scenarios of an adapter, those of its suites in turns."""
        seed, guided, draw_for = self._campaign.seed, self._campaign.guided, self._campaign.draw_for
        for number in self._campaign.numbers(self._shard):
            if not self._suites_left(adapter):
                return
            for suite in self._suites_left(adapter):
                if self.open_ended and (adapter in self._over or self._is_late()):
                    return
                self._sent[adapter, suite] += 1
                yield self._made(Generated(seed, number, guided, draw_for), suite)

    def _suites_left(self, adapter: str) -> list[str]:
        """Return whose scenarios are sent: where the time decides, none of a suite whose code was found mistaken."""
        all_of_them = self._suites[adapter]
        return [one for one in all_of_them if one not in self._broken] if self.open_ended else all_of_them

    def _made(self, origin: Generated, suite: str) -> Plan | Unmade:
        try:
            with telling_mistakes():
                return Plan(origin, suite, self._streams[suite].scenario(origin.number))
        except SuiteError as error:
            if suite not in self._broken:
                self._broken.add(suite)
                self.mistakes.append(error)
            return Unmade(origin, suite, error)

    def withdraw(self, adapter: str, suite: str) -> None:
        """Take back a scenario that was sent: it had no answer at the end."""
        self._sent[adapter, suite] -= 1
        self._withdrawn[adapter] += 1

    def give_up(self, adapter: str) -> None:
        """Where the time decides, nothing more is sent to an adapter that cannot be judged."""
        self._over.add(adapter)

    def closing(self, adapters: Iterable[AdapterLine]) -> Iterator[Line]:
        """Yield what the generators never chose; and how many scenarios were sent, where the time decided it."""
        for name, stream in self._streams.items():
            yield ChoicesLine(name, stream.tally.never(), stream.counted)
        for line in adapters if self.open_ended else ():
            sent = [msgspec.structs.replace(one, selected=self._sent[line.name, one.suite]) for one in line.suites]
            yield msgspec.structs.replace(line, suites=tuple(sent), notes=(*line.notes, *self._notes(line.name)))

    def _notes(self, adapter: str) -> list[str]:
        count = self._withdrawn[adapter]
        what = f"{count} of the scenarios that were sent had no answer {GRACE:g} s after the time was up"
        return [f"{what}; they do not count"] if count else []

    def _is_late(self) -> bool:
        return self._ends is not None and time.monotonic() >= self._ends
