"""What a reviewer is shown: each difference with its evidence, its note, the vectors that notice, and who breaks it.

Enters: Steps of the gate; what runs showed. Leaves: Reviews, and the page as Markdown. Must not know of any other form.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import msgspec
from msgspec import Struct

from bindproof.core.counting import plural
from bindproof.evolve.answers import Decision
from bindproof.evolve.gate import Fault, Step
from bindproof.evolve.packages import Runs, State, states
from bindproof.evolve.reversion import is_rule
from bindproof.evolve.words import cell, code, name_of, place_of, shown, verdict
from bindproof.spec.models import Spec

MOST_VECTORS = 5
"""Vectors that are named for one difference."""


class Evidence(Struct, frozen=True):
    """What is known of a difference in one direction."""

    meaning: str
    verdict: str
    grade: str
    why: str
    witness: str
    """As it is shown; empty where there is none."""


class Row(Struct, frozen=True):
    """One difference."""

    kind: str
    name: str
    place: str
    """`file:line`."""
    fingerprint: str
    blocks: bool
    evidence: tuple[Evidence, ...]
    note: str
    """The title of the note that covers it; empty where none does."""
    acts: tuple[tuple[str, str], ...]
    """Who must do what, as the note says."""
    noticed: tuple[tuple[str, str], ...]
    """The vectors that notice that it is taken back, each with how it does."""
    packages: Mapping[str, State] | None
    """What becomes of packages; None where no requirement speaks of the difference."""


class Review(Struct, frozen=True):
    """One step between two editions."""

    old: str
    new: str
    faults: tuple[Fault, ...]
    rows: tuple[Row, ...]
    non_conformant: Mapping[str, tuple[str, ...]]
    """Which packages become so, each with the differences by which it does."""
    judged: tuple[str, ...]
    """The packages that were judged by the new edition."""
    unjudged: tuple[str, ...]
    """Those that runs have, and that were judged by another edition alone."""

    @property
    def blocking(self) -> int:
        """How many differences block."""
        return sum(row.blocks for row in self.rows)


def reviewed(spec: Spec, steps: Sequence[Step], runs: Runs) -> list[Review]:
    """Return what is shown of each step of a suite. runs: what real runs showed, if there are any."""
    return [_review(spec, step, runs) for step in steps]


def _review(spec: Spec, step: Step, runs: Runs) -> Review:
    findings = step.findings
    before = {name for name, rule in spec.requirements.items() if step.change.old in rule.in_editions}
    rows = tuple(_of(step, decision, runs, before) for decision in findings.each)
    becoming: dict[str, list[str]] = {}
    for row in rows:
        for package, state in (row.packages or {}).items():
            if state == "becomes non-conformant":
                becoming.setdefault(package, []).append(row.name)
    judged = [package for package, seen in runs.items() if any(edition == step.change.new for edition, _ in seen)]
    return Review(
        findings.old,
        findings.new,
        step.faults,
        rows,
        {package: tuple(dict.fromkeys(names)) for package, names in becoming.items()},
        tuple(judged),
        tuple(package for package in runs if package not in judged),
    )


def _of(step: Step, decision: Decision, runs: Runs, before: Collection[str]) -> Row:
    one = decision.difference
    if one is None:
        raise ValueError("a row is about one difference")
    note = step.note(decision)
    asked: Collection[str] = {str(one.place[0])} if is_rule(one) else note.requirements if note else ()
    return Row(
        one.kind,
        name_of(one),
        place_of(step.findings, one),
        one.fingerprint,
        step.findings.blocks(decision),
        tuple(_evidence(step, decision)),
        note.title if note else "",
        tuple((act.who, act.must) for act in note.act) if note else (),
        step.noticed.get(one.fingerprint, ()),
        states(runs, step.change, asked, before) if asked else None,
    )


def _evidence(step: Step, decision: Decision) -> Iterator[Evidence]:
    for way in step.findings.directions:
        answer = decision.answer(way)
        witness = "" if answer.witness is msgspec.UNSET else shown(answer.witness)
        yield Evidence(decision.meaning(way), verdict(answer), answer.grade, answer.why, witness)


def markdown(reviews: Sequence[Review], *, with_runs: bool) -> str:
    """Return the page. with_runs: whether real runs were given, and what they show is told."""
    return "\n".join(line for review in reviews for line in _step(review, with_runs))


def _step(review: Review, with_runs: bool) -> Iterator[str]:
    yield f"## {code(review.old)} → {code(review.new)}"
    yield ""
    missing = f"**{len(review.faults)} missing**" if review.faults else "nothing is missing"
    yield f"{plural(len(review.rows), 'difference')}, {review.blocking} that block; {missing}."
    yield ""
    for fault in review.faults:
        yield f"- {code(f'{fault.problem.file}:{fault.problem.line}')} {cell(fault.problem.text)}"
        yield f"  next: {code(fault.next)}"
    for package, names in review.non_conformant.items():
        yield f"- becomes non-conformant: **{cell(package)}** ({', '.join(map(cell, names))})"
    if with_runs:
        yield f"- judged by the new edition: {', '.join(map(cell, review.judged)) or 'nobody'}"
    if review.unjudged:
        yield f"- not judged by it in these runs: {', '.join(map(cell, review.unjudged))}"
    if review.faults or with_runs:
        yield ""
    if not review.rows:
        return
    yield f"| difference | evidence | note | noticed by |{' packages |' if with_runs else ''}"
    yield f"|-|-|-|-|{'-|' if with_runs else ''}"
    for row in review.rows:
        yield _line(row, with_runs)
    yield ""


def _line(row: Row, with_runs: bool) -> str:
    evidence = [
        f"{one.meaning}: **{one.verdict}** ({one.grade})" + (f" {code(one.witness)}" if one.witness else "")
        for one in row.evidence
    ]
    names = [f"{code(vector)} {cell(how)}" for vector, how in row.noticed[:MOST_VECTORS]]
    if len(row.noticed) > MOST_VECTORS:
        names.append(f"{len(row.noticed) - MOST_VECTORS} more")
    cells = [
        f"{cell(row.kind)} {code(row.name)}<br>{code(row.place)} {row.fingerprint}",
        "<br>".join(evidence),
        cell(row.note) or "none",
        "<br>".join(names) or "none",
    ]
    if with_runs:
        cells.append("<br>".join(told_of(row)))
    return f"| {' | '.join(cells)} |"


def told_of(row: Row) -> list[str]:
    """Return what is told of packages at a difference, as cells of a table take it."""
    if row.packages is None:
        return ["no requirement speaks of it"]
    return [f"{cell(package)}: {state}" for package, state in row.packages.items()] or ["not judged in these runs"]
