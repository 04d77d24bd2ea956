"""The report for programs: the lines of the result log themselves, each as soon as it is there.

Enters: the lines of a log, in order. Leaves: the same bytes as in its file, on a stream. Must not know what they mean.
"""

from __future__ import annotations

from typing import TextIO

from bindproof.core.errors import UsageError
from bindproof.report import Report
from bindproof.results import Line, encode


class JsonLines:
    """See `bindproof.report.Report`. stream: what is below its encoding gets the lines, which are UTF-8."""

    for_programs = True

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def add(self, line: Line) -> None:
        """Print one line, and flush it."""
        try:
            self._stream.buffer.write(encode(line))
            self._stream.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise UsageError(f"the results cannot be printed on standard output: {error.strerror}") from error

    def end(self) -> None:
        """Do nothing: all is printed."""


def report(stream: TextIO) -> Report:
    """Return the report (see `bindproof.report.REPORTS`)."""
    return JsonLines(stream)
