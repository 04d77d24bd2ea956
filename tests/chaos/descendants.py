"""Who is alive below a process, wherever they hid. Linux: orphans come back to whoever asks for them.

Enters: nothing. Leaves: ids and command lines of processes. Must not know why they are there.
"""

from __future__ import annotations

import ctypes
import os
from contextlib import suppress
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36


def take_orphans() -> None:
    """From now on whoever loses a parent below this process becomes its child."""
    if ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, ctypes.c_ulong(1), 0, 0, 0):
        raise OSError("this system gives orphans to nobody")


def below(process: int) -> list[int]:
    """All that are alive below a process, zombies left out."""
    found: list[int] = []
    for task in _tasks(process):
        with suppress(OSError):
            for child in map(int, (task / "children").read_text().split()):
                found += [child] * _is_alive(child)
                found += below(child)
    return found


def _tasks(process: int) -> list[Path]:
    try:
        return list(Path(f"/proc/{process}/task").iterdir())
    except OSError:
        return []


def _is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text(errors="replace").rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def called(process: int) -> str:
    """The command line of a process, a part of it."""
    try:
        words = Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
    except OSError:
        return "gone"
    return words[:150]


def reaped(besides: set[int]) -> None:
    """Take leave of all orphans that ended; of those children who are waited for elsewhere not."""
    for task in _tasks(os.getpid()):
        with suppress(OSError):
            for child in map(int, (task / "children").read_text().split()):
                if child not in besides:
                    with suppress(OSError):
                        os.waitpid(child, os.WNOHANG)
