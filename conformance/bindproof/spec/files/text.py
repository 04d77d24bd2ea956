"""Reads the bytes and the text of a file that somebody wrote.

Enters: a path, and the name that messages call it by. Leaves: bytes, text, or a SpecError with file and line. Must not
know what the text means.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

from bindproof.spec.problem import Problem, SpecError

LARGEST: Final = 16 << 20
"""Bytes of a file. What people write is a thousandth of it; what is larger is something else."""


def read_bytes(path: Path | str, name: str) -> bytes:
    """Return all bytes of a regular file. name: what messages call it. Raises SpecError, which says why not."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # opening a pipe would wait for ever
        try:
            return _read(descriptor, name)
        finally:
            os.close(descriptor)
    except (OSError, ValueError) as error:
        raise SpecError([Problem(name, 1, _why(error))]) from None


def _read(descriptor: int, name: str) -> bytes:
    state = os.fstat(descriptor)
    if stat.S_ISDIR(state.st_mode):
        raise IsADirectoryError(0, "it is a folder")
    if not stat.S_ISREG(state.st_mode):
        raise SpecError([Problem(name, 1, "this is no file that can be read whole; write a regular file")])
    if state.st_size > LARGEST:
        raise SpecError(
            [Problem(name, 1, f"this file has {state.st_size} bytes; {LARGEST} are the most that are read")]
        )
    data = os.read(descriptor, state.st_size + 1)
    while len(data) <= LARGEST and (more := os.read(descriptor, LARGEST)):
        data += more
    return data


def text_of(data: bytes, name: str) -> str:
    """Return the text that the bytes of a file are, as UTF-8. Raises SpecError with the line of the first bad byte."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        text = f"byte 0x{data[error.start]:02x} is no UTF-8: {error.reason}; save the file as UTF-8"
        raise SpecError([Problem(name, line, text)]) from None


def read_text(path: Path | str, name: str) -> str:
    """Return the text of a file. Raises as `read_bytes` and `text_of` do."""
    return text_of(read_bytes(path, name), name)


def lines_of(text: str) -> list[str]:
    """Return the lines of a text as editors count them: no other character than a line feed ends one."""
    lines = text.replace("\r\n", "\n").split("\n")
    return lines[:-1] if not lines[-1] else lines


def _why(error: OSError | ValueError) -> str:
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return f"this file cannot be read: {reason}"
