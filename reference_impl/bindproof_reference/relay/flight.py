"""Calls in flight: steps that run beside the program, one at a time, and stand still at latches.

Enters: what a step does. Leaves: nothing; it runs until it waits at a latch, and goes on when the latch is opened.
Whoever lets it go on waits for it, so records have one order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Semaphore, Thread


class DroppedError(BaseException):
    """Nobody waits for this flight any more."""


class CancelledError(BaseException):
    """The program cancelled this flight, where it stands."""


class Flight:
    """Something that runs beside what started it: always one of the two runs, and the other waits."""

    def __init__(self, name: str, body: Callable[[], None]) -> None:
        self.name = name
        self._body = body
        self._go, self._back = Semaphore(0), Semaphore(0)
        self._failure: BaseException | None = None
        self._end: type[BaseException] | None = None
        Thread(target=self._run, daemon=True).start()

    def go_on(self) -> None:
        """Run until it stands still or is over; raises what it raises."""
        self._go.release()
        self._back.acquire()
        if self._failure is not None:
            raise self._failure

    def stand(self) -> None:
        """Called from inside: stand still until it is to go on."""
        self._back.release()
        self._go.acquire()
        if self._end is not None:
            raise self._end

    def cancel(self) -> None:
        """Let it hear, once it goes on, that it is cancelled."""
        self._end = CancelledError

    def drop(self) -> None:
        """End it where it stands."""
        self._end = DroppedError
        self._go.release()

    def _run(self) -> None:
        self._go.acquire()
        try:
            self._body()
        except BaseException as failure:  # raised again where it is waited for
            self._failure = failure
        self._back.release()


@dataclass
class Latches:
    """The latches that are open, and who stands at the others: latch and flight, in order of arrival."""

    open: set[str] = field(default_factory=set)
    standing: list[tuple[str, Flight]] = field(default_factory=list)
    current: Flight | None = None
    """The flight that runs, None while the program does."""

    def start(self, name: str, body: Callable[[], None]) -> None:
        """Run a body beside the program until it stands still or is over."""
        self._go_on(Flight(name, body))

    def wait(self, latch: str) -> None:
        """Stand at a closed latch; called from inside a flight."""
        flight = self.current
        if flight is None:
            raise RuntimeError(f"the program would wait at {latch!r} for itself")
        self.standing.append((latch, flight))
        flight.stand()

    def lift(self, latch: str) -> None:
        """Open a latch: who stands at it goes on, in order of arrival, one after the other."""
        self.open.add(latch)
        ready = [entry for entry in self.standing if entry[0] == latch]
        self.standing = [entry for entry in self.standing if entry[0] != latch]
        for _, flight in ready:
            self._go_on(flight)

    def cancel(self, name: str) -> None:
        """Cancel the flight of this name, where it stands at a latch."""
        for entry in [entry for entry in self.standing if entry[1].name == name]:
            self.standing.remove(entry)
            entry[1].cancel()
            self._go_on(entry[1])

    def lift_all(self) -> None:
        """Open what anyone stands at, until nobody does."""
        while self.standing:
            self.lift(self.standing[0][0])

    def drop_all(self) -> None:
        """End who still stands: what went before was no scenario."""
        for _, flight in self.standing:
            flight.drop()

    def _go_on(self, flight: Flight) -> None:
        self.current = flight
        flight.go_on()
        self.current = None
