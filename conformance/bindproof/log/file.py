"""A result log on disk: appended line by line, read back line by line.

Enters: lines, or a path. Leaves: bytes in a file, or lines. Must not know what the lines mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Self

import msgspec

from bindproof.errors import LogError
from bindproof.log.lines import FORMAT, Line, RunLine

_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Line)


def encode(line: Line) -> bytes:
    """One line of the log, newline included. Raises what msgspec raises for values that are not JSON."""
    return _ENCODER.encode(line) + b"\n"


class Writer:
    """Appends lines to any number of binary streams, each flushed at once, so that an interrupted run loses nothing.

    path: a file, started anew; None for none. stream: one more place, such as stdout's buffer for `--json`.
    """

    def __init__(self, path: Path | None, stream: IO[bytes] | None = None) -> None:
        self._file: IO[bytes] | None = None
        if path is not None:
            try:
                self._file = path.open("wb")
            except OSError as error:
                raise LogError(path, None, f"the results cannot be written there: {error.strerror}") from error
        self._streams = [s for s in (self._file, stream) if s is not None]

    def write(self, line: Line) -> None:
        """Appends one line and flushes it."""
        if not self._streams:
            return
        data = encode(line)
        for stream in self._streams:
            stream.write(data)
            stream.flush()

    def close(self) -> None:
        """Closes the file; a stream that was handed in stays open."""
        if self._file is not None:
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def read(path: Path) -> Iterator[Line]:
    """The lines of a log file, one at a time.

    Raises:
        LogError: the file cannot be read, does not start with a `run` line of this format, or a line is not one of this
            module's; the error names the line. A last line that was cut off by a crash is such an error too.
    """
    try:
        with path.open("rb") as file:
            yield from _decoded(path, file)
    except OSError as error:
        raise LogError(path, None, f"the log cannot be read: {error.strerror}") from error


def _decoded(path: Path, lines: Iterable[bytes]) -> Iterator[Line]:
    number = 0
    for number, data in enumerate(lines, 1):
        try:
            line: Line = _DECODER.decode(data)
        except msgspec.MsgspecError as error:
            raise LogError(path, number, f"this is no line of a bindproof result log: {error}") from error
        if number == 1 and not isinstance(line, RunLine):
            raise LogError(path, 1, "a result log starts with a line of type run")
        if isinstance(line, RunLine) and line.format != FORMAT:
            raise LogError(path, number, f"this log has format {line.format}; this bindproof reads format {FORMAT}")
        yield line
    if number == 0:
        raise LogError(path, None, "the file is empty; a result log starts with a line of type run")
