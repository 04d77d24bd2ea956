"""Makes stored objects of one edition into objects of a later one, through every edition between.

Enters: a suite, two editions, values. Leaves: objects that the later edition takes, or why nobody can decide what
becomes of one. A result is held against the schemas of every edition on its way; nothing is guessed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from msgspec import Struct

from bindproof.core.model import Json, same
from bindproof.spec.changes import Change, changes_between
from bindproof.spec.files.document import parse
from bindproof.spec.forms import Form, forms
from bindproof.spec.migration import Patch, migrated, notes_of, patches
from bindproof.spec.models import Spec
from bindproof.spec.problem import SpecError

if TYPE_CHECKING:
    from bindproof.spec.files.models import Note


class Moved(Struct, frozen=True):
    """What became of one value."""

    value: Json
    """What it is now; as it was, where nobody could decide."""
    undecided: str = ""
    """Why nobody could decide; empty where it was."""
    kind: str = ""
    """The schema of which it is an object, without `.json`; empty where that is not known."""
    changed: bool = False
    """Whether it is not what it was."""


class _Step(Struct, frozen=True):
    change: Change
    forms: Mapping[str, Form]
    """Of the new edition."""
    ways: Mapping[str, Sequence[Patch]]


class Migration:
    """The way from an edition to a later one."""

    def __init__(self, spec: Spec, old: str, new: str, kind: str | None = None) -> None:
        """Read notes and schemas. kind: the schema of which every value is, None to find out for each.

        Raises UsageError, SpecError as `changes_between` does, and KeyError for a kind that `old` does not have.
        """
        self._first = forms(spec, old)
        self._old = old
        self._kind = kind
        if kind is not None and kind not in self._first:
            raise KeyError(kind)
        self._steps = [
            _Step(
                change,
                forms(spec, change.new),
                {name: patches(notes_of(change), f"{name}.json") for name in self._first},
            )
            for change in changes_between(spec, old, new)
        ]

    @property
    def kinds(self) -> list[str]:
        """The schemas of the old edition, without `.json`."""
        return sorted(self._first)

    def is_one(self, value: Json) -> bool:
        """Tell whether the old edition takes a value, as of the kind that was named where one was."""
        return bool(self._fitting(value))

    def text(self, text: bytes) -> Moved:
        """Return what becomes of a value in JSON text."""
        try:
            value = parse(text, "object").value
        except SpecError as error:
            return Moved(None, error.what)
        moved = self.value(value)
        if moved.changed and not is_exact(text.decode()):
            return Moved(value, "it has a number of more digits than would be written again", moved.kind)
        return moved

    def value(self, value: Json) -> Moved:
        """Return what becomes of a value."""
        fit = self._fitting(value)
        if not fit:
            what = f"no {self._kind}" if self._kind else f"no object ({', '.join(self.kinds)})"
            return Moved(value, f"it is {what} of edition {self._old}")
        found = [self._along(value, kind) for kind in fit]
        if any(one.undecided != found[0].undecided or not same(one.value, found[0].value) for one in found):
            return Moved(value, f"it may be {' or '.join(fit)}, which become different things; --schema says which")
        return found[0]

    def _fitting(self, value: Json) -> list[str]:
        """Return the kinds that a value may be of. A schema with open keys takes nearly everything, so of those that
        take an object the ones that name most of its keys are meant, and none that names none.
        """
        kinds = [self._kind] if self._kind else self.kinds
        fit = [kind for kind in kinds if self._first[kind].accepts(value)]
        if self._kind or not isinstance(value, dict):
            return fit
        named = {kind: len(self._first[kind].keys & value.keys()) for kind in fit}
        most = max(named.values(), default=0)
        return [kind for kind in fit if named[kind] == most > 0]

    def _along(self, value: Json, kind: str) -> Moved:
        current = value
        for step in self._steps:
            current = migrated(current, step.ways.get(kind, ()))
            if kind not in step.forms or not step.forms[kind].accepts(current):
                return Moved(value, _refused(step.change, kind), kind)
        return Moved(current, kind=kind, changed=not same(current, value))

    def to_read(self, kinds: set[str]) -> Iterator[tuple[Change, Note]]:
        """Yield the notes on objects of these kinds, with their steps: they may say what no schema shows."""
        for step in self._steps:
            for note in notes_of(step.change):
                if any(is_about(note, kind) for kind in kinds):
                    yield step.change, note


def is_about(note: Note, kind: str) -> bool:
    """Tell whether a note speaks of objects of a schema."""
    file = f"{kind}.json"
    return file in {name.partition("#")[0] for name in note.schemas} | {example.schema_ for example in note.object}


def _refused(change: Change, kind: str) -> str:
    told = [f"{note.title}: {act.must}" for note in notes_of(change) if is_about(note, kind) for act in note.act]
    said = f"edition {change.new} takes it as no {kind}, and no note says how to make it one"
    return f"{said}. {' '.join(told)}".strip() if told else said


def is_exact(text: str) -> bool:
    """Tell whether every number of a JSON text is the same when it has been read and is written again."""
    lost = False

    def exact(digits: str) -> float:
        nonlocal lost
        lost = lost or Decimal(digits) != Decimal(repr(float(digits)))
        return 0.0

    json.loads(text, parse_float=exact)
    return not lost
