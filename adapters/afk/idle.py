"""An event loop without a clock: time moves to the next timer when nobody has anything to do, and nothing sleeps.

Enters: coroutines. Leaves: what they return, or Idle where nothing could wake any of them. Must not know AFK.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any

PATIENCE = 1.0
"""So many seconds a thread has to wake the loop, where it waits for nothing else."""


class Idle(Exception):  # noqa: N818 - a state of the loop, not a programming error
    """There is nothing to do and no timer: whoever waits does so for ever."""


class IdleSelector(selectors.SelectSelector):
    """Waits for nobody: scenarios open no sockets, and time is the loop's."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> Any:
        """Move the clock by what the loop would have waited."""
        ready = super().select(0)
        if ready or timeout is not None:
            self.now += 0 if ready else max(timeout or 0, 0)
            return ready
        ready = super().select(PATIENCE)
        if not ready:
            raise Idle
        return ready


class IdleLoop(asyncio.SelectorEventLoop):
    """The loop of one run."""

    def __init__(self) -> None:
        self._virtual = IdleSelector()
        super().__init__(self._virtual)

    def time(self) -> float:
        """Return the virtual time in seconds."""
        return self._virtual.now

    def forget(self) -> None:
        """Close the loop, with whatever is left in it."""
        for task in asyncio.all_tasks(self):
            task.cancel()
        try:
            self.run_until_complete(asyncio.sleep(0))
        finally:
            self.close()


def log_of(act: Callable[[list[Any]], Coroutine[Any, Any, None]]) -> list[Any]:
    """Return the log that something writes in a loop of its own, which says so where it hangs."""
    log: list[Any] = []
    loop = IdleLoop()
    try:
        loop.run_until_complete(act(log))
    except Idle:
        log.append({"fact": "hangs"})
    finally:
        loop.forget()
    return log
