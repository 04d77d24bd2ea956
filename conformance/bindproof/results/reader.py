"""A result log is read back as typed lines, one at a time: the only place that knows what a line looks like on disk.

Enters: a path. Leaves: a `Log`, whose lines are those of `lines`; or a LogError with file and line. Must not know what
the lines are read for.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO

import msgspec

from bindproof.core.errors import LogError
from bindproof.results.lines import (
    FORMAT,
    AdapterLine,
    FindingLine,
    Line,
    RunLine,
    StaleLine,
    SummaryLine,
    VerdictLine,
    joined,
)

LONGEST_LINE = 64 << 20
"""Bytes. An answer has 16 MB at most, and a verdict shows what was asked, what was answered and what is allowed."""

_UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What msgspec raises for bytes that are no line: of another form, not UTF-8, or nested too deep."""

_DECODER = msgspec.json.Decoder(Line)


class _Head(msgspec.Struct):
    """What the first line of a log of any format tells: format 1 left its number out."""

    type: str
    format: int = 1


_HEAD_DECODER = msgspec.json.Decoder(_Head)


class Log(msgspec.Struct, frozen=True):
    """A result log on disk. Iterating gives its lines, each as one of the types of `Line`, from the first on.

    A log of any length takes no more memory than its longest line. Each iteration reads the file anew, and raises
    LogError, with file and line, for

    - what is no line of a log: no JSON, another type, a field that is missing or of another form, over `LONGEST_LINE`,
    - a second `run` line, as in two logs one behind the other, and whatever comes behind the `summary`, - a `verdict`,
    `finding` or `stale` of an adapter, or of a suite of it, that no line before it has introduced.
    """

    path: Path
    """As the user wrote it."""
    run: RunLine
    """Its first line."""
    cut_short: bool = False
    """Whether a last line that has no end is left out."""

    def __iter__(self) -> Iterator[Line]:
        order = _Order(self.path)
        for number, line in _decoded(self.path, cut_short=self.cut_short):
            order.hold(number, line)
            yield line


def read(path: Path, *, cut_short: bool = False) -> Log:
    """Return the log of this path, of which the first line is read already.

    cut_short: leave out a last line that has no end, because whoever wrote it was killed meanwhile.

    Raises:
        LogError: the file cannot be read; is no file, but a pipe, say, whose writer may never come; is empty; or does
            not start with a `run` line of this format. What else may be wrong `Log` raises, where it is read.
    """
    for _, line in _decoded(path, cut_short=cut_short):
        if isinstance(line, RunLine):
            return Log(path, line, cut_short)
        raise LogError(path, 1, "a result log starts with a line of type run")
    what = "its first line was cut off" if path.stat().st_size else "the file is empty"
    again = f"`bindproof run --results {path}` writes one"
    raise LogError(path, None, f"{what}; a result log starts with a line of type run, {again}")


class _Order:
    """Holds each line against those before it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._begun = self._ended = False
        self._adapters: dict[str, AdapterLine] = {}
        self._spoken: set[tuple[str, str]] = set()

    def hold(self, number: int, line: Line) -> None:
        """Raise LogError for a line that cannot come here."""
        if isinstance(line, VerdictLine | FindingLine):
            if (line.adapter, line.suite) not in self._spoken:
                what = f"adapter {line.adapter!r} is not judged on suite {line.suite!r} by any line before this one"
                raise self._error(number, what)
        elif isinstance(line, AdapterLine):
            whole = self._adapters[line.name] = joined(self._adapters.get(line.name), line)
            self._spoken.update((line.name, speaks.suite) for speaks in whole.suites)
        elif isinstance(line, StaleLine) and line.adapter not in self._adapters:
            raise self._error(number, f"no line before this one is about adapter {line.adapter!r}")
        elif isinstance(line, RunLine):
            if self._begun:
                raise self._error(number, "another log begins here, and a file holds one; give each its own")
            self._begun = True
        if self._ended:
            raise self._error(number, "the log has ended before this line: nothing comes behind its summary")
        self._ended = isinstance(line, SummaryLine)

    def _error(self, number: int, what: str) -> LogError:
        return LogError(self._path, number, what)


def _decoded(path: Path, *, cut_short: bool) -> Iterator[tuple[int, Line]]:
    """Yield each line with its number."""
    try:
        if path.exists() and not path.is_file():
            raise LogError(path, None, "a result log is read from a file; this is none")
        with path.open("rb") as file:
            for number, data in _numbered(path, file):
                if not cut_short or data.endswith(b"\n"):
                    yield number, _line(path, number, data)
    except FileNotFoundError:
        raise LogError(path, None, f"there is no such log; `bindproof run --results {path}` writes one") from None
    except OSError as error:
        raise LogError(path, None, f"the log cannot be read: {error.strerror}") from error


def _numbered(path: Path, file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    number = 0
    while data := file.readline(LONGEST_LINE + 1):
        number += 1
        if len(data) > LONGEST_LINE:
            what = f"this line is longer than {LONGEST_LINE >> 20} MB"
            raise LogError(path, number, f"{what}; no line of a bindproof result log is")
        yield number, data


def _line(path: Path, number: int, data: bytes) -> Line:
    try:
        if number == 1:
            _hold_format(path, _HEAD_DECODER.decode(data))
        line: Line = _DECODER.decode(data)
    except _UNREADABLE as error:
        raise LogError(path, number, f"this is no line of a bindproof result log: {error}") from error
    return line


def _hold_format(path: Path, head: _Head) -> None:
    if head.type == "run" and head.format != FORMAT:
        what = f"this log has format {head.format}, and this bindproof reads format {FORMAT}"
        raise LogError(path, 1, f"{what}: use the bindproof that wrote it, or run it again")
