"""Where the lines of a run go as they come: to the log, and to all that is made of it.

Enters: lines, and what ended the run. Leaves: the log, its last line, a report that has them all. Must not know how
lines come about. A line that was begun is finished, whatever signal comes meanwhile; when the log cannot be written any
further the run ends, and what comes of that is in the report alone.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Sequence
from typing import Any

from bindproof.cli.blame import is_the_users, told
from bindproof.cli.interrupts import Interrupts
from bindproof.cli.progress import Progress
from bindproof.core.errors import UsageError
from bindproof.report import Report
from bindproof.results import Emit, Fold, Line, SummaryLine, Writer

Engine = Callable[[Emit, Callable[[str], None]], None]
"""Is given `emit`, which takes the log's lines in order, and `progress`, which takes words; called once."""


class Recorder:
    """Takes the lines of one run. writer: of the log. report: is given each. first: lines that the log has already."""

    def __init__(self, writer: Writer, report: Report, first: Sequence[Line]) -> None:
        self.begun = bool(first)
        self._write, self._show = writer.write, report.add
        self._lost: list[Emit] = []
        self._fold = Fold.over(first)
        self._progress = Progress(sys.stderr)
        self._interrupts = Interrupts()
        for line in first:
            self._show(line)
            self._progress.see(line)

    def record(self, engine: Engine) -> BaseException | None:
        """Run an engine and take its lines; return what ended it, None where it came to its end."""
        with self._progress:
            try:
                with self._interrupts:
                    engine(self._emit, self._progress.say)
            except (Exception, KeyboardInterrupt) as error:
                return error
        return None

    def close(self, ended: BaseException | None) -> SummaryLine:
        """Take the last line, and return it: how the run ended, or that the log or the report cannot hold even that."""
        summary = self._fold.summary(**_how_it_ended(ended))
        for taker in (self._write, self._show):
            lost = self._given(taker, summary)
            if isinstance(lost, BrokenPipeError):
                raise lost
            if lost is not None:
                summary = self._fold.summary(usage=str(lost))
        return summary

    def _emit(self, line: Line) -> None:
        self._interrupts.hold()
        unwritten = self._given(self._write, line)
        unseen = self._given(self._show, line)
        self._fold.add(line)
        self._progress.see(line)
        self.begun = True
        self._interrupts.release()
        lost = unwritten or unseen
        if lost is not None:
            raise lost

    def _given(self, taker: Emit, line: Line) -> UsageError | BrokenPipeError | None:
        """Give the log or the report a line; return why it can take none any more, once."""
        if taker in self._lost:
            return None
        try:
            taker(line)
        except (UsageError, BrokenPipeError) as error:
            self._lost.append(taker)
            return error
        return None


def _how_it_ended(error: BaseException | None) -> dict[str, Any]:
    if error is None:
        return {}
    if isinstance(error, KeyboardInterrupt):
        return {"interrupted": True}
    if is_the_users(error):
        return {"usage": told(error)}
    return {"bug": "".join(traceback.format_exception(error))}
