"""What a user meets who moves to another release, of a target or of bindproof: which verdicts change, by which
requirement, and what the editions' migration notes say of it.

Enters: the lines of one log or two, the names of two adapters. Leaves: a preview, as values that are JSON too. Must not
know where it is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from bindproof.core.errors import UsageError
from bindproof.core.model import ADAPTER_FAULTS, REFERENCE_REQUIREMENT
from bindproof.report.comparison import Side, Subject, notes_between, vectors_of
from bindproof.results import REFERENCE_FACTS, Line, RequirementFacts, VerdictLine

MOST_VERDICTS: Final = 10
"""Verdicts that are named of a requirement; others are counted."""

BAD: Final = ADAPTER_FAULTS | {"not_run", "harness_error"}


class Said(Struct, frozen=True):
    """What a verdict says, as far as it is told here."""

    outcome: str
    breaks: tuple[str, ...]

    @property
    def words(self) -> str:
        """In words, such as `diverges (MRK-002)`."""
        outcome = self.outcome.replace("_", " ")
        return f"{outcome} ({', '.join(self.breaks)})" if self.breaks else outcome


class Changed(Struct, frozen=True):
    """A verdict that changes, in words."""

    scenario: str
    before: str
    after: str


class Note(Struct, frozen=True):
    """A migration note that is about it."""

    step: str
    """Such as `0.9 → 0.10`."""
    title: str
    what: str
    must: tuple[str, ...]
    """Who must do what, in the dialect of the target."""


class Explained(Struct, frozen=True):
    """The verdicts that change by one requirement, and why."""

    requirement: str
    """Empty where no requirement is judged otherwise: the outcome alone is another one."""
    level: str
    title: str
    why: tuple[str, ...]
    """What the spec says: in which editions it holds, and whether that, or its statement, changed."""
    notes: tuple[Note, ...]
    verdicts: tuple[Changed, ...]
    """The first of them."""
    count: int
    worse: bool
    """A verdict is broken by it that was not."""


class Preview(Struct, frozen=True):
    """All of it."""

    old: Subject
    new: Subject
    explained: tuple[Explained, ...]
    """What gets worse first, then in the order of the chapters."""
    changed: int
    """Verdicts that change."""
    stay: int
    first: int
    """Scenarios that are judged for the first time."""
    gone: int
    """Scenarios that are judged no more."""

    @property
    def is_worse(self) -> bool:
        """True where a verdict is broken that was not."""
        return any(one.worse for one in self.explained)


class Verdicts(Side):
    """Takes the lines of a log, and keeps what each verdict says. Memory grows with the scenarios."""

    def __init__(self, adapter: str) -> None:
        super().__init__(adapter)
        self.said: dict[str, Said] = {}

    def add(self, line: Line) -> None:
        """Take the next line."""
        super().add(line)
        if isinstance(line, VerdictLine) and line.adapter == self.adapter:
            self.said[line.plan] = Said(line.outcome, tuple(one.requirement for one in line.broken))


def preview(old: Verdicts, new: Verdicts, own: dict[str, tuple[str, str]] | None = None) -> Preview:
    """Return what changes from one side to the other.

    own: suite → the editions of the two releases, where they were judged under another one. Raises UsageError where one
    of them was not judged.
    """
    before, after = old.subject(), new.subject()
    editions = own or {
        suite: (edition, after.editions[suite]) for suite, edition in before.editions.items() if suite in after.editions
    }
    both = [plan for plan in new.said if plan in old.said]
    changed = [plan for plan in both if old.said[plan].words != new.said[plan].words]
    by = _by_requirement(changed, old, new)
    why = _Reasons(old, new, editions)
    explained = [_explained(name, plans, old, new, why) for name, plans in by.items()]
    order = {name: at for at, name in enumerate(why.facts)}
    explained.sort(key=lambda one: (not one.worse, order.get(one.requirement, len(order))))
    return Preview(
        old=before,
        new=after,
        explained=tuple(explained),
        changed=len(changed),
        stay=len(both) - len(changed),
        first=len(new.said) - len(both),
        gone=len(old.said) - len(both),
    )


def _by_requirement(changed: Iterable[str], old: Verdicts, new: Verdicts) -> dict[str, list[str]]:
    """Return the scenarios of each requirement that is judged otherwise; the built-in one has those of no other."""
    found: dict[str, list[str]] = {}
    for plan in changed:
        was, now = set(old.said[plan].breaks), set(new.said[plan].breaks)
        differ = was ^ now
        for name in sorted(differ - {REFERENCE_REQUIREMENT} or differ) or [""]:
            found.setdefault(name, []).append(plan)
    return found


def _explained(name: str, plans: list[str], old: Verdicts, new: Verdicts, why: _Reasons) -> Explained:
    facts = why.facts.get(name)
    some = [Changed(plan, old.said[plan].words, new.said[plan].words) for plan in plans[:MOST_VERDICTS]]
    return Explained(
        requirement=name,
        level=facts.level if facts else "",
        title=facts.title if facts else "",
        why=tuple(why.of(name)),
        notes=tuple(why.notes(name, plans)),
        verdicts=tuple(some),
        count=len(plans),
        worse=any(_gets_worse(name, old.said[plan], new.said[plan]) for plan in plans),
    )


def _gets_worse(name: str, was: Said, now: Said) -> bool:
    if name:
        return name in now.breaks
    return now.outcome in BAD and was.outcome not in BAD


class _Reasons:
    """What spec and editions say of a requirement. editions: suite → those of the two."""

    def __init__(self, old: Verdicts, new: Verdicts, editions: dict[str, tuple[str, str]]) -> None:
        self._sides = old, new
        self._before, self._after = _facts(old), _facts(new)
        self.facts = {**self._before, **self._after, REFERENCE_REQUIREMENT: REFERENCE_FACTS}
        dialects = {speaks.suite: speaks.dialect for line in new.digest.adapters.values() for speaks in line.suites}
        self._notes = [
            (note, rules, vectors)
            for suite, (first, last) in editions.items()
            if first != last
            for note, rules, vectors in _notes_of(suite, first, last, dialects.get(suite, ""))
        ]

    def of(self, name: str) -> Iterator[str]:
        """Yield what the spec says of a requirement, in words."""
        was, now = self._before.get(name), self._after.get(name)
        if name == REFERENCE_REQUIREMENT:
            yield "no requirement speaks of it; the reference of that edition foresees something else"
        if was is None and now is None:
            return
        if was is None:
            yield "the spec has it now, and did not before"
        elif now is None:
            yield "the spec has it no more"
        elif was.statement != now.statement:
            yield "its statement is another one than before"
        facts = now or was
        if facts is not None and facts.editions:
            yield f"it holds in {', '.join(facts.editions)}"
        if was is not None and now is not None and was.editions != now.editions:
            yield f"before it held in {', '.join(was.editions)}"

    def notes(self, name: str, plans: Iterable[str]) -> Iterator[Note]:
        """Yield each note that names the requirement or one of the scenarios."""
        shown = vectors_of(plans, *self._sides)
        yield from (note for note, rules, vectors in self._notes if name in rules or shown & vectors)


def _facts(side: Verdicts) -> dict[str, RequirementFacts]:
    run = side.digest.run
    return {facts.id: facts for suite in (run.suites if run else ()) for facts in suite.requirements}


def _notes_of(suite: str, old: str, new: str, dialect: str) -> Iterator[tuple[Note, frozenset[str], frozenset[str]]]:
    for change, note in notes_between(suite, old, new):
        must = [
            f"{act.who}: {act.must}" for act in note.act if not act.dialects or not dialect or dialect in act.dialects
        ]
        shown = Note(f"{change.old} → {change.new}", note.title, " ".join(note.what.split()), tuple(must))
        yield shown, frozenset(note.requirements), frozenset(note.vectors)


def own_editions(side: Verdicts) -> dict[str, str]:
    """Return the edition of the release itself, by suite, whatever it was judged under."""
    from bindproof import spec

    line = side.digest.adapters.get(side.adapter)
    found: dict[str, str] = {}
    if line is None:
        return found
    for speaks in line.suites:
        try:
            found[speaks.suite] = spec.edition_of(spec.installed(speaks.suite), line.target, line.version)[0]
        except UsageError:  # a suite that is not installed here
            found[speaks.suite] = speaks.edition
    return found
