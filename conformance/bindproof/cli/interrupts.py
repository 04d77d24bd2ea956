"""Ctrl-C, a polite kill and a terminal that is closed: each ends a run, but never in the middle of a line of its log.

Enters: signals. Leaves: KeyboardInterrupt, where it does no harm. Must not know what is being done.
"""

from __future__ import annotations

import signal
from types import FrameType, TracebackType
from typing import Any, Self

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupts:
    """While it is entered, these signals raise KeyboardInterrupt; between `hold` and `release` they wait.

    One that is ignored stays so: `nohup`, or a shell that starts us in the background, wants it.
    Outside the main thread it does nothing: a program that embeds us keeps its own ways.
    """

    def __init__(self) -> None:
        self._before: dict[signal.Signals, Any] = {}
        self._held = False
        self._waiting = False

    def hold(self) -> None:
        """What follows is done to its end."""
        self._held = True

    def release(self) -> None:
        """That was it; a signal that came meanwhile counts now."""
        self._held = False
        if self._waiting:
            self._waiting = False
            raise KeyboardInterrupt

    def __enter__(self) -> Self:
        try:
            heard = [number for number in SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
            self._before = {number: signal.signal(number, self._take) for number in heard}
        except ValueError:  # not the main thread
            self._before = {}
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _take(self, number: int, frame: FrameType | None) -> None:
        if not self._held:
            raise KeyboardInterrupt
        self._waiting = True
