"""Proposes vectors that notice a difference: kept ones that nobody named, then generated ones, each tried first.

Enters: a suite, a step, a difference. Leaves: Proposals, which were run on the reference and noticed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import Final

from msgspec import Struct

from bindproof.core.errors import UsageError
from bindproof.core.model import Json
from bindproof.core.smallest import size
from bindproof.evolve.difference import Difference
from bindproof.evolve.findings import Findings
from bindproof.evolve.reversion import Reversions, is_rule
from bindproof.spec import Vector, holds_in, settings, vectors
from bindproof.spec.changes import Change
from bindproof.spec.models import Spec
from bindproof.suites import load
from bindproof.suites.choices import SeededChoices

SCENARIOS: Final = 400
"""Scenarios that are generated for one difference, unless the user says otherwise."""

ENOUGH: Final = 3
"""Proposals that are kept, the smallest."""


class Proposal(Struct, frozen=True):
    """One vector that notices."""

    how: str
    """In which run it noticed."""
    id: str | None = None
    """Of a vector that is kept already; None for a new one."""
    vector: Json = None
    """What to write into a new one's file."""


def difference_of(findings: Findings, fingerprint: str) -> Difference:
    """Return the difference of a fingerprint. Raises UsageError where there is none."""
    for decision in findings.each:
        if decision.difference is not None and decision.difference.fingerprint == fingerprint:
            return decision.difference
    told = ", ".join(one.difference.fingerprint for one in findings.each if one.difference)
    raise UsageError(f"there is no difference {fingerprint!r}; there is {told or 'none'}")


def proposals(spec: Spec, change: Change, one: Difference, scenarios: int = SCENARIOS) -> list[Proposal]:
    """Return vectors that notice, kept ones or else the smallest of the generated ones."""
    reversions = Reversions(spec, change.old, change.new)
    try:
        kept = list(islice(_kept(spec, reversions, one), ENOUGH))
        found = kept or sorted(_new(spec, reversions, change, one, scenarios), key=lambda new: size(new.vector))
        return found[:ENOUGH]
    finally:
        reversions.close()


def _kept(spec: Spec, reversions: Reversions, one: Difference) -> Iterator[Proposal]:
    """Yield kept vectors that notice, those first that exercise the requirement."""
    rule = str(one.place[0]) if is_rule(one) else ""
    for vector in sorted(vectors(spec), key=lambda vector: rule not in vector.exercises):
        how = reversions.notice(vector, one)
        if how is not None:
            yield Proposal(how, vector.id)


def _new(spec: Spec, reversions: Reversions, change: Change, one: Difference, scenarios: int) -> Iterator[Proposal]:
    suite = load(spec)
    rule = spec.requirements.get(str(one.place[0])) if is_rule(one) else None
    spoken = [dialect for edition, dialect in settings(spec) if edition == change.new]
    dialects = [dialect for dialect in spoken if rule is None or holds_in(rule, change.new, dialect)][:1]
    exercised = [rule.id] if rule else []
    for seed in range(scenarios):
        full = suite.generate(SeededChoices(seed), None)
        vector = Vector(
            f"generated-{seed}", "", (), (change.old, change.new), tuple(dialects), suite.brief(full), None, "generated"
        )
        how = reversions.notice(vector, one)
        if how is not None:
            title = f"{one.kind}: {one.pointer.removeprefix('/')}"
            written = {
                "title": title,
                "exercises": exercised,
                "editions": f"{change.new}–",
                "scenario": vector.scenario,
            }
            yield Proposal(how, vector=written)


def text(proposal: Proposal) -> str:
    """Return a new vector as its file holds it."""
    return json.dumps(proposal.vector, ensure_ascii=False, indent=2)
