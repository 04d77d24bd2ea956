"""A result log is written line by line, each on disk before the next comes.

Enters: lines. Leaves: bytes in a file. Must not know what the lines mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from bindproof.results.lines import Line
from bindproof.results.log_file import LogFile

_ENCODER = msgspec.json.Encoder()


def encode(line: Line) -> bytes:
    """One line of the log, newline included. Raises what msgspec raises for values that are not JSON."""
    return _ENCODER.encode(line) + b"\n"


class Writer:
    """Appends lines to a file, each at once, so that an interrupted run loses nothing.

    results: a file, started anew; None for none. first: lines to begin with; an earlier file of that path is there
    until they are all on disk.
    """

    def __init__(self, results: Path | LogFile | None, first: Sequence[Line] = ()) -> None:
        self._file = LogFile(results) if isinstance(results, Path) else results
        if self._file is not None and first:
            self._file.begin_with(b"".join(map(encode, first)))
        elif self._file is not None:
            self._file.begin()

    def write(self, line: Line) -> None:
        """Appends one line. Raises LogError when the file cannot be written any further."""
        if self._file is not None:
            self._file.write(encode(line))

    def close(self) -> None:
        """Closes the file."""
        if self._file is not None:
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
