"""Migration notes as text for a terminal, for a reader who has to migrate.

Enters: the steps between two editions. Leaves: a plain string without colour. Must not know who prints it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from bindproof.spec.changes import Change

if TYPE_CHECKING:
    from bindproof.spec.files.models import Note

_WIDTH = 100


def changes_text(suite: str, changes: Iterable[Change]) -> str:
    """Every note of the steps, oldest first: what breaks, what it touches, who does what, before and after."""
    return "\n\n".join(part for change in changes for part in _step(suite, change))


def _step(suite: str, change: Change) -> Iterator[str]:
    yield f"{suite} {change.old} → {change.new}{'' if change.notes else ': nothing breaks'}"
    for _, note in change.notes:
        yield "\n\n".join(_parts(note))


def _parts(note: Note) -> Iterator[str]:
    yield note.title
    yield textwrap.fill(" ".join(note.what.split()), _WIDTH, initial_indent="  ", subsequent_indent="  ")
    yield "\n".join(["  To do", *(_act(", ".join(act.dialects), f"{act.who}: {act.must}") for act in note.act)])
    touched = (("breaks", note.breaks), ("requirements", note.requirements), ("schemas", note.schemas))
    lines = [f"  {name:<12} {', '.join(found)}" for name, found in (*touched, ("vectors", note.vectors)) if found]
    if lines:
        yield "\n".join(lines)
    for title, before, after in (
        *((example.schema_, example.before, example.after) for example in note.object),
        *((program.dialect, program.before, program.after) for program in note.program),
    ):
        yield f"  {title}, before\n{_code(before)}\n\n  {title}, after\n{_code(after)}"


def _act(dialects: str, text: str) -> str:
    return textwrap.fill(text, _WIDTH, initial_indent=f"    {dialects}  ", subsequent_indent="      ")


def _code(text: str) -> str:
    return textwrap.indent(text.strip(), "    ")
