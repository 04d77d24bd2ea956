"""Where the lines of a run go as they come: to the log, and to all that is made of it.

Enters: lines, and what ended the run. Leaves: the log, its last line, a digest. Must not know how lines come about. A
line that was begun is finished, whatever signal comes meanwhile; when the log cannot be written any further the run
ends, and what comes of that is in the digest alone.
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
from bindproof.report.digest import Digest
from bindproof.results import Emit, Fold, Line, SummaryLine, Writer

Engine = Callable[[Emit, Callable[[str], None]], None]
"""Is given `emit`, which takes the log's lines in order, and `progress`, which takes words; called once."""


class Recorder:
    """Takes the lines of one run. writer: of the log. first: lines that the log has already."""

    def __init__(self, writer: Writer, first: Sequence[Line], *, keeps_verdicts: bool) -> None:
        self.digest = Digest.over(first, keeps_verdicts=keeps_verdicts)
        self._writer = writer
        self._fold = Fold.over(first)
        self._progress = Progress(sys.stderr)
        self._interrupts = Interrupts()
        self._lost: UsageError | BrokenPipeError | None = None
        for line in first:
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
        """Take the last line, and return it: how the run ended, or that the log cannot hold even that."""
        summary = self._fold.summary(**_how_it_ended(ended))
        try:
            self._emit(summary)
        except UsageError as error:
            summary = self._fold.summary(usage=str(error))
            self._emit(summary)
        return summary

    def _emit(self, line: Line) -> None:
        self._interrupts.hold()
        lost = self._not_written(line)
        self._fold.add(line)
        self.digest.add(line)
        self._progress.see(line)
        self._interrupts.release()
        if lost is not None:
            raise lost

    def _not_written(self, line: Line) -> UsageError | BrokenPipeError | None:
        """Write a line to the log; return why that cannot be done any more, once."""
        if self._lost is not None:
            return None
        try:
            self._writer.write(line)
        except (UsageError, BrokenPipeError) as error:
            self._lost = error
        return self._lost


def _how_it_ended(error: BaseException | None) -> dict[str, Any]:
    if error is None:
        return {}
    if isinstance(error, KeyboardInterrupt):
        return {"interrupted": True}
    if is_the_users(error):
        return {"usage": told(error)}
    return {"bug": "".join(traceback.format_exception(error))}
