"""Progress on stderr: one line that is updated on a terminal, plain lines elsewhere.

Enters: words, and counts of verdicts. Leaves: text on a stream. Must not know what is being done.
"""

from __future__ import annotations

import shutil
import time
from collections import Counter
from typing import IO

from bindproof.results import AdapterLine, Line, VerdictLine

BETWEEN_UPDATES = 0.1
"""Seconds; drawing more often would cost more than the verdicts do."""


class Progress:
    """Tells a waiting user what happens. `say` for words, `see` for each line of the log, `end` before other output."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._live = stream.isatty()
        self._drawn_at = 0.0
        self._selected: dict[str, int] = {}
        self._judged: Counter[str] = Counter()

    def say(self, text: str) -> None:
        """What is being done now; on a terminal the next update replaces it."""
        if self._live:
            self._draw(text)
        else:
            self._stream.write(f"{text}\n")
            self._stream.flush()

    def see(self, line: Line) -> None:
        """Counts a line of the log; on a terminal it shows the counts now and then."""
        if isinstance(line, AdapterLine) and line.suites:
            self._selected[line.name] = sum(speaks.selected for speaks in line.suites)
        if not self._live or not isinstance(line, VerdictLine):
            return
        self._judged[line.adapter] += 1
        if time.monotonic() - self._drawn_at >= BETWEEN_UPDATES:
            counts = (f"{name} {self._judged[name]}/{total}" for name, total in self._selected.items())
            self._draw(f"judging: {', '.join(counts)}")

    def end(self) -> None:
        """Wipes the updating line."""
        if self._live:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def _draw(self, text: str) -> None:
        self._drawn_at = time.monotonic()
        width = shutil.get_terminal_size().columns - 1
        self._stream.write(f"\r\x1b[K{text.splitlines()[0][:width] if text else ''}")
        self._stream.flush()
