"""Reads migration notes: what breaks from one edition to the next, for whom, and what it looks like before and after.

Enters: a Suite; its `changes/<old>--<new>.toml`. Leaves: Notes with file and line, and Problems of the files
themselves. Whether a note is true is `change_check`'s to say. Must not know schemas or vectors.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Literal

from bindproof.core.errors import UsageError
from bindproof.spec.load import read_toml, relative, with_lines
from bindproof.spec.models import Closed, Suite
from bindproof.spec.problem import Problem, SpecError

Reach = Literal["writers", "readers"]
"""Whom a change breaks. writers: what they write is refused now; readers: what they read was refused before."""


class Act(Closed, frozen=True):
    """Who has to act, in bindings of which dialects (`all` for every one), and what they must do."""

    dialects: tuple[str, ...]
    who: str
    must: str


class ObjectExample(Closed, frozen=True):
    """A contract object as JSON text in canonical spelling, and the schema's file: as it was, as it is now."""

    schema: str
    before: str
    after: str


class ProgramExample(Closed, frozen=True):
    """A whole program of a binding's language: `before` runs on the old edition and fails on the new, `after` runs."""

    dialect: str
    before: str
    after: str


class Note(Closed, frozen=True):
    """What breaks, as written.

    breaks: whom the objects of the examples break. requirements: those that come into force or go out of it.
    schemas: what changed, as `file#/pointer`. vectors: ids of those that show it.
    """

    title: str
    what: str
    act: tuple[Act, ...]
    breaks: tuple[Reach, ...] = ()
    requirements: tuple[str, ...] = ()
    schemas: tuple[str, ...] = ()
    vectors: tuple[str, ...] = ()
    object: tuple[ObjectExample, ...] = ()
    program: tuple[ProgramExample, ...] = ()


class Change(Closed, frozen=True):
    """The notes of one step from an edition to the next, each with its line in `file`."""

    old: str
    new: str
    file: str
    notes: tuple[tuple[int, Note], ...] = ()


class _ChangeFile(Closed, frozen=True):
    """A file of notes as written."""

    note: tuple[Note, ...] = ()


def steps(suite: Suite) -> list[tuple[str, str]]:
    """Each edition with the one after it."""
    return list(pairwise(suite.edition_names))


def read_changes(suite: Suite) -> tuple[list[Change], list[Problem]]:
    """The notes of every step, in order, and what cannot be read. A step without a file has no notes."""
    changes, problems = [], list(_stray(suite))
    for old, new in steps(suite):
        path = _path(suite, old, new)
        name = relative(suite.root, path)
        file = read_toml(suite.root, path, _ChangeFile, problems) if path.exists() else None
        notes = with_lines(path.read_text(encoding="utf-8"), "note", file.note) if file else []
        changes.append(Change(old, new, name, tuple(notes)))
    return changes, problems


def changes_between(suite: Suite, old: str, new: str) -> list[Change]:
    """The steps from one edition to a later one. UsageError for editions that are not, SpecError for unusable files."""
    names = suite.edition_names
    for name in (old, new):
        if name not in names:
            raise UsageError(f"suite {suite.name} has no edition {name!r}; it has {', '.join(names)}")
    if names.index(old) >= names.index(new):
        raise UsageError(f"{new} does not come after {old}; the order is {', '.join(names)}")
    changes, problems = read_changes(suite)
    if problems:
        raise SpecError(problems)
    return changes[names.index(old) : names.index(new)]


def _path(suite: Suite, old: str, new: str) -> Path:
    return suite.folder / "changes" / f"{old}--{new}.toml"


def _stray(suite: Suite) -> Iterator[Problem]:
    expected = {_path(suite, *step) for step in steps(suite)}
    for path in sorted((suite.folder / "changes").glob("*")):
        if path not in expected:
            text = "a file of notes is named after an edition and the next, as in `0.8--0.9.toml`"
            yield Problem(relative(suite.root, path), 1, text)
