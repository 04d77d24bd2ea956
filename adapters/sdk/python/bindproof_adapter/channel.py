"""The two pipes to the harness, kept from everybody else in the process.

Enters: bytes on the process's stdin. Leaves: whole lines, and lines written to what was its stdout. Must not know JSON.
"""

from __future__ import annotations

import os
from collections.abc import Iterator


class Channel:
    """Takes stdin and stdout for the protocol; from then on fd 0 is empty and fd 1 is stderr for all other code."""

    def __init__(self) -> None:
        self._input = os.fdopen(os.dup(0), "rb", buffering=1 << 16)
        self._output = os.dup(1)
        os.dup2(2, 1)
        empty = os.open(os.devnull, os.O_RDONLY)
        os.dup2(empty, 0)
        os.close(empty)

    def lines(self) -> Iterator[bytes]:
        """Yield every line as it comes, ended by a line feed alone, until the harness closes the pipe."""
        return iter(self._input.readline, b"")

    def write(self, line: bytes) -> None:
        """Write one line, whole, at once."""
        rest = memoryview(line + b"\n")
        while rest:
            rest = rest[os.write(self._output, rest) :]
