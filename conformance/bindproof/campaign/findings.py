"""What a campaign found: each distinct divergence or fault once, with the smallest scenario that shows it.

Enters: verdicts that nothing expects. Leaves: finding lines, and for each verdict the findings that it shows. Must not
know how scenarios are generated or shown.

A scenario that contains a finding's smallest one is taken to show that finding; any other is made smaller itself, and
so either comes to the same scenario or is another finding. After SHRUNK of one requirement on one adapter no more are
made smaller: the verdicts of the others stand in the log without a finding.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from bindproof.campaign.attempts import Attempts, Smallest, smaller
from bindproof.campaign.contained import contained
from bindproof.campaign.edits import text
from bindproof.core.model import ADAPTER_FAULTS, REFERENCE_REQUIREMENT, AdapterCommand, Json, Verdict
from bindproof.drive import Limits
from bindproof.results import FindingLine
from bindproof.runner.confirm import confirm
from bindproof.runner.course import Course

SHRUNK = 8
"""So many scenarios are made smaller for one requirement, or one kind of fault, on one adapter."""

ALWAYS = "always"


@dataclass(frozen=True, slots=True)
class Sought:
    """What a smaller scenario still has to show: a requirement broken and not expected, or a fault of the adapter.

    place: for the built-in requirement, which stands for many, also where the difference is.
    """

    name: str
    place: str = ""

    def shown_by(self, course: Course, verdict: Verdict) -> bool:
        """Tell whether a verdict of this course shows it."""
        return self in sought(course, verdict)


def sought(course: Course, verdict: Verdict) -> list[Sought]:
    """Return all that a verdict shows and no expectation names."""
    if verdict.outcome in ADAPTER_FAULTS:
        return [] if course.expectations.of_outcome(verdict) else [Sought(verdict.outcome)]
    return [
        Sought(one.requirement, _place(one.failures[0].text) if one.requirement == REFERENCE_REQUIREMENT else "")
        for one in course.expectations.unexcused(verdict)
    ]


def _place(words: str) -> str:
    return re.sub(r"\d+", "#", words)


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding: its line, what was sought, what else it shows with that, and the smallest scenario."""

    line: FindingLine
    sought: Sought
    shows: frozenset[Sought]
    scenario: Json


class Findings:
    """The findings of a campaign. limits: as for the campaign. tell: words for a waiting user.

    fresh: the lines of findings that nobody has taken out of it yet.
    """

    def __init__(self, limits: Limits, tell: Callable[[str], None]) -> None:
        self.fresh: list[FindingLine] = []
        self._limits, self._tell = limits, tell
        self._found: dict[str, list[Finding]] = {}
        self._shrunk: Counter[tuple[str, str]] = Counter()

    def of(self, course: Course, command: AdapterCommand, verdict: Verdict) -> list[str]:
        """Return the ids of the findings that this verdict shows; the lines of new ones are then in `fresh`.

        Interrupted, a finding that is being made smaller is in `fresh` as small as it is.
        """
        wanted = sought(course, verdict)
        if not wanted:
            return []
        scenario = course.setting.suite.brief(verdict.plan.scenario)
        found = (self._one(course, command, verdict, one, scenario) for one in wanted)
        return list(dict.fromkeys(name for name in found if name is not None))

    def _one(
        self, course: Course, command: AdapterCommand, verdict: Verdict, one: Sought, scenario: Json
    ) -> str | None:
        known = self._known(course.adapter, one, scenario)
        if known is not None:
            return known.line.id
        key = (course.adapter, one.name)
        if self._shrunk[key] >= SHRUNK:
            return None
        self._shrunk[key] += 1
        return self._reduced(course, command, verdict, one, scenario).line.id

    def _of(self, adapter: str) -> list[Finding]:
        return self._found.setdefault(adapter, [])

    def _known(self, adapter: str, one: Sought, scenario: Json) -> Finding | None:
        return next((old for old in self._of(adapter) if one in old.shows and contained(old.scenario, scenario)), None)

    def _reduced(
        self, course: Course, command: AdapterCommand, verdict: Verdict, one: Sought, scenario: Json
    ) -> Finding:
        self._tell(f"{one.name} on {course.adapter}: trying {verdict.plan.id} again, alone")
        confirmed = confirm(course, command, verdict, self._limits)
        smallest = Smallest(scenario, confirmed)
        try:
            if confirmed.reproduced == ALWAYS:
                self._tell(f"{one.name} on {course.adapter}: making {verdict.plan.id} smaller")
                smaller(Attempts(course, command, self._limits), smallest, lambda seen: one.shown_by(course, seen))
        finally:
            finding = self._kept(course.adapter, _finding(course, smallest, one, verdict, confirmed.reproduced))
        return finding

    def _kept(self, adapter: str, finding: Finding) -> Finding:
        """Keep a finding that is none of the earlier ones; return it, or the earlier one."""
        earlier = next((old for old in self._of(adapter) if _is_one(old, finding)), None)
        if earlier is None:
            self.fresh.append(finding.line)
        if earlier is None or not earlier.shows >= finding.shows:
            self._of(adapter).append(finding)
        return earlier or finding


def _finding(course: Course, smallest: Smallest, one: Sought, verdict: Verdict, reproduced: str | None) -> Finding:
    last, suite = smallest.verdict, course.setting.suite
    shows = frozenset([one, *sought(course, last)])
    broken = [judgement for judgement in last.judgements if not judgement.holds]
    line = FindingLine(
        id=finding_id(suite.name, smallest.scenario),
        suite=suite.name,
        adapter=course.adapter,
        breaks=one.name if one.name not in ADAPTER_FAULTS else "",
        outcome=last.outcome,
        plan=verdict.plan.id,
        scenario=smallest.scenario,
        failures=next((judgement.failures for judgement in broken if judgement.requirement == one.name), ()),
        also=tuple(judgement.requirement for judgement in broken if judgement.requirement != one.name),
        reason=last.reason,
        reproduced=reproduced,
        acted=smallest.acted,
        observation=last.observation,
        prediction=last.prediction,
    )
    return Finding(line, one, shows, smallest.scenario)


def _is_one(old: Finding, new: Finding) -> bool:
    """Tell whether two findings are one: of one smallest scenario, or races or leaks that show what was sought."""
    by_chance = new.line.reproduced != ALWAYS and old.line.reproduced != ALWAYS
    return old.line.id == new.line.id or (by_chance and new.sought in old.shows)


def finding_id(suite: str, scenario: Json) -> str:
    """Return the id of a scenario that was found: equal scenarios have equal ones, on every machine."""
    return f"{suite}/found/{hashlib.sha256(text(scenario)).hexdigest()[:12]}"
