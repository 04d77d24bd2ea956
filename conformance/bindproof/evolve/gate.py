"""The gate: every difference that blocks has a note, every note a difference, and vectors notice it.

Enters: a suite and two of its editions. Leaves: Faults, each with file, line and what to do next; the steps with their
Findings and notes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from bindproof.core.errors import UsageError
from bindproof.evolve.answers import Decision
from bindproof.evolve.bounded import PATIENCE, Patience
from bindproof.evolve.difference import Difference
from bindproof.evolve.findings import EXIT_CODES, Findings, compared
from bindproof.evolve.reversion import Reversions, is_rule
from bindproof.evolve.sides import edition_side
from bindproof.evolve.survival import lost_on_the_way
from bindproof.evolve.words import name_of, path_of
from bindproof.spec import Vector, vectors
from bindproof.spec.change_check import step_problems
from bindproof.spec.changes import Change, changes_between
from bindproof.spec.edition_lock import lock_problems
from bindproof.spec.models import Spec
from bindproof.spec.problem import Problem

if TYPE_CHECKING:
    from bindproof.spec.files.models import Note


class Fault(Struct, frozen=True):
    """One thing that the gate stops at."""

    problem: Problem
    next: str
    """What to type or write next."""
    unknown: bool = False
    """Whether it is no more than that nobody knows what a difference breaks."""


class Step(Struct, frozen=True):
    """One step from an edition to the next, as the gate saw it."""

    change: Change
    findings: Findings
    faults: tuple[Fault, ...]
    noticed: dict[str, tuple[tuple[str, str], ...]]
    """By fingerprint, the vectors that notice that the difference is taken back, each with how it does."""

    def note(self, decision: Decision) -> Note | None:
        """Return the note that covers a difference."""
        return next((note for _, note in self.change.notes if _print(decision) in note.differences), None)


def checked(spec: Spec, old: str, new: str, patience: Patience = PATIENCE) -> list[Step]:
    """Check every step from an edition to a later one. patience: with each step.

    Raises UsageError, SpecError as `changes_between` does.
    """
    if spec.reference is None:
        raise UsageError(f"suite {spec.name} has no reference, so nothing can be taken back in it")
    return [_step(spec, change, patience) for change in changes_between(spec, old, new)]


def exit_code(steps: Sequence[Step]) -> int:
    """Return 0 where all is covered, 1 where something is missing, 4 where only unknown things are, 3 without steps."""
    faults = [fault for step in steps for fault in step.faults]
    if any(not fault.unknown for fault in faults):
        return EXIT_CODES["breaking"]
    if faults:
        return EXIT_CODES["unknown"]
    return 0 if any(step.findings.compared for step in steps) else EXIT_CODES["nothing"]


def _step(spec: Spec, change: Change, patience: Patience) -> Step:
    words = (f"{spec.name}:{change.old}", f"{spec.name}:{change.new}")
    findings = compared(edition_side(spec, change.old), edition_side(spec, change.new), patience=patience)
    noticed: dict[str, tuple[tuple[str, str], ...]] = {}
    broken = lock_problems(spec, (change.old, change.new))
    here = f"spec/{spec.name}"
    faults = [
        *(Fault(problem, f"bindproof evolve diff HEAD:{here} {here} says what that breaks") for problem in broken),
        *(Fault(problem, "mend the note, then `bindproof spec check`") for problem in step_problems(spec, change)),
        *_uncovered(change, findings, words),
        *_covering_nothing(spec, change, findings),
        *_unnoticed(spec, change, findings, noticed),
        *(Fault(problem, following) for problem, following in lost_on_the_way(spec, change)),
    ]
    return Step(change, findings, tuple(faults), noticed)


def _uncovered(change: Change, findings: Findings, words: Sequence[str]) -> Iterator[Fault]:
    covered = {fingerprint for _, note in change.notes for fingerprint in note.differences}
    for decision in _blocking(findings):
        one = decision.difference
        if one is None or one.fingerprint in covered:
            continue
        breaks = any(decision.answer(direction).breaks for direction in findings.directions)
        said = "breaking" if breaks else "unknown"
        text = f"{one.kind} at {name_of(one)} [{one.fingerprint}] is {said}, and no note covers it"
        problem = Problem(path_of(findings, one), one.line, text)
        yield Fault(problem, f"bindproof evolve note {' '.join(words)} >> {change.file}", unknown=not breaks)


def _errata(spec: Spec, change: Change, note: Note) -> str:
    """Return which errata of a step's editions touch what a note is about: they may be why it is not true any more."""
    about = {*note.requirements, *(place.partition("#")[0] for place in note.schemas)}
    step = {change.old, change.new}
    touching = [one for one in spec.errata if one.touches in about and step.intersection(one.editions)]
    told = [f"{one.touches} ({one.date}: {one.reason})" for one in touching]
    return f"; errata touch what it is about: {', '.join(told)}" if told else ""


def _covering_nothing(spec: Spec, change: Change, findings: Findings) -> Iterator[Fault]:
    """Yield a fault for each note about nothing; what no requirement states is shown by programs, which tests run."""
    real = {_print(decision) for decision in findings.each}
    for line, note in change.notes:
        lost = [fingerprint for fingerprint in note.differences if fingerprint not in real]
        if lost:
            gone = f"there is no such difference any more{_errata(spec, change, note)}"
            text = f"{note.title!r} covers {', '.join(lost)}: {gone}"
            yield Fault(Problem(change.file, line, text), "take it out, or write the one that it has become")
        elif not note.differences and (note.schemas or note.requirements or not note.program):
            text = f"{note.title!r} covers no difference"
            yield Fault(Problem(change.file, line, text), "name the fingerprints in `differences`")


def _unnoticed(
    spec: Spec, change: Change, findings: Findings, noticed: dict[str, tuple[tuple[str, str], ...]]
) -> Iterator[Fault]:
    """Yield a fault for each difference that can be taken back without any vector noticing."""
    reversions = Reversions(spec, change.old, change.new)
    every = list(vectors(spec))
    words = f"{spec.name}:{change.old} {spec.name}:{change.new}"
    try:
        for decision in _blocking(findings):
            one = decision.difference
            found = next(((line, note) for line, note in change.notes if _print(decision) in note.differences), None)
            if one is None or found is None:
                continue
            line, note = found
            chosen = exercising(every, note, one)
            how = [(vector.id, said) for vector in chosen if (said := reversions.notice(vector, one))]
            noticed[one.fingerprint] = tuple(how)
            if not how:
                text = f"{note.title!r}: {one.kind} at {name_of(one)} [{one.fingerprint}] can be taken back, and "
                text += f"none of {len(chosen)} vectors notices" if chosen else "no vector exercises it"
                yield Fault(Problem(change.file, line, text), f"bindproof evolve cases {words} {one.fingerprint}")
    finally:
        reversions.close()


def exercising(every: Sequence[Vector], note: Note, one: Difference) -> list[Vector]:
    """Return the vectors that are for a difference: those of its note, and those that exercise its requirement.

    A difference of schemas is exercised by what exercises the requirements of its note.
    """
    wanted = {str(one.place[0])} if is_rule(one) else set(note.requirements)
    return [vector for vector in every if vector.id in note.vectors or wanted & set(vector.exercises)]


def _blocking(findings: Findings) -> list[Decision]:
    return [decision for decision in findings.each if findings.blocks(decision)]


def _print(decision: Decision) -> str:
    return decision.difference.fingerprint if decision.difference else ""
