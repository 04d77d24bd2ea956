"""Pages and docstrings as Sphinx takes them: each requirement has an anchor that stays, its vectors, and who keeps it.

Enters: the text of a page, or the lines of a docstring. Leaves: the same, made ready. Must not know Sphinx.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from bindproof.spec import all_installed, vectors

_REQUIREMENT = re.compile(r"^(?=## [A-Z]{2,4}-\d{3} )", re.MULTILINE)
_FOLDER = re.compile(r"\[([^\]]+)\]\([^)]*/\)")
_CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)")


def ready(page: str, text: str) -> str:
    """Return the text of a page of the spec with `#mid-002` at MID-002, and at its end its vectors and who keeps it.

    page: its path from the repository's root, without the suffix. On every page links to folders become their words,
    because a folder has no page.
    """
    text = _FOLDER.sub(r"\1", text)
    if not page.startswith("spec/"):
        return text
    before, *parts = _REQUIREMENT.split(text)
    return before + "".join(_with_anchor(part, part[3:].split(" ", 1)[0]) for part in parts)


def _with_anchor(part: str, name: str) -> str:
    return f"({name.lower()})=\n{part.rstrip()}\n\n{_shown(_exercised().get(name, ()))}{_kept(name)}"


def _shown(ids: Sequence[str]) -> str:
    if not ids:
        return ""
    listed = " · ".join(f"`{one}`" for one in ids)
    return f"<details><summary>Vectors: {len(ids)}</summary>\n\n{listed}\n\n</details>\n\n"


WORDS: Final[Mapping[str, str]] = {
    "held": "kept by",
    "known": "broken, as an expectation says, by",
    "broken": "broken by",
    "lost": "not judged, because its process ends, on",
    "inexpressible": "inexpressible for",
    "unsupported": "not acted out on",
    "not exercised": "not exercised on",
}
"""What is said of a requirement's status, before those of whom it is so."""


def _kept(name: str) -> str:
    """Say who keeps a requirement today, by the run that is kept; nothing of one that it knew nothing of."""
    run = _run()
    row = run["requirements"].get(name)
    if not row:
        return ""
    each = [
        f"{words} {', '.join(_subject(run, adapter) for adapter, found in row.items() if found == status)}"
        for status, words in WORDS.items()
        if status in row.values()
    ]
    return f"*{run.get('later', {}).get(_suite_of().get(name), run['on'])}:* {'; '.join(each)}.\n\n"


def _subject(run: Mapping[str, Any], adapter: str) -> str:
    return f"`{adapter}` {run['targets'][adapter]['version']}"


@cache
def _run() -> dict[str, Any]:
    """Return the run that is kept; `kept_by.py` writes it."""
    kept: dict[str, Any] = json.loads(Path(__file__).with_name("kept_by.json").read_text(encoding="utf-8"))
    return kept


@cache
def _suite_of() -> Mapping[str, str]:
    return {name: spec.name for spec in all_installed() for name in spec.requirements}


@cache
def _exercised() -> Mapping[str, Sequence[str]]:
    found: dict[str, list[str]] = {}
    for spec in all_installed():
        for vector in vectors(spec):
            for name in vector.exercises:
                found.setdefault(name, []).append(vector.id)
    return found


def told(lines: Sequence[str]) -> list[str]:
    """Return the lines of a docstring, which is Markdown, as reStructuredText: code, lists, tables and examples."""
    return list(_in_blocks(lines))


_OPENED: Final[Mapping[str, Sequence[str]]] = {
    "table": (".. code-block:: text", ""),
    "example": (".. code-block:: python", ""),
}


def _in_blocks(lines: Sequence[str]) -> Iterator[str]:
    kind, last = "", ""
    for line in lines:
        now = _kind_of(line, kind, last)
        if now != kind:
            yield from ("", *_OPENED.get(now, ()))
        yield f"   {line}" if now in _OPENED else _CODE.sub(r"``\1``", line)
        kind, last = now, line
    yield ""


def _kind_of(line: str, before: str, last: str) -> str:
    """Say what a line is part of; before: what the one before it, `last`, is part of."""
    if line.startswith("|"):
        return "table"
    if line.startswith("- "):
        return "list"
    if before in ("list", "example") and (line.startswith(" ") or (before == "example" and not line)):
        return before
    return "example" if line.startswith("    ") and not last else ""
