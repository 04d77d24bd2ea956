"""A result log on disk: appended line by line, read back line by line.

Enters: lines, or a path. Leaves: bytes in a file, or lines. Must not know what the lines mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Self

import msgspec

from bindproof.core.errors import LogError, UsageError
from bindproof.results.lines import FORMAT, Line, RunLine
from bindproof.results.log_file import LogFile

LONGEST_LINE = 64 << 20
"""Bytes. An answer has 16 MB at most, and a verdict shows what was asked, what was answered and what is allowed."""

_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Line)


class _Head(msgspec.Struct):
    """What the first line of a log of any format tells: format 1 left its number out."""

    type: str
    format: int = 1


_HEAD_DECODER = msgspec.json.Decoder(_Head)


def encode(line: Line) -> bytes:
    """One line of the log, newline included. Raises what msgspec raises for values that are not JSON."""
    return _ENCODER.encode(line) + b"\n"


class Writer:
    """Appends lines to a file and a stream, each flushed at once, so that an interrupted run loses nothing.

    results: a file, started anew; None for none. stream: one more place, such as stdout's buffer for `--json`. first:
    lines to begin with; an earlier file of that path is there until they are all on disk.
    """

    def __init__(
        self, results: Path | LogFile | None, stream: IO[bytes] | None = None, first: Sequence[Line] = ()
    ) -> None:
        self._stream = stream
        self._file = LogFile(results) if isinstance(results, Path) else results
        if self._file is not None and first:
            self._file.begin_with(b"".join(map(encode, first)))
        elif self._file is not None:
            self._file.begin()
        for line in first:
            self._to_stream(encode(line))

    def write(self, line: Line) -> None:
        """Appends one line and flushes it.

        Raises:
            LogError: the file cannot be written any further.
            UsageError: the stream cannot.
            BrokenPipeError: whoever read the stream has gone.
        """
        if self._file is None and self._stream is None:
            return
        data = encode(line)
        if self._file is not None:
            self._file.write(data)
        self._to_stream(data)

    def close(self) -> None:
        """Closes the file; a stream that was handed in stays open."""
        if self._file is not None:
            self._file.close()

    def _to_stream(self, data: bytes) -> None:
        if self._stream is None:
            return
        try:
            self._stream.write(data)
            self._stream.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise UsageError(f"the results cannot be printed on standard output: {error.strerror}") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def read(path: Path, *, cut_short: bool = False) -> Iterator[Line]:
    """The lines of a log file, one at a time.

    Args:
        path: the file.
        cut_short: leave out a last line that has no end, because whoever wrote it was killed meanwhile.

    Raises:
        LogError: the file cannot be read, does not start with a `run` line of this format, or a line is not one of this
            module's; the error names the line. So is a last line that was cut off, but for `cut_short`. So is
            what is no file, such as a pipe, whose writer may never come, and a line longer than any of ours.
    """
    try:
        if path.exists() and not path.is_file():
            raise LogError(path, None, "a result log is read from a file; this is none")
        with path.open("rb") as file:
            lines = _lines(path, file)
            yield from _decoded(path, (line for line in lines if line.endswith(b"\n")) if cut_short else lines)
    except OSError as error:
        raise LogError(path, None, f"the log cannot be read: {error.strerror}") from error


def _lines(path: Path, file: IO[bytes]) -> Iterator[bytes]:
    number = 0
    while line := file.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE:
            what = f"this line is longer than {LONGEST_LINE >> 20} MB"
            raise LogError(path, number, f"{what}; no line of a bindproof result log is")
        yield line


def _decoded(path: Path, lines: Iterable[bytes]) -> Iterator[Line]:
    number = 0
    for number, data in enumerate(lines, 1):
        try:
            if number == 1:
                _hold_format(path, _HEAD_DECODER.decode(data))
            line: Line = _DECODER.decode(data)
        except msgspec.MsgspecError as error:
            raise LogError(path, number, f"this is no line of a bindproof result log: {error}") from error
        if number == 1 and not isinstance(line, RunLine):
            raise LogError(path, 1, "a result log starts with a line of type run")
        yield line
    if number == 0:
        raise LogError(path, None, "the file is empty; a result log starts with a line of type run")


def _hold_format(path: Path, head: _Head) -> None:
    if head.type == "run" and head.format != FORMAT:
        what = f"this log has format {head.format}, and this bindproof reads format {FORMAT}"
        raise LogError(path, 1, f"{what}: use the bindproof that wrote it, or run it again")
