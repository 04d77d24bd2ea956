"""The texts that tell a host of a plugin: those of `sdk/plugin/`, which adapters of every language fill in.

Enters: the name of a text, and what its gaps are filled with. Leaves: the text. Must not know what is started.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "plugin"

WORDS: Any = json.loads((FOLDER / "native.json").read_text("utf-8"))
"""What the words of a step `load` stand for in a manifest."""


def filled(name: str, **gaps: str) -> str:
    """Return a text with its gaps, such as `{plugin}`, filled in."""
    return (FOLDER / name).read_text("utf-8").format(**gaps)
