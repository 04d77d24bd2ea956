"""Writes the skeleton of migration notes: a `[[note]]` for each difference that blocks and has none.

Enters: a step as the gate saw it. Leaves: TOML, in which an author has to say who must do what.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import msgspec

from bindproof.core.model import Json
from bindproof.core.pointer import pointer_to
from bindproof.evolve.answers import Decision
from bindproof.evolve.difference import ABSENT, Difference
from bindproof.evolve.findings import Findings
from bindproof.evolve.reversion import is_rule
from bindproof.evolve.words import name_of
from bindproof.spec.changes import Change
from bindproof.spec.models import Spec

UNSAID = "TODO"
"""What the author has to replace."""


def skeleton(spec: Spec, change: Change, findings: Findings) -> str:
    """Return notes for what no note covers, as the file of notes takes them; empty where nothing is missing."""
    covered = {fingerprint for _, note in change.notes for fingerprint in note.differences}
    lines: list[str] = []
    for decision in findings.each:
        one = decision.difference
        if one is not None and findings.blocks(decision) and one.fingerprint not in covered:
            lines.extend(_note(spec, decision, one))
    return "\n".join(lines)


def _note(spec: Spec, decision: Decision, one: Difference) -> Iterator[str]:
    rule = spec.requirements.get(str(one.place[0])) if is_rule(one) else None
    yield "[[note]]"
    yield f"title = {_text(rule.title if rule else f'{one.kind} at {name_of(one)}')}"
    yield f"what = {_text(rule.statement if rule else UNSAID)}"
    if rule:
        yield f'requirements = ["{rule.id}"]'
    else:
        yield f"schemas = {json.dumps(places(one))}"
        broken = [who for who, answer in _sides(decision) if answer]
        yield f"breaks = {json.dumps(broken)}"
    yield f'differences = ["{one.fingerprint}"]'
    yield "vectors = []"
    yield ""
    yield "[[note.act]]"
    yield 'dialects = ["all"]'
    yield f"who = {_text(UNSAID)}"
    yield f"must = {_text(UNSAID)}"
    yield ""
    if rule is None:
        yield from _objects(decision, one)


def _sides(decision: Decision) -> tuple[tuple[str, bool], ...]:
    return ("writers", bool(decision.old_to_new.breaks)), ("readers", bool(decision.new_to_old.breaks))


def _objects(decision: Decision, one: Difference) -> Iterator[str]:
    """Yield an object before and after, from the witnesses; the author completes what there is no witness of."""
    witnesses = (decision.old_to_new, decision.new_to_old)
    entry = next((answer.entry for answer in witnesses if answer.entry), one.file)
    before, after = (
        UNSAID if answer.witness is msgspec.UNSET or answer.entry != entry else json.dumps(answer.witness)
        for answer in witnesses
    )
    yield "[[note.object]]"
    yield f"schema = {_text(entry)}"
    yield f"before = {_text(before)}"
    yield f"after = {_text(after)}"
    yield ""


def places(one: Difference) -> list[str]:
    """Return how a note names what differs in schemas: a property that became required is its pointer too."""
    if one.place[-1:] == ("required",):
        before, after = (set(side) if isinstance(side, list) else set() for side in (one.old, one.new))
        return sorted(f"{one.file}#{pointer_to((*one.node, 'properties', name))}" for name in before ^ after)
    return [f"{one.file}#{one.pointer}"]


def _text(value: Json) -> str:
    """Return a text as TOML."""
    return json.dumps(value, ensure_ascii=False) if value is not ABSENT else '""'
