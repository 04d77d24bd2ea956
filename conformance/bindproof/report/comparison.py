"""Two judgements side by side: what broke from one to the other, was mended, changed, came or went, and why.

Enters: the lines of one log or two, the names of two adapters. Leaves: a comparison, as values that are JSON too. Must
not know where it is shown. Memory grows with the scenarios that fail, and not with those that conform.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Final, Literal, get_args

from msgspec import Struct

from bindproof.core.errors import UsageError
from bindproof.core.model import ADAPTER_FAULTS, REFERENCE_REQUIREMENT, Evidence
from bindproof.core.origins import vector_of
from bindproof.core.smallest import text
from bindproof.core.varying import parts_that_stay
from bindproof.report.digest import Digest, Status
from bindproof.report.told import Row, Told, told
from bindproof.results import AdapterLine, Line, VerdictLine

if TYPE_CHECKING:
    from bindproof.spec.changes import Change as SpecChange
    from bindproof.spec.files.models import Note

Kind = Literal["broke", "mended", "changed", "came", "went", "otherwise"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
"""What may have become of a requirement. changed: it is broken in both, in other scenarios or with other evidence.
otherwise: it is judged in one of the two alone, though it applies in both."""

BAD: Final = frozenset({"broken", "known", "lost"})

UNSAID: Final = (None, "not exercised")
"""Of what is so on both sides nothing can be said: it does not apply, or no scenario was about it."""

UNJUDGED: Final = ADAPTER_FAULTS | {"not_run", "harness_error"}
"""Outcomes of which nobody knows what the binding would have done."""

MOST_SCENARIOS = 10
"""Scenarios that are named of a requirement; others are counted."""


class Subject(Struct, frozen=True):
    """One of the two that are compared."""

    adapter: str
    target: str
    version: str
    editions: dict[str, str]
    """Suite → the edition under which it was judged."""
    bindproof: str
    spec: str


class Change(Struct, frozen=True):
    """What became of one requirement."""

    kind: Kind
    requirement: str
    level: str
    title: str
    before: Status | None
    after: Status | None
    """`before` and `after`: None where it does not apply."""
    why: tuple[str, ...]
    """What the editions say of it: that it came into force, or the migration notes that are about it."""
    scenarios: tuple[str, ...]
    """Some of those that show the difference."""
    count: int
    """How many do."""
    replay: tuple[str, ...]
    """Commands that show it, the later one first."""


class Scenarios(Struct, frozen=True):
    """Some scenarios, each with its outcome, and how many there are."""

    some: tuple[tuple[str, str], ...]
    count: int


class Comparison(Struct, frozen=True):
    """All of it."""

    old: Subject
    new: Subject
    changes: tuple[Change, ...]
    """In the order of KINDS, and of the chapters."""
    unchanged: int
    """Requirements of which nothing changed."""
    lost: Scenarios
    """Those that come to no judgement now, because the adapter fails, and did before."""
    found: Scenarios
    """Those of which the opposite is so."""

    @property
    def is_worse(self) -> bool:
        """True where a requirement broke, or a scenario was lost."""
        return bool(self.of("broke")) or self.lost.count > 0

    def of(self, kind: Kind) -> list[Change]:
        """Return the changes of one kind."""
        return [change for change in self.changes if change.kind == kind]


class Side:
    """Takes the lines of a log, for what one of its adapters did. adapter: its name."""

    def __init__(self, adapter: str) -> None:
        self.adapter = adapter
        self.digest = Digest()
        self.failing: dict[str, dict[str, str]] = {}
        """Requirement → scenario → what it looks like, without what varies."""
        self.unjudged: dict[str, str] = {}
        """Scenario → outcome, of those that should have been judged, and nothing expects that they are not."""
        self.vectors: dict[str, str] = {}
        """Scenario → the vector that it is, or whose twin it is, of those that do not conform."""

    def add(self, line: Line) -> None:
        """Take the next line."""
        if getattr(line, "adapter", self.adapter) != self.adapter:
            return
        if isinstance(line, AdapterLine) and line.name != self.adapter:
            return
        self.digest.add(line)
        if not isinstance(line, VerdictLine):
            return
        if line.outcome != "conforms" and (vector := vector_of(line.came_from)) is not None:
            self.vectors[line.plan] = vector
        for broken in line.broken:
            looks = "\n".join(sorted(map(_looks, broken.failures)))
            self.failing.setdefault(broken.requirement, {})[line.plan] = looks
        if line.outcome in UNJUDGED and line.expected_by is None:
            self.unjudged[line.plan] = line.outcome
        if line.outcome not in ("conforms", "diverges"):
            for requirement in line.exercises:
                self.failing.setdefault(requirement, {})[line.plan] = line.outcome

    def subject(self) -> Subject:
        """Return who it is. Raises UsageError where the log has no such adapter, or it was not judged."""
        run, adapter = self.digest.run, self.digest.adapters.get(self.adapter)
        if adapter is None or run is None:
            there = ", ".join(run.adapters) if run else ""
            raise UsageError(f"there is no adapter {self.adapter!r} in the log; name one of its own: {there}")
        if not self.digest.judged.get(self.adapter):
            why = f" ({adapter.state}: {adapter.reason})" if adapter.reason else ""
            raise UsageError(f"nothing was judged of {self.adapter}{why}; there is nothing to compare")
        editions = {speaks.suite: speaks.edition for speaks in adapter.suites}
        return Subject(self.adapter, adapter.target, adapter.version, editions, run.bindproof, run.spec)


def compare(old: Side, new: Side) -> Comparison:
    """Return what changed from one side to the other. Raises UsageError where one of them was not judged."""
    before, after = old.subject(), new.subject()
    told_old, told_new = told(old.digest), told(new.digest)
    rows_old, rows_new = _rows(told_old), _rows(told_new)
    why = _Why(before, after, old, new)
    changes, unchanged = list[Change](), 0
    for name in dict.fromkeys([*rows_new, *rows_old]):
        row = rows_new.get(name) or rows_old[name]
        was, now = _status(rows_old, name, old.adapter), _status(rows_new, name, new.adapter)
        if was == now and was in UNSAID:
            continue
        failing = old.failing.get(name, {}), new.failing.get(name, {})
        kind = _kind(was, now, same=failing[0] == failing[1])
        if kind is None:
            unchanged += 1
            continue
        scenarios = _differing(*failing)
        changes.append(
            Change(
                kind,
                name,
                row.level,
                row.title,
                was,
                now,
                tuple(why.of(name, scenarios)),
                tuple(scenarios[:MOST_SCENARIOS]),
                len(scenarios),
                tuple(dict.fromkeys(_replays(name, (told_new, new.adapter), (told_old, old.adapter)))),
            )
        )
    ordered = tuple(sorted(changes, key=lambda one: KINDS.index(one.kind)))
    lost, found = _beyond(new.unjudged, old.unjudged), _beyond(old.unjudged, new.unjudged)
    return Comparison(before, after, ordered, unchanged, lost, found)


def vectors_of(scenarios: Iterable[str], *sides: Side) -> set[str]:
    """Return the vectors that some scenarios are, or whose twins they are."""
    return {side.vectors[scenario] for scenario in scenarios for side in sides if scenario in side.vectors}


def _beyond(these: dict[str, str], those: dict[str, str]) -> Scenarios:
    """Return those that the others do not have."""
    left = [(plan, outcome) for plan, outcome in these.items() if plan not in those]
    return Scenarios(tuple(left[:MOST_SCENARIOS]), len(left))


def _rows(account: Told) -> dict[str, Row]:
    return {row.id: row for row in account.requirements}


def _status(rows: dict[str, Row], name: str, adapter: str) -> Status | None:
    return rows[name].status.get(adapter) if name in rows else None


def _kind(was: Status | None, now: Status | None, *, same: bool) -> Kind | None:
    """Return what became of a requirement, None where nothing did. same: the same scenarios fail in the same way."""
    if was is None:
        return "broke" if now in BAD else "came"
    if now is None:
        return "went"
    if was in BAD and now in BAD:
        return None if same else "changed"
    if now in BAD:
        return "broke"
    if was in BAD:
        return "mended" if now == "held" else "otherwise"
    return None if was == now else "otherwise"


def _differing(was: dict[str, str], now: dict[str, str]) -> list[str]:
    """Return the scenarios that fail on one side alone, or otherwise than on the other."""
    return [plan for plan in dict.fromkeys([*now, *was]) if was.get(plan) != now.get(plan)]


def _replays(name: str, *sides: tuple[Told, str]) -> Iterator[str]:
    for account, adapter in sides:
        yield from (one.replay for one in account.divergences if one.requirement == name and one.adapter == adapter)


def _looks(failure: Evidence) -> str:
    """Return what a failure looks like, but for what differs from run to run."""
    values = text([failure.expected, failure.observed]).decode(errors="replace")
    return f"{failure.lane} {failure.text} {failure.at} {'…'.join(parts_that_stay(values))}"


class _Why:
    """What the editions of the two say of a requirement."""

    def __init__(self, old: Subject, new: Subject, *sides: Side) -> None:
        self._old, self._new, self._sides = old, new, sides
        self._suites = {
            facts.id: suite.suite
            for side in sides
            for suite in (side.digest.run.suites if side.digest.run else ())
            for facts in suite.requirements
        }
        self._facts = {name: sides[-1].digest.facts(name) for name in self._suites}
        self._notes = {suite: list(_notes(suite, *pair)) for suite, pair in self._steps().items()}

    def of(self, requirement: str, scenarios: Iterable[str]) -> Iterator[str]:
        """Yield each reason, in words."""
        if requirement == REFERENCE_REQUIREMENT:
            named = [note for notes in self._notes.values() for note in notes]
        else:
            suite = self._suites.get(requirement, "")
            yield from self._of_force(requirement, suite)
            named = self._notes.get(suite, [])
        shown = vectors_of(scenarios, *self._sides)
        yield from (said for said, rules, vectors in named if requirement in rules or shown & vectors)

    def _of_force(self, requirement: str, suite: str) -> Iterator[str]:
        facts, pair = self._facts.get(requirement), self._steps().get(suite)
        if facts is None or pair is None or not facts.editions:
            return
        old, new = pair
        if old not in facts.editions and new in facts.editions:
            yield f"in force in edition {new}, and not in {old}"
        elif old in facts.editions and new not in facts.editions:
            yield f"in force in edition {old}, and not in {new}"

    def _steps(self) -> dict[str, tuple[str, str]]:
        """The suites of which the two have other editions, with these."""
        editions = self._new.editions
        pairs = {suite: (old, editions[suite]) for suite, old in self._old.editions.items() if suite in editions}
        return {suite: pair for suite, pair in pairs.items() if pair[0] != pair[1]}


def _notes(suite: str, old: str, new: str) -> Iterator[tuple[str, frozenset[str], frozenset[str]]]:
    """Yield each migration note between two editions: in words, its requirements, its vectors."""
    for change, note in notes_between(suite, old, new):
        said = f"edition {change.old} → {change.new}: {note.title}"
        yield said, frozenset(note.requirements), frozenset(note.vectors)


def notes_between(suite: str, old: str, new: str) -> Iterator[tuple[SpecChange, Note]]:
    """Yield each migration note between two editions, named in any order, with the step that it is of."""
    from bindproof import spec
    from bindproof.spec.changes import changes_between

    with suppress(UsageError):  # a suite, or an edition of it, that is not installed here has no notes
        installed = spec.installed(suite)
        names = installed.edition_names
        first, last = sorted((old, new), key=names.index) if {old, new} <= {*names} else (old, new)
        for change in changes_between(installed, first, last):
            for _, note in change.notes:
                yield change, note
