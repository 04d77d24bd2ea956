"""A time limit for what is done in this process: reading schemas of strangers, and telling what differs.

Enters: seconds. Leaves: TimeUpError in whoever took longer. Questions about schemas have a process of their own, which
is killed (`bounded`); what reads holds lines of files, which would have to come back from there. There is no limit
where a system has no timers, nor outside of the main thread.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from bindproof.core.errors import UsageError


class TimeUpError(UsageError):
    """Something took longer than it may; the message says what, and how to give it more."""


@contextmanager
def within(seconds: float, doing: str) -> Iterator[None]:
    """Let what is done in the block take so long. doing: what that is, in words. Raises TimeUpError."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> None:
        raise TimeUpError(f"{doing} took more than {seconds:g} seconds, so nothing is known; --seconds gives it more")

    before = signal.signal(signal.SIGALRM, stop)
    left, again = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, left, again)
        signal.signal(signal.SIGALRM, before)
