"""Smaller scenarios of one that fails, acted out on the adapter on which it failed.

Enters: an assignment, how to start its adapter, a scenario, what it is to show. Leaves: the smallest scenario that
shows it. Must not know why a scenario is smaller.

One process has all batches, and what it comes to is acted out alone in a fresh one. Where that does not show it, or a
process is what it costs anyway, every batch goes to a process of its own, so nothing is left from the one before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from itertools import islice
from typing import TypeAlias

from msgspec import Struct

from bindproof.core.errors import SuiteError
from bindproof.core.model import ADAPTER_FAULTS, AdapterCommand, Json, Plan, Verdict
from bindproof.core.origins import Origin, SmallerOf
from bindproof.core.smallest import size, text
from bindproof.drive import Answer, HardEnd, Job, Limits, drive
from bindproof.runner.assignment import Assignment
from bindproof.runner.campaign.batches import Batches
from bindproof.runner.campaign.shrink import AT_ONCE, MOST, shrink
from bindproof.runner.setting import Setting
from bindproof.suite_api import Divisible, Reducible
from bindproof.suites.mistakes import telling_mistakes

MOST_FAULTS = 80
"""So many scenarios are acted out where each that still shows it costs a process."""

MOST_PARTS = 96
"""So many parts of a scenario, or smaller ones, are tried at a time, the first that the suite names."""

MOST_HANGS = 20
"""So many where each costs the time that a scenario may take."""


Answers: TypeAlias = Callable[[Iterable[Job]], list[Answer]]
"""Acts jobs out."""


class Smallest(Struct):
    """The smallest scenario so far, complete and brief, its verdict, and how many were acted out for it."""

    scenario: Json
    verdict: Verdict
    acted: int = 0
    cause: str = ""
    """How what it shows looks in a part of it that shows it in another way; empty where there is none."""


class Attempts:
    """Acts scenarios out on one adapter, alone or many at once, and judges them as its assignment does.

    end: when nothing more is acted out.
    """

    def __init__(self, assignment: Assignment, command: AdapterCommand, limits: Limits, end: HardEnd) -> None:
        self._assignment, self._command = assignment, command
        self._limits, self.end = limits, end
        self.setting: Setting = assignment.setting

    def batches(self) -> Batches:
        """Return a process for several batches; whoever asks for it closes it."""
        return Batches(self._command, self._limits, self.end)

    def afresh(self, jobs: Iterable[Job]) -> list[Answer]:
        """Return what a fresh process answers to these jobs."""
        items = drive([(self._command, lambda info: jobs)], self._limits, end=self.end)
        return [item for item in items if isinstance(item, Answer)]

    def verdicts(self, scenarios: list[Json], larger: Origin, answers: Answers | None = None) -> list[Verdict]:
        """Return the verdict on each scenario; `not_run` of those that are left at the end.

        larger: what they are tried in the place of. answers: who acts them out, a fresh process where it is None.
        """
        suite = self.setting.suite
        plans = [Plan(SmallerOf(larger, at), suite.name, suite.complete(one)) for at, one in enumerate(scenarios)]
        assignment = Assignment(self._assignment.adapter, self.setting, self._assignment.expectations)
        found: dict[Origin, Verdict] = {}
        for answer in (answers or self.afresh)(map(assignment.send, plans)):
            verdict = assignment.verdict(answer)
            found[verdict.plan.origin] = verdict
        self._assignment.mistake = self._assignment.mistake or assignment.mistake
        return [found.get(plan.origin) or Verdict(plan, assignment.adapter, "not_run") for plan in plans]

    def parts(self, scenario: Json) -> list[Json]:
        """Return the parts of a scenario, as briefly as it is; none where the suite knows of none, or has a mistake."""
        suite = self.setting.suite
        return self._named(suite.parts, scenario) if isinstance(suite, Divisible) else []

    def smaller(self, scenario: Json) -> list[Json]:
        """Return the smaller scenarios that the suite knows of, in the same way."""
        suite = self.setting.suite
        return self._named(suite.smaller, scenario) if isinstance(suite, Reducible) else []

    def _named(self, named: Callable[[Json], Iterable[Json]], scenario: Json) -> list[Json]:
        suite = self.setting.suite
        try:
            with telling_mistakes():
                return [suite.brief(one) for one in islice(named(suite.complete(scenario)), MOST_PARTS)]
        except SuiteError as error:
            self._assignment.mistake = self._assignment.mistake or error
            return []

    def of_parts(self, whole: Smallest) -> Iterator[Verdict]:
        """Yield the verdicts on the parts of a scenario, the smallest first."""
        known = {text(part): part for part in self.parts(whole.scenario)}
        left = sorted((part for part in known.values() if self.legal(part)), key=size)
        while left and not self.end.passed:
            some, left = left[:AT_ONCE], left[AT_ONCE:]
            whole.acted += len(some)
            yield from self.verdicts(some, whole.verdict.plan.origin)

    def legal(self, scenario: Json) -> bool:
        """Tell whether this is a scenario that the binding's language can express, and the suite's code has no mistake
        about: that is told at the end of the run.
        """
        setting = self.setting
        try:
            with telling_mistakes(ValueError):
                full = setting.suite.complete(scenario)
                return "inexpressible" not in setting.suite.prepare(full, setting.edition, setting.dialect).prediction
        except ValueError:
            return False
        except SuiteError as error:
            self._assignment.mistake = self._assignment.mistake or error
            return False


def smaller(attempts: Attempts, smallest: Smallest, shows: Callable[[Verdict], bool]) -> None:
    """Make `smallest` as small as it can be while its verdict `shows` the same; it is kept up to date meanwhile."""
    whole = smallest.scenario
    if smallest.verdict.outcome not in ADAPTER_FAULTS:
        with closing(attempts.batches()) as batches:
            _shrunk(attempts, smallest, shows, batches.answers)
        if attempts.end.passed or _confirmed(attempts, smallest, shows):
            return
        smallest.scenario = whole
    _shrunk(attempts, smallest, shows, attempts.afresh)
    if not (attempts.end.passed or _confirmed(attempts, smallest, shows)):
        smallest.scenario = whole


def _shrunk(attempts: Attempts, smallest: Smallest, shows: Callable[[Verdict], bool], answers: Answers) -> None:
    outcome = smallest.verdict.outcome
    most = MOST_HANGS if outcome == "timeout" else MOST_FAULTS if outcome in ADAPTER_FAULTS else MOST
    asking = shrink(smallest.scenario, attempts.legal, most, attempts.parts, attempts.smaller)
    larger = smallest.verdict.plan.origin
    try:
        batch = next(asking)
        while not attempts.end.passed:
            verdicts = attempts.verdicts(batch, larger, answers)
            smallest.acted += len(batch)
            shown = [shows(verdict) for verdict in verdicts]
            good = (one for one, works in zip(batch, shown, strict=True) if works)
            smallest.scenario = min([smallest.scenario, *good], key=size)
            batch = asking.send(shown)
    except StopIteration:
        pass


def _confirmed(attempts: Attempts, smallest: Smallest, shows: Callable[[Verdict], bool]) -> bool:
    """Act the smallest out alone in a fresh process, keep its verdict if that shows it, and tell whether it does."""
    (last,) = attempts.verdicts([smallest.scenario], smallest.verdict.plan.origin)
    if not shows(last):
        return False
    smallest.verdict = last
    return True
