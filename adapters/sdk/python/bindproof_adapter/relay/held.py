"""Latches at which what runs when an event is published stands, or who is told of it: the program does not wait.

Enters: callbacks that come to such a latch, the step that opens it. Leaves: records of who waits and goes on. Must not
know any binding.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from bindproof_adapter.relay.families import PUBLISHED
from bindproof_adapter.relay.flight import Beside, Door, Gate
from bindproof_adapter.relay.recorder import Recorder

Json = Any

LONGEST = 8.0
"""So many seconds who opens a latch waits for someone to stand there, and who stands there for it to be opened."""


class Held:
    """The latches of one scenario that hold up what is told.

    Nobody says when an event is published, so who opens a latch waits until somebody stands there, but not for long.
    """

    def __init__(self, recorder: Recorder, beside: Beside) -> None:
        self.latches: set[str] = set()
        self._recorder = recorder
        self._beside = beside
        self._gates: dict[str, tuple[Gate, Gate]] = {}
        self._doors: dict[str, tuple[Door, Door]] = {}
        self._open: set[str] = set()

    def expect(self, step: Json) -> None:
        """Know the latches at which a callback of a step may stand, where it runs at publication or is told of it."""
        latches = [op["latch"] for op in step["do"] if op["op"] == "wait"]
        if step["family"] == "subscriber":
            self._doors.update({latch: (self._beside.door(), self._beside.door()) for latch in latches})
        if step["family"] in ("subscriber", *PUBLISHED):
            self.latches.update(latches)

    def stand(self, callback: str, k: int, latch: str) -> None:
        """Stand at a latch that is closed, as `wait` does, on the thread that tells a subscriber."""
        if latch in self._open:
            return
        self._recorder.waiting(callback, k, latch)
        came, door = self._doors[latch]
        came.open()
        door.stand(LONGEST)
        self._open.add(latch)
        self._recorder.resumed(callback, k)

    @contextmanager
    def entered(self, callback: str, k: int) -> Iterator[None]:
        """Do nothing: nobody cancels what is published."""
        yield

    async def wait(self, callback: str, k: int, latch: str) -> None:
        """Stand at a latch that is closed, but not for long: where the program waits for this, it would for ever."""
        if latch in self._open:
            return
        self._recorder.waiting(callback, k, latch)
        came, gate = self._of(latch)
        came.open()
        await gate.passed(LONGEST)
        self._open.add(latch)
        self._recorder.resumed(callback, k)

    async def open(self, latch: str) -> None:
        """Open a latch when somebody stands there."""
        came, gate = self._of(latch)
        await came.passed(LONGEST)
        self._open.add(latch)
        gate.open()

    def open_all(self) -> None:
        """Open what is closed still."""
        for latch, (_, gate) in (self._gates | self._doors).items():
            if latch not in self._open:
                self._open.add(latch)
                gate.open()

    def _of(self, latch: str) -> tuple[Gate, Gate]:
        """Return what opens when somebody comes to a latch, and what opens when the program opens it."""
        if latch in self._doors:
            return self._doors[latch]
        if latch not in self._gates:
            self._gates[latch] = self._beside.gate(), self._beside.gate()
        return self._gates[latch]
