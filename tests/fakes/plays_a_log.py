"""An adapter that has no binding: it answers every scenario with the observation that a file holds.

The file, its one argument, is JSON with `describe`, which `initialize` is answered with, and `observation`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from bindproof_adapter import serve


class PlaysALog:
    """Knows one observation."""

    def __init__(self) -> None:
        self._told = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))

    def describe(self) -> Any:
        """Return what the file says of the target."""
        return self._told["describe"]

    def run(self, suite: str, scenario: Any) -> Any:
        """Return the observation."""
        return self._told["observation"]


if __name__ == "__main__":
    serve("plays-a-log", "1", PlaysALog)
