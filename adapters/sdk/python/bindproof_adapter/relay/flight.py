"""Calls in flight: they run beside the program, and stand still at latches until the program opens them.

Enters: calls, callbacks that come to a latch, cancellings. Leaves: records of who waits, goes on or is cancelled. One
thing runs at a time: whoever lets a call go on waits until it stands at a latch or is over. Must not know any binding.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Thread
from typing import Any, Protocol

from bindproof_adapter.relay.recorder import Recorder
from bindproof_adapter.signals import AdapterFault

CallBody = Coroutine[Any, Any, None]


class Gate(Protocol):
    """Where one stands until another opens it."""

    def open(self) -> None:
        """Let who stands there go on."""

    async def passed(self, longest: float | None = None) -> None:
        """Stand there, for so many seconds at the most."""


class Door(Gate, Protocol):
    """A gate at which a thread may stand."""

    def stand(self, longest: float) -> None:
        """Block the thread there, for so many seconds at the most."""


class Beside(Protocol):
    """How a call runs beside the program."""

    def run(self, call: CallBody) -> asyncio.Task[None] | None:
        """Let a call begin; return its task, where it is one."""

    def gate(self) -> Gate:
        """Return a gate that is closed, for calls that run so."""

    def door(self) -> Door:
        """Return a gate that is closed, at which a thread stands, or a call that runs so."""

    def over(self) -> None:
        """Wait for what is left of calls that are over."""


class Tasks:
    """Calls of a binding that awaits: each is a task of the event loop."""

    def run(self, call: CallBody) -> asyncio.Task[None]:
        """Let a call begin."""
        return asyncio.create_task(call)

    def gate(self) -> Gate:
        """Return a gate that is closed."""
        return _Future()

    def door(self) -> Door:
        """Return a gate that is closed, at which a thread or a task may stand."""
        return _Awaited()

    def over(self) -> None:
        """Wait for nothing: the event loop forgets its tasks."""


class _Future:
    def __init__(self) -> None:
        self._passed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def open(self) -> None:
        if not self._passed.done():
            self._passed.set_result(None)

    async def passed(self, longest: float | None = None) -> None:
        if longest is None:
            await self._passed
        else:
            await asyncio.wait([self._passed], timeout=longest)


class Threads:
    """Calls of a binding that blocks: each is on a thread of its own."""

    def __init__(self) -> None:
        self._calls: list[Thread] = []

    def run(self, call: CallBody) -> None:
        """Let a call begin."""
        self._calls.append(Thread(target=at_once, args=(call,), daemon=True))
        self._calls[-1].start()

    def gate(self) -> Gate:
        """Return a gate that is closed; who stands there blocks a thread."""
        return _Event()

    def door(self) -> Door:
        """Return a gate that is closed."""
        return _Event()

    def over(self) -> None:
        """Wait until the threads have ended."""
        for call in self._calls:
            call.join()


class _Event:
    def __init__(self) -> None:
        self._event = Event()

    def open(self) -> None:
        self._event.set()

    def stand(self, longest: float) -> None:
        self._event.wait(longest)

    async def passed(self, longest: float | None = None) -> None:
        self._event.wait(longest)


class _Awaited(_Event):
    async def passed(self, longest: float | None = None) -> None:
        await asyncio.to_thread(self._event.wait, longest)


LONGEST = 5.0
"""So many seconds a cancelling waits for the call's callbacks to be told; the log shows what was not by then."""


@dataclass(eq=False)
class Flight:
    """A call in the background."""

    task: asyncio.Task[None] | None = None
    inside: int = 0
    """How many of its callbacks are running."""
    left: asyncio.Event = field(default_factory=asyncio.Event)
    """Set while none is."""


async def _left(flight: Flight) -> None:
    """Wait until no callback of a call is at work, but not for long."""
    if flight.inside:
        await asyncio.wait([asyncio.create_task(flight.left.wait())], timeout=LONGEST)


class Latches:
    """The latches of one scenario, and the calls that stand at them."""

    def __init__(self, recorder: Recorder, beside: Beside) -> None:
        self._recorder = recorder
        self._beside = beside
        self._open: set[str] = set()
        self._standing: list[tuple[str, Flight, Gate]] = []
        self._running: Gate | None = None
        self._current = Flight()
        self._flights: dict[str, Flight] = {}

    async def start(self, name: str, call: CallBody) -> None:
        """Let a call run beside the program, until it stands at a latch or is over."""
        running = self._running = self._beside.gate()
        self._current = flight = self._flights[name] = Flight()
        flight.task = self._beside.run(self._to_its_end(call))
        await running.passed()

    async def open(self, latch: str) -> None:
        """Open a latch: who stands at it goes on, in order of arrival, one after the other."""
        self._open.add(latch)
        ready = [(flight, gate) for name, flight, gate in self._standing if name == latch]
        self._standing = [entry for entry in self._standing if entry[0] != latch]
        for flight, gate in ready:
            if flight.task is not None and flight.task.done():  # it is cancelled, and this callback was not told
                gate.open()
                await _left(flight)
                continue
            running = self._running = self._beside.gate()
            self._current = flight
            gate.open()
            await running.passed()

    async def open_all(self) -> None:
        """Open what anyone stands at, until nobody does."""
        while self._standing:
            await self.open(self._standing[0][0])
        self._beside.over()

    async def cancel(self, name: str) -> None:
        """Cancel a call, and wait until it is over and its callbacks were told; one that is over stays as it is."""
        flight = self._flights.get(name)
        if flight is None or flight.task is None:
            raise AdapterFault(f"no call {name!r} is in the background yet")
        if flight.task.cancel():
            await asyncio.wait([flight.task])
        await _left(flight)

    @contextmanager
    def entered(self, callback: str, k: int) -> Iterator[None]:
        """Count a callback as running in the call that runs now, and record that it was told of its cancelling."""
        flight = self._current
        flight.inside += 1
        flight.left.clear()
        try:
            yield
        except asyncio.CancelledError:
            self._recorder.cancelled(callback, k)
            raise
        finally:
            flight.inside -= 1
            if not flight.inside:
                flight.left.set()

    async def wait(self, callback: str, k: int, latch: str) -> None:
        """Stand at a latch that is closed; raises AdapterFault where the program itself would never go on."""
        if latch in self._open:
            return
        if self._running is None:
            raise AdapterFault(f"callback {callback!r} waits at {latch!r}, and the program waits for it")
        self._recorder.waiting(callback, k, latch)
        gate = self._beside.gate()
        entry = latch, self._current, gate
        self._standing.append(entry)
        self._stands()
        try:
            await gate.passed()
        except asyncio.CancelledError:
            self._standing.remove(entry)
            raise
        self._recorder.resumed(callback, k)

    async def _to_its_end(self, call: CallBody) -> None:
        try:
            await call
        finally:
            self._stands()

    def _stands(self) -> None:
        """Let the program go on."""
        running, self._running = self._running, None
        if running is not None:
            running.open()


def at_once(playing: Coroutine[Any, Any, Any]) -> Any:
    """Return what a coroutine gives that awaits nothing: of a binding whose calls block."""
    try:
        playing.send(None)
    except StopIteration as ended:
        return ended.value
    raise RuntimeError("a callback of a binding that blocks awaits nothing")
