"""Keeps what a campaign found: its smallest scenario in a file, as a vector that `replay` acts out again.

Enters: a finding line, a folder. Leaves: a file named after the scenario's content, and the line with its path.
"""

from __future__ import annotations

import json
from pathlib import Path

import msgspec

from bindproof.core.errors import FileError
from bindproof.core.model import REFERENCE_REQUIREMENT
from bindproof.results import FindingLine


def saved(line: FindingLine, folder: Path) -> FindingLine:
    """Write the finding's vector; one that is there already says the same and stays as it is.

    It is there as a whole or not at all. Raises FileError where it cannot be written, and for a link that leads nowhere
    in its place: what is found is written into this folder alone.
    """
    path = folder / f"{line.id.rpartition('/')[2]}.json"
    if not path.exists():
        try:
            _write(path, json.dumps(_vector(line), ensure_ascii=False, indent=2) + "\n")
        except (OSError, ValueError) as error:
            what = error.strerror if isinstance(error, OSError) else error
            raise FileError(path, None, f"what is found cannot be saved there: {what}") from error
    return msgspec.structs.replace(line, file=str(path))


def _write(path: Path, text: str) -> None:
    with path.open("x", encoding="utf-8") as file:  # follows no link
        try:
            file.write(text)
            file.flush()
        except OSError:
            path.unlink()
            raise


def _vector(line: FindingLine) -> dict[str, object]:
    what = f"{line.breaks} is broken" if line.breaks else line.outcome.replace("_", " ")
    named = [name for name in (line.breaks, *line.also) if name and name != REFERENCE_REQUIREMENT]
    return {
        "title": f"Found: {what} on {line.adapter}",
        "exercises": named or [REFERENCE_REQUIREMENT],  # no rule speaks of it, nor of a crash
        "scenario": line.scenario,
    }
