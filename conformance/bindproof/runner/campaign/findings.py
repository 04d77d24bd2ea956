"""What a campaign found: each distinct divergence or fault once, with the smallest scenario that shows it.

Enters: verdicts that nothing expects. Leaves: finding lines, and for each verdict the findings that it shows. Must not
know how scenarios are generated or shown.

A scenario that contains a finding's smallest one is taken to show that finding; any other is made smaller itself, and
so either comes to the same scenario or is another finding. Where a part of it breaks its requirement too, in another
way, that is noted as its cause, so that one bug in many guises is shown as one. After SHRUNK of one requirement on one
adapter only such are made smaller as fail in a way that none of them did, so that no bug is hidden behind another of
the same requirement: the verdicts of the others stand in the log without a finding.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable

from msgspec import Struct

from bindproof.core.likeness import most_telling, shape_of
from bindproof.core.model import ADAPTER_FAULTS, AdapterCommand, Json, Verdict
from bindproof.core.smallest import text
from bindproof.drive import HardEnd, Limits
from bindproof.results import FindingLine, noted
from bindproof.runner.assignment import Assignment
from bindproof.runner.budgets import within_budget
from bindproof.runner.campaign.attempts import Attempts, Smallest, smaller
from bindproof.runner.campaign.containment import contains
from bindproof.runner.confirm import confirm

SHRUNK = 8
"""So many scenarios are made smaller for one requirement, or one kind of fault, on one adapter."""

SHAPES = 24
"""And so many of different shapes."""

ALWAYS = "always"


class Sought(Struct, frozen=True):
    """What a smaller scenario still has to show: a requirement broken and not expected, or a fault of the adapter."""

    name: str
    shape: str = ""
    """Of a requirement, how its failure looks (see `core.likeness`)."""

    def shown_by(self, assignment: Assignment, verdict: Verdict) -> bool:
        """Tell whether a verdict of this assignment shows it."""
        return self in shown(assignment, verdict)


def shown(assignment: Assignment, verdict: Verdict) -> list[Sought]:
    """Return all that a verdict shows and no expectation names, failure by failure."""
    if verdict.outcome in ADAPTER_FAULTS:
        return [] if assignment.expectations.of_outcome(verdict) else [Sought(verdict.outcome)]
    left = assignment.expectations.unexcused(verdict)
    return [Sought(one.requirement, shape_of(failure)) for one in left for failure in one.failures]


def sought(assignment: Assignment, verdict: Verdict) -> list[Sought]:
    """Return what is to be made smaller of all that a verdict shows: of each requirement the most telling failure."""
    if verdict.outcome in ADAPTER_FAULTS:
        return shown(assignment, verdict)
    left = assignment.expectations.unexcused(verdict)
    telling = {one.requirement: most_telling(one.failures) for one in left}
    return [Sought(name, shape_of(failure)) for name, failure in telling.items() if failure is not None]


class Finding(Struct, frozen=True):
    """One finding: its line, what was sought, what else it shows with that, and the smallest scenario."""

    line: FindingLine
    sought: Sought
    shows: frozenset[Sought]
    scenario: Json


class Findings:
    """The findings of a campaign. limits: as for the campaign. end: when nothing more is tried. tell: words for a
    waiting user."""

    def __init__(self, limits: Limits, end: HardEnd, tell: Callable[[str], None]) -> None:
        self._fresh: list[FindingLine] = []
        self._limits, self._end, self._tell = limits, end, tell
        self._found: dict[str, list[Finding]] = {}
        self._shrunk: Counter[tuple[str, str]] = Counter()
        self._shapes: defaultdict[tuple[str, str], set[str]] = defaultdict(set)

    def taken(self) -> list[FindingLine]:
        """Return the lines of the findings that are new since this was last asked."""
        fresh, self._fresh = self._fresh, []
        return fresh

    def of(self, assignment: Assignment, command: AdapterCommand, verdict: Verdict) -> list[str]:
        """Return the ids of the findings that this verdict shows; `taken` then gives the lines of new ones.

        Interrupted, a finding that is being made smaller is as small as it is by then.
        """
        wanted = sought(assignment, verdict)
        if not wanted:
            return []
        scenario = assignment.setting.suite.brief(verdict.plan.scenario)
        found = (self._one(assignment, command, verdict, one, scenario) for one in wanted)
        return list(dict.fromkeys(name for name in found if name is not None))

    def _one(
        self, assignment: Assignment, command: AdapterCommand, verdict: Verdict, one: Sought, scenario: Json
    ) -> str | None:
        known = self._known(assignment.adapter, one, scenario)
        if known is not None:
            return known.line.id
        key = (assignment.adapter, one.name)
        shapes = self._shapes[key]
        if self._shrunk[key] >= SHRUNK and (one.shape in shapes or len(shapes) >= SHAPES):
            return None
        self._shrunk[key] += 1
        shapes.add(one.shape)
        return self._reduced(assignment, command, verdict, one, scenario).line.id

    def _of(self, adapter: str) -> list[Finding]:
        return self._found.setdefault(adapter, [])

    def _known(self, adapter: str, one: Sought, scenario: Json) -> Finding | None:
        return next((old for old in self._of(adapter) if one in old.shows and contains(scenario, old.scenario)), None)

    def _reduced(
        self, assignment: Assignment, command: AdapterCommand, verdict: Verdict, one: Sought, scenario: Json
    ) -> Finding:
        self._tell(f"{one.name} on {assignment.adapter}: trying {verdict.plan.id} again, alone")
        confirmed = confirm(assignment, command, verdict, self._limits, self._end)
        smallest = Smallest(scenario, confirmed)
        try:
            if confirmed.reproduced == ALWAYS:
                self._tell(f"{one.name} on {assignment.adapter}: making {verdict.plan.id} smaller")
                attempts = Attempts(assignment, command, self._limits, self._end)
                smaller(attempts, smallest, lambda seen: one.shown_by(assignment, seen))
                self._explain(assignment, attempts, smallest, one)
        finally:
            finding = self._kept(assignment.adapter, _finding(assignment, smallest, one, verdict, confirmed.reproduced))
        return finding

    def _explain(self, assignment: Assignment, attempts: Attempts, smallest: Smallest, one: Sought) -> None:
        """Note the cause of what is new: how the smallest of its parts looks that breaks the requirement in any way."""
        name = finding_id(assignment.setting.suite.name, smallest.scenario)
        if not one.shape or any(old.line.id == name for old in self._of(assignment.adapter)):
            return

        def breaks(verdict: Verdict) -> list[str]:
            return [other.shape for other in shown(assignment, verdict) if other.name == one.name]

        shapes = next(filter(None, map(breaks, attempts.of_parts(smallest))), [one.shape])
        smallest.cause = "" if one.shape in shapes else shapes[0]

    def _kept(self, adapter: str, finding: Finding) -> Finding:
        """Keep a finding that is none of the earlier ones; return it, or the earlier one."""
        earlier = next((old for old in self._of(adapter) if _is_one(old, finding)), None)
        if earlier is None:
            self._fresh.append(finding.line)
        if earlier is None or not earlier.shows >= finding.shows:
            self._of(adapter).append(finding)
        return earlier or finding


def _finding(
    assignment: Assignment, smallest: Smallest, one: Sought, verdict: Verdict, reproduced: str | None
) -> Finding:
    suite, shows = assignment.setting.suite, frozenset([one, *shown(assignment, smallest.verdict)])
    last = within_budget(smallest.verdict)
    broken = [judgement for judgement in last.judgements if not judgement.holds]
    line = FindingLine(
        id=finding_id(suite.name, smallest.scenario),
        suite=suite.name,
        adapter=assignment.adapter,
        breaks=one.name if one.name not in ADAPTER_FAULTS else "",
        outcome=last.outcome,
        plan=verdict.plan.id,
        origin=noted(verdict.plan.origin),
        scenario=smallest.scenario,
        failures=next((judgement.failures for judgement in broken if judgement.requirement == one.name), ()),
        also=tuple(judgement.requirement for judgement in broken if judgement.requirement != one.name),
        reason=last.reason,
        reproduced=reproduced,
        acted=smallest.acted,
        observation=last.observation,
        prediction=last.prediction,
        cut=last.cut,
        cause=smallest.cause,
    )
    return Finding(line, one, shows, smallest.scenario)


def _is_one(old: Finding, new: Finding) -> bool:
    """Tell whether two findings are one: of one smallest scenario, or races or leaks that show what was sought."""
    by_chance = new.line.reproduced != ALWAYS and old.line.reproduced != ALWAYS
    return old.line.id == new.line.id or (by_chance and new.sought in old.shows)


def finding_id(suite: str, scenario: Json) -> str:
    """Return the id of a scenario that was found: equal scenarios have equal ones, on every machine."""
    return f"{suite}/found/{hashlib.sha256(text(scenario)).hexdigest()[:12]}"
