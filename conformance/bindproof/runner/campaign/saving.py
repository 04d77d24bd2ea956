"""Keeps what a campaign found: its smallest scenario in a file, as a vector that `replay` acts out again.

Enters: a finding line, a folder. Leaves: a file named after the scenario's content, and the line with its path.
"""

from __future__ import annotations

import json
from pathlib import Path

import msgspec

from bindproof.core.model import REFERENCE_REQUIREMENT
from bindproof.results import FindingLine


def saved(line: FindingLine, folder: Path) -> FindingLine:
    """Write the finding's vector; one that is there already says the same and stays as it is."""
    path = folder / f"{line.id.rpartition('/')[2]}.json"
    if not path.exists():
        path.write_text(json.dumps(_vector(line), ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    return msgspec.structs.replace(line, file=str(path))


def _vector(line: FindingLine) -> dict[str, object]:
    what = f"{line.breaks} is broken" if line.breaks else line.outcome.replace("_", " ")
    return {
        "title": f"Found: {what} on {line.adapter}",
        "exercises": [name for name in (line.breaks, *line.also) if name and name != REFERENCE_REQUIREMENT],
        "scenario": line.scenario,
    }
