"""The standard streams, which may be closed, full or gone: what is printed is lost then, and nothing else.
What is printed can be seen (see `core.visible`).

Enters: text. Leaves: text where it can be had. Must not know what is said.
"""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress

from bindproof.cli.telling import current
from bindproof.core.errors import UsageError
from bindproof.core.visible import visible


class OutputError(UsageError):
    """Nothing can be printed: no other command would help."""


class _Closed(io.RawIOBase):
    """A stdout that was closed before we began: whoever asks for a report has to be told that there is none."""

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        raise OutputError("standard output is closed; what should be printed there is lost")


def reserve() -> None:
    """Put something in the place of standard streams that are closed, so that no file we open gets their numbers.

    What is printed on a stdout that was closed raises UsageError; what is printed on such a stderr is gone. What the
    encoding of stdout does not have is printed as an escape.
    """
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    if sys.stdout is None:
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(_Closed()), encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = io.TextIOWrapper(io.FileIO(2, "w", closefd=False), encoding="utf-8")
    if isinstance(sys.stdout, io.TextIOWrapper):  # a terminal of another encoding is shown `\\xb7` for what it lacks
        sys.stdout.reconfigure(errors="backslashreplace")


def say(text: str) -> None:
    """Print a line on stderr, if there is still one."""
    current().note(text)
    with suppress(OSError, ValueError):
        sys.stderr.write(f"{visible(text)}\n")
        sys.stderr.flush()


def tell(text: str) -> None:
    """Print a line on stdout, at once. Raises what its stream raises."""
    sys.stdout.write(f"{visible(text)}\n")
    sys.stdout.flush()


def settle_stdout() -> None:
    """Print what waits to be printed on stdout; where that cannot be, keep Python from complaining as it exits."""
    try:
        sys.stdout.flush()
    except (OSError, UsageError):
        nowhere = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
        try:
            os.dup2(nowhere.fileno(), sys.stdout.fileno())
        except (OSError, ValueError):
            sys.stdout = nowhere
