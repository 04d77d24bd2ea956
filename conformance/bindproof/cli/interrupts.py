"""Ctrl-C and a polite kill: both end a run, but never in the middle of a line of its log.

Enters: signals. Leaves: KeyboardInterrupt, where it does no harm. Must not know what is being done.
"""

from __future__ import annotations

import signal
from types import FrameType, TracebackType
from typing import Any, Self

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupts:
    """While it is entered, both signals raise KeyboardInterrupt; between `hold` and `release` they wait.

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
            self._before = {number: signal.signal(number, self._take) for number in SIGNALS}
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
