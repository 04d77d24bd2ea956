"""The catalogue: pairs of schemas, and what one side breaks of the other, as a person decided."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "catalogue"


@dataclass(frozen=True)
class Case:
    """A pair of schemas: two decisions."""

    file: str
    title: str
    old: Any
    new: Any
    old_to_new: str
    """`safe`, `breaking`, or `undecidable`: only who made the change knows."""
    new_to_old: str


def cases() -> Iterator[Case]:
    """All of the catalogue, file by file."""
    for path in sorted(FOLDER.glob("*.toml")):
        for case in tomllib.loads(path.read_text(encoding="utf-8"))["case"]:
            old, new = (json.loads(case.pop(side)) for side in ("old", "new"))
            yield Case(path.stem, old=old, new=new, **case)
