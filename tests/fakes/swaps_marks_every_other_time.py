"""The reference, but for every other scenario with two marks: they change places. A file counts over all processes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from swaps_marks import SwapsMarks

from bindproof_adapter import serve

COUNT = Path(sys.argv[1])


class SwapsMarksEveryOtherTime(SwapsMarks):
    """Shows a race as it looks from outside."""

    def run(self, suite: str, scenario: Any) -> Any:
        """Return an observation, swapped or not."""
        lawful = super(SwapsMarks, self).run(suite, scenario)
        swapped = super().run(suite, scenario)
        marks = [record["event"]["name"] for record in swapped["log"] if record.get("event", {}).get("kind") == "mark"]
        if len(set(marks[:2])) < 2:
            return lawful
        with COUNT.open("a") as file:
            file.write(".")
        return swapped if COUNT.stat().st_size % 2 else lawful


if __name__ == "__main__":
    serve("swaps-marks-every-other-time", "1", SwapsMarksEveryOtherTime)
