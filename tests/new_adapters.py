"""New adapters as `bindproof new-adapter` writes them, and the edit that each of them marks, for tests."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from bindproof.scaffold import Language, write_adapter

VECTORS: Final = ("--vector", "relay/outcomes/priority-limits", "--vector", "relay/lifecycle/no*")
"""What a new adapter can act out, as its README says."""

MARKED: Final[dict[Language, tuple[str, str, str]]] = {
    "python": ("toy.py", "(_kept[name][0], name)", "(-_kept[name][0], name)"),
    "other": ("toy.py", "(_kept[name][0], name)", "(-_kept[name][0], name)"),
    "node": ("toy.mjs", "a.priority - b.priority || (m < n ? -1 : 1)", "b.priority - a.priority"),
    "go": (
        "toy.go",
        "cmp.Or(cmp.Compare(one.priority, other.priority), cmp.Compare(one.name, other.name))",
        "cmp.Compare(other.priority, one.priority)",
    ),
    "rust": (
        "src/lib.rs",
        "one.priority.cmp(&other.priority).then(one.name.cmp(&other.name))",
        "other.priority.cmp(&one.priority)",
    ),
    "c": ("toy.c", "one->priority < priority", "one->priority > priority"),
}
"""By language: the file of the toy, what stands there, and what its comment says to make of it."""


def new_adapter(folder: Path, language: Language) -> Path:
    """Write an adapter `gull` in a folder; return its own."""
    write_adapter(folder / "gull", language)
    return folder / "gull"


def edit_as_marked(adapter: Path, language: Language) -> None:
    """Make the edit that the toy's comment asks for. Raises AssertionError where it does not ask for it."""
    name, before, after = MARKED[language]
    toy = adapter / "binding" / name
    text = toy.read_text(encoding="utf-8")
    assert f"EDIT HERE: make it `{after}`, and bindproof goes red" in text
    assert text.count(before) == 1
    toy.write_text(text.replace(before, after), encoding="utf-8")
