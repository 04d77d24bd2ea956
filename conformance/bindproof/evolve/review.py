"""The reviewer's page: each difference with its evidence, its note, the vectors that notice, and who does not keep it.

Enters: Steps of the gate; a result log of real runs. Leaves: Markdown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from bindproof.evolve.answers import Decision
from bindproof.evolve.gate import Step
from bindproof.evolve.reversion import is_rule
from bindproof.evolve.words import cell, code, name_of, path_of, shown, verdict
from bindproof.results import AdapterLine, VerdictLine, read

MOST_VECTORS = 5
"""Vectors that are named for one difference."""

Breakers = Mapping[str, Sequence[str]]
"""By requirement: the packages on which some scenario breaks it."""


def breakers(path: Path, suite: str) -> dict[str, list[str]]:
    """Return which packages break which requirements of a suite in a run, known divergences too. Raises LogError."""
    names: dict[str, str] = {}
    found: dict[str, list[str]] = {}
    for line in read(path):
        if isinstance(line, AdapterLine):
            names[line.name] = f"{line.target} {line.version}".strip() or line.name
        elif isinstance(line, VerdictLine) and line.suite == suite:
            for one in line.broken:
                packages = found.setdefault(one.requirement, [])
                if names[line.adapter] not in packages:
                    packages.append(names[line.adapter])
    return found


def page(steps: Sequence[Step], broken: Breakers | None) -> str:
    """Return the page. broken: what a run showed, None where there is none."""
    return "\n".join(line for step in steps for line in _step(step, broken))


def _step(step: Step, broken: Breakers | None) -> Iterator[str]:
    findings = step.findings
    blocking = [decision for decision in findings.each if findings.blocks(decision)]
    yield f"## {code(findings.old)} → {code(findings.new)}"
    yield ""
    missing = f"**{len(step.faults)} missing**" if step.faults else "nothing is missing"
    yield f"{len(findings.each)} differences, {len(blocking)} that block; {missing}."
    yield ""
    for fault in step.faults:
        yield f"- {code(f'{fault.problem.file}:{fault.problem.line}')} {cell(fault.problem.text)}"
        yield f"  next: {code(fault.next)}"
    if step.faults:
        yield ""
    if not findings.each:
        return
    yield f"| difference | evidence | note | noticed by |{'' if broken is None else ' not kept by |'}"
    yield f"|-|-|-|-|{'' if broken is None else '-|'}"
    for decision in findings.each:
        yield _row(step, decision, broken)
    yield ""


def _row(step: Step, decision: Decision, broken: Breakers | None) -> str:
    one = decision.difference
    if one is None:
        raise ValueError("a row is about one difference")
    place = code(f"{path_of(step.findings, one)}:{one.line}")
    evidence = [
        f"{decision.meaning(way)}: **{verdict(answer)}** ({answer.grade})"
        + ("" if answer.witness is msgspec.UNSET else f" {code(shown(answer.witness))}")
        for way in step.findings.directions
        for answer in (decision.answer(way),)
    ]
    note = step.note(decision)
    noticed = step.noticed.get(one.fingerprint, ())
    names = [f"{code(vector)} {cell(how)}" for vector, how in noticed[:MOST_VECTORS]]
    if len(noticed) > MOST_VECTORS:
        names.append(f"{len(noticed) - MOST_VECTORS} more")
    cells = [
        f"{cell(one.kind)} {code(name_of(one))}<br>{place} {one.fingerprint}",
        "<br>".join(evidence),
        cell(note.title) if note else "none",
        "<br>".join(names) or "none",
    ]
    if broken is not None:
        packages = broken.get(str(one.place[0]), ()) if is_rule(one) else ()
        cells.append("<br>".join(map(cell, packages)) or "nobody in this run" if is_rule(one) else "not asked by runs")
    return f"| {' | '.join(cells)} |"
