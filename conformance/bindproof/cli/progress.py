"""Progress on stderr: bars on a terminal, plain lines elsewhere, or as the command is asked (see `telling`).

Enters: words, and lines of a log. Leaves: text on a stream. Must not know what is being done.
"""

from __future__ import annotations

import time
from collections import Counter
from contextlib import suppress
from types import TracebackType
from typing import IO, TYPE_CHECKING, Self

from bindproof.cli.telling import current
from bindproof.core.visible import visible
from bindproof.results import AdapterLine, Line, VerdictLine

if TYPE_CHECKING:
    from rich.live import Live
    from rich.progress import Progress as Bars
    from rich.progress import TaskID

BETWEEN_UPDATES = 0.1
"""Seconds; drawing more often would cost more than the verdicts do."""

GONE = (OSError, ValueError)
"""What a stream raises that is closed or full, or whose terminal is gone: no reason to stop a run."""


class Progress:
    """Tells a waiting user what happens. `say` for words, `see` for each line of the log, `end` before other output."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._drawn: _Drawn | None = None
        self._telling = current()
        self._live = stream.isatty() and self._telling.draws
        self._drawn_at = 0.0
        self._selected: dict[str, int] = {}
        self._judged: Counter[str] = Counter()

    def say(self, text: str) -> None:
        """What is being done now; on a terminal the next words replace it."""
        if self._live:
            self._telling.note(text)
            self._draw(text)
        else:
            self._tell(text, shown=self._telling.tells)

    def see(self, line: Line) -> None:
        """Counts a line of the log; on a terminal it shows the counts now and then."""
        if self._telling.verbose and isinstance(line, VerdictLine):
            self._tell(f"{line.adapter} {line.plan}: {line.outcome.replace('_', ' ')}", shown=True)
        if not self._live:
            return
        if isinstance(line, AdapterLine) and line.suites:
            self._selected[line.name] = sum(speaks.selected for speaks in line.suites)
        elif isinstance(line, VerdictLine):
            self._judged[line.adapter] += 1
            if time.monotonic() - self._drawn_at >= BETWEEN_UPDATES:
                self._draw("")

    def end(self) -> None:
        """Wipes what was drawn."""
        drawn, self._drawn = self._drawn, None
        if drawn is not None:
            with suppress(*GONE):
                drawn.wipe()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.end()

    def _draw(self, words: str) -> None:
        self._drawn_at = time.monotonic()
        with suppress(*GONE):
            if self._drawn is None:
                self._drawn = _Drawn(self._stream)
            self._drawn.show(words, self._selected, self._judged)

    def _tell(self, text: str, *, shown: bool) -> None:
        self._telling.note(text)
        if shown:
            self._write(f"{text}\n")

    def _write(self, text: str) -> None:
        with suppress(*GONE):
            self._stream.write(visible(text))
            self._stream.flush()


class _Drawn:
    """What stands on the terminal: a bar for each adapter, and below them what is being done."""

    def __init__(self, stream: IO[str]) -> None:
        from rich.live import Live  # slow to import, and only a terminal shows bars
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bars

        from bindproof.report.console import VisibleConsole

        console = VisibleConsole(file=stream)
        self._bars: Bars = Bars(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=console,
            auto_refresh=False,
        )
        self._tasks: dict[str, TaskID] = {}
        self._live: Live = Live(
            console=console, auto_refresh=False, transient=True, redirect_stdout=False, redirect_stderr=False
        )
        self._live.start()

    def show(self, words: str, selected: dict[str, int], judged: Counter[str]) -> None:
        """Draw how many scenarios of how many are judged, by adapter; of how many is open where that is 0."""
        from rich.console import Group
        from rich.text import Text

        for name, total in selected.items():
            if name not in self._tasks:
                self._tasks[name] = self._bars.add_task(visible(name), total=total or None)
            self._bars.update(self._tasks[name], completed=judged[name])
        line = Text(visible(words.splitlines()[0] if words else ""), no_wrap=True, overflow="ellipsis")
        self._live.update(Group(self._bars, line), refresh=True)

    def wipe(self) -> None:
        """Leave the terminal as it was."""
        self._live.stop()
