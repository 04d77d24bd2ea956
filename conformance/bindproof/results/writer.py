"""A result log is written line by line, each on disk before the next comes.

Enters: lines. Leaves: bytes in a file. Must not know what the lines mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Self

import msgspec

from bindproof.core.errors import UsageError
from bindproof.results.lines import Line
from bindproof.results.log_file import LogFile

_ENCODER = msgspec.json.Encoder()


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
