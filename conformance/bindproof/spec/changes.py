"""Reads migration notes: what breaks from one edition to the next, for whom, and what it looks like before and after.

Enters: a Spec; its `changes/<old>--<new>.toml`. Leaves: Notes with file and line, and Problems of the files
themselves. Whether a note is true is `change_check`'s to say. Must not know schemas or vectors.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from bindproof.core.errors import UsageError
from bindproof.spec.files.folder import files_in, relative
from bindproof.spec.files.reader import read
from bindproof.spec.models import Spec
from bindproof.spec.problem import Problem, SpecError

if TYPE_CHECKING:
    from bindproof.spec.files.models import Note


class Change(Struct, frozen=True):
    """The notes of one step from an edition to the next, each with its line in `file`."""

    old: str
    new: str
    file: str
    notes: tuple[tuple[int, Note], ...] = ()


def steps(spec: Spec) -> list[tuple[str, str]]:
    """Each edition with the one after it."""
    return list(pairwise(spec.edition_names))


def read_changes(spec: Spec) -> tuple[list[Change], list[Problem]]:
    """The notes of every step, in order, and what cannot be read. A step without a file has no notes."""
    from bindproof.spec.files.models import ChangesFile

    problems: list[Problem] = []
    there = files_in(spec.root, spec.folder / "changes", "*", problems)
    problems.extend(_stray(spec, there))
    changes = []
    for old, new in steps(spec):
        path = _path(spec, old, new)
        name = relative(spec.root, path)
        file = read(path, name, ChangesFile, problems) if path in there else None
        notes = [(file.line("note", number), note) for number, note in enumerate(file.value.note)] if file else []
        changes.append(Change(old, new, name, tuple(notes)))
    return changes, problems


def changes_between(spec: Spec, old: str, new: str) -> list[Change]:
    """The steps from one edition to a later one. UsageError for editions that are not, SpecError for unusable files."""
    names = spec.edition_names
    for name in (old, new):
        if name not in names:
            raise UsageError(f"suite {spec.name} has no edition {name!r}; it has {', '.join(names)}")
    if names.index(old) >= names.index(new):
        raise UsageError(f"{new} does not come after {old}; the order is {', '.join(names)}")
    changes, problems = read_changes(spec)
    if problems:
        raise SpecError(problems)
    return changes[names.index(old) : names.index(new)]


def _path(spec: Spec, old: str, new: str) -> Path:
    return spec.folder / "changes" / f"{old}--{new}.toml"


def _stray(spec: Spec, there: list[Path]) -> Iterator[Problem]:
    expected = {_path(spec, *step) for step in steps(spec)}
    for path in there:
        if path not in expected:
            text = "a file of notes is named after an edition and the next, as in `0.8--0.9.toml`"
            yield Problem(relative(spec.root, path), 1, text)
