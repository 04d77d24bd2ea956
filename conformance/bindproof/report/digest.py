"""What every report needs from a log, gathered line by line.

Enters: the lines of a log, in order. Leaves: adapters, the status of each requirement on each adapter, one entry for
each divergence with its smallest scenario, faults, known outcomes, stale expectations. Must not know how any of it is
shown. Keeps one scenario a divergence, so memory does not grow with a run that conforms; a digest that is to keep all
verdicts does grow.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Final, Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from bindproof.core.model import ADAPTER_FAULTS, REFERENCE_REQUIREMENT
from bindproof.core.smallest import Size, size
from bindproof.results import (
    REFERENCE_FACTS,
    AdapterLine,
    Broken,
    ChoicesLine,
    Exercise,
    FindingLine,
    Line,
    RequirementFacts,
    RunLine,
    StaleLine,
    SummaryLine,
    VerdictLine,
    joined,
)
from bindproof.results.fold import EXIT_INTERRUPTED

Status = Literal["broken", "known", "held", "lost", "inexpressible", "unsupported", "not exercised"]
STATUSES: Final[tuple[Status, ...]] = get_args(Status)
"""Every status of a requirement on an adapter; of several that apply, the first counts."""
HELD: Final = STATUSES.index("held")

JUDGED: Final = frozenset({"conforms", "diverges"})

MOST_KEPT: Final = 20
"""So many faults and unjudged scenarios are kept to be shown, and the ids of known outcomes; all others are counted."""


class Divergence(Struct, frozen=True):
    """One broken requirement on one adapter."""

    requirement: RequirementFacts
    adapter: str
    verdict: VerdictLine
    """The smallest scenario that shows it, an unexpected one before an expected one."""
    broken: Broken
    count: int
    """How many scenarios show it."""
    expected_by: str | None
    """The expectation that names it, None when at least one scenario shows it unexpectedly."""
    size: Size
    """Of the scenario that is kept (see `core.smallest`)."""


class KnownOutcome(Struct, frozen=True):
    """Scenarios that could not be judged on one adapter, as an expectation says: a known crash, and the like."""

    adapter: str
    outcome: str
    expected_by: str
    verdict: VerdictLine
    """The first of them."""
    plans: tuple[str, ...]
    """The ids of the first of them."""
    count: int
    """How many there are."""


class Digest:
    """Takes a log line by line; afterwards its attributes and methods answer a report's questions.

    run, summary: the first and last line, None while they have not come. faults: verdicts that blame an adapter; bugs:
    those in which bindproof itself failed; unjudged: others that should have been judged and were not; of each the
    first ones, and `counts_of` has how many there are. stale: expectations that did not occur. judged: how many
    scenarios were judged, by adapter. verdicts: all of them, when `keeps_verdicts`.
    findings: of a campaign; unreduced: how many of its verdicts should have been one and are of none; exercise: how
    many of its scenarios exercised what; never: what its generator never chose.
    """

    def __init__(self, *, keeps_verdicts: bool = False) -> None:
        self.run: RunLine | None = None
        self.summary: SummaryLine | None = None
        self.verdicts: list[VerdictLine] = []
        self.faults: list[VerdictLine] = []
        self.bugs: list[VerdictLine] = []
        self.unjudged: list[VerdictLine] = []
        self.stale: list[StaleLine] = []
        self.judged: dict[str, int] = {}
        self.findings: list[FindingLine] = []
        self.exercise = Exercise()
        self.never: list[str] = []
        self.counted = 0
        self.counts_of: Counter[str] = Counter()
        self.unreduced = 0
        self._shown: Counter[tuple[str, str]] = Counter()
        self._keeps_verdicts = keeps_verdicts
        self._adapters: dict[str, AdapterLine] = {}
        self._known: dict[tuple[str, str, str], KnownOutcome] = {}
        self._ranks: dict[str, dict[str, int]] = {}
        self._told: defaultdict[str, set[str]] = defaultdict(set)
        self._divergences: dict[tuple[str, str, str | None], Divergence] = {}
        self._facts: dict[str, RequirementFacts] = {}
        self._suite_of: dict[str, str] = {}
        self._partial: dict[str, tuple[str, ...]] = {}

    @property
    def ending(self) -> tuple[int, str]:
        """The exit code of the run, and why; a log without a summary was cut short."""
        return (self.summary.exit, self.summary.why) if self.summary else (EXIT_INTERRUPTED, "the log has no end")

    @classmethod
    def over(cls, lines: Iterable[Line], *, keeps_verdicts: bool = False) -> Digest:
        """A digest that has taken all these lines."""
        digest = cls(keeps_verdicts=keeps_verdicts)
        for line in lines:
            digest.add(line)
        return digest

    def add(self, line: Line) -> None:
        """Takes the next line."""
        self.exercise.add(line)
        match line:
            case VerdictLine():
                self._add_verdict(line)
            case AdapterLine():
                self._add_adapter(line)
            case FindingLine():
                self.findings.append(line)
            case ChoicesLine():
                self.counted += line.scenarios
                self.never += [f"{place}: {option}" for place, options in line.never.items() for option in options]
            case StaleLine():
                self.stale.append(line)
            case SummaryLine():
                self.summary = line
            case RunLine():
                self.run = line
                self._facts = {r.id: r for suite in line.suites for r in suite.requirements}
                self._partial = {suite.suite: suite.partial for suite in line.suites}
                self._suite_of = {r.id: suite.suite for suite in line.suites for r in suite.requirements}

    def shown_by(self, finding: FindingLine) -> int:
        """How many scenarios show a finding."""
        return self._shown[finding.adapter, finding.id]

    @property
    def divergences(self) -> list[Divergence]:
        """Unexpected ones first, then in the order of the chapters and adapters."""
        order = {name: at for at, name in enumerate([*self._facts, REFERENCE_REQUIREMENT])}
        columns = {name: at for at, name in enumerate(self.adapters)}
        return sorted(
            (one for one in self._divergences.values() if not self._is_outweighed(one)),
            key=lambda d: (
                d.expected_by is not None,
                order.get(d.requirement.id, len(order)),
                columns.get(d.adapter, len(columns)),
            ),
        )

    def status(self, adapter: str, requirement: str) -> Status:
        """The status of a requirement on an adapter that is judged in an edition and dialect in which it holds."""
        return STATUSES[self._ranks.get(adapter, {}).get(requirement, len(STATUSES) - 1)]

    def chapters(self) -> Mapping[str, list[RequirementFacts]]:
        """Chapter title → its selected, testable requirements, in the order of the spec.

        The built-in requirement gets a chapter of its own once it was judged.
        """
        chapters: dict[str, list[RequirementFacts]] = {}
        for facts in self._facts.values():
            if facts.selected and facts.untestable is None:
                chapters.setdefault(facts.chapter, []).append(facts)
        if any(REFERENCE_REQUIREMENT in ranks for ranks in self._ranks.values()):
            chapters.setdefault(REFERENCE_FACTS.chapter, []).append(self.facts(REFERENCE_REQUIREMENT))
        return chapters

    def counts(self, adapter: str, requirements: Iterable[RequirementFacts]) -> dict[Status, int]:
        """How many of these requirements that apply to the adapter have each status, in the order of STATUSES."""
        counts: dict[Status, int] = dict.fromkeys(STATUSES, 0)
        for facts in requirements:
            if self._applies(adapter, facts):
                counts[self.status(adapter, facts.id)] += 1
        return counts

    @property
    def adapters(self) -> Mapping[str, AdapterLine]:
        """The adapters by name, in the order in which they were asked for."""
        asked = self.run.adapters if self.run is not None else ()
        order = dict.fromkeys([*(name for name in asked if name in self._adapters), *self._adapters])
        return {name: self._adapters[name] for name in order}

    @property
    def known_outcomes(self) -> list[KnownOutcome]:
        """What could not be judged and is known not to be, in the order of the log."""
        return list(self._known.values())

    def reason_of(self, expected_by: str | None) -> str:
        """Why a divergence is known: the reason that its expectation gives, empty when the log has none."""
        return self.run.expectations.get(expected_by or "", "") if self.run is not None else ""

    def _is_outweighed(self, one: Divergence) -> bool:
        """Tell whether it is known, and its requirement is broken on the adapter as nothing expects."""
        key = (one.requirement.id, one.adapter, None)
        return one.expected_by is not None and key in self._divergences

    def facts(self, requirement: str) -> RequirementFacts:
        """The facts of a requirement; of one that the log's run line lacks, just its id."""
        if requirement in self._facts:
            return self._facts[requirement]
        if requirement == REFERENCE_REQUIREMENT:
            return REFERENCE_FACTS
        return RequirementFacts(requirement, "MUST", "", "", chapter="")

    def _applies(self, adapter: str, facts: RequirementFacts) -> bool:
        spoken = self._adapters[adapter].suites
        if facts.id == REFERENCE_REQUIREMENT:
            return any(one.edition not in self._partial.get(one.suite, ()) for one in spoken)
        own = [one for one in spoken if one.suite == self._suite_of.get(facts.id)]
        return any(facts.applies(one.edition, one.dialect) for one in own)

    def _add_adapter(self, line: AdapterLine) -> None:
        self._adapters[line.name] = joined(self._adapters.get(line.name), line)

    def _add_verdict(self, line: VerdictLine) -> None:
        if self._keeps_verdicts:
            self.verdicts.append(line)
        if line.found:
            self._shown.update((line.adapter, name) for name in line.found)
        self.unreduced += not line.found and self._is_of_a_campaign(line)
        if line.outcome in JUDGED:
            self.judged[line.adapter] = self.judged.get(line.adapter, 0) + 1
            self._rank_held(line)
            if line.outcome == "diverges":
                measure = size(line.scenario)
                for broken in line.broken or (Broken(REFERENCE_REQUIREMENT),):
                    self._add_broken(line, broken, measure)
            return
        if (status := _status(line)) is not None:
            for requirement in line.exercises:
                self._rank(line.adapter, requirement, status)
        self._add_unjudged(line)

    def _is_of_a_campaign(self, line: VerdictLine) -> bool:
        return bool(self.findings) and (line.unexpected or (line.outcome in ADAPTER_FAULTS and not line.expected_by))

    def _add_unjudged(self, line: VerdictLine) -> None:
        if line.expected_by is not None and not line.demanded:
            self._add_known(line, line.expected_by)
        elif line.outcome in ADAPTER_FAULTS:
            if not line.found:
                self._keep("faults", self.faults, line)
        elif line.outcome == "harness_error":
            self._keep("bugs", self.bugs, line)
        elif line.demanded or line.outcome == "not_run":
            self._keep("unjudged", self.unjudged, line)

    def _keep(self, kind: str, kept: list[VerdictLine], line: VerdictLine) -> None:
        self.counts_of[kind] += 1
        if len(kept) < MOST_KEPT:
            kept.append(line)

    def _add_known(self, line: VerdictLine, expected_by: str) -> None:
        key = (line.adapter, line.outcome, expected_by)
        earlier = self._known.get(key)
        if earlier is None:
            self._known[key] = KnownOutcome(*key, line, (line.plan,), 1)
        else:
            plans = (*earlier.plans, line.plan) if len(earlier.plans) < MOST_KEPT else earlier.plans
            self._known[key] = replace(earlier, plans=plans, count=earlier.count + 1)

    def _add_broken(self, line: VerdictLine, broken: Broken, measure: Size) -> None:
        expected_by = broken.expected_by or line.expected_by
        self._rank(line.adapter, broken.requirement, "broken" if expected_by is None else "known")
        key = (broken.requirement, line.adapter, expected_by)
        found = Divergence(self.facts(broken.requirement), line.adapter, line, broken, 1, expected_by, measure)
        earlier = self._divergences.get(key)
        if earlier is None:
            self._divergences[key] = found
        else:
            self._divergences[key] = replace(min(earlier, found, key=_rank), count=earlier.count + 1)

    def _rank_held(self, line: VerdictLine) -> None:
        told = self._told[line.adapter]
        if told.issuperset(line.held):  # most lines of a run change nothing
            return
        told.update(line.held)
        ranks = self._ranks.setdefault(line.adapter, {})
        for requirement in line.held:
            if ranks.get(requirement, len(STATUSES)) > HELD:
                ranks[requirement] = HELD

    def _rank(self, adapter: str, requirement: str, status: Status) -> None:
        ranks = self._ranks.setdefault(adapter, {})
        rank = STATUSES.index(status)
        if rank < ranks.get(requirement, len(STATUSES)):
            ranks[requirement] = rank


def _status(line: VerdictLine) -> Status | None:
    """Return what a line that was not judged says of the requirements that it is about."""
    if line.outcome == "unsupported" or line.outcome == "inexpressible":
        return line.outcome
    return "lost" if line.outcome in ADAPTER_FAULTS and line.expected_by is not None else None


def _rank(divergence: Divergence) -> tuple[bool, Size]:
    return divergence.expected_by is not None, divergence.size
