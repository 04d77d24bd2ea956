"""The log of one scenario: facts in the order seen, under one lock.

Enters: facts, from any thread. Leaves: the log, the values of finished steps, what stopped the scenario, and facts that
came too late. Must not know any binding, nor what the facts mean.
"""

from __future__ import annotations

import threading
from typing import Any

from bindproof_adapter.signals import Stop

Json = Any


class Recorder:
    """Takes the facts of one scenario; after `settle` everything goes to the list of strays that it was given."""

    def __init__(self, strays: list[Json]) -> None:
        self.log: list[Json] = []
        self.values: dict[str, Json] = {}
        self.stopped: Stop | None = None
        self._strays = strays
        self._lock = threading.Lock()
        self._entries: dict[str, int] = {}
        self._told: dict[str, int] = {}
        self._raised: list[tuple[BaseException, str]] = []
        self._settled = False

    def enter(self, callback: str, given: Json) -> int:
        """Record that a callback was called; return which call of it this is, counted from 0."""
        with self._lock:
            k = self._entries.get(callback, 0)
            self._entries[callback] = k + 1
            self._append({"fact": "enter", "callback": callback, "k": k, "given": given})
        return k

    def leave(self, callback: str, k: int, reply: Json) -> None:
        """Record the reply that is about to be handed to the binding."""
        self._add({"fact": "leave", "callback": callback, "k": k, "reply": reply})

    def raising(self, callback: str, k: int, error: BaseException) -> None:
        """Record that the callback is about to raise `error`."""
        self._raised.append((error, callback))
        self._add({"fact": "leave", "callback": callback, "k": k, "raised": str(error)})

    def refused(self, callback: str, k: int, reply: Json, error: BaseException) -> None:
        """Record that the binding's own constructor refused the callback's reply."""
        self._raised.append((error, callback))
        described = {"type": type(error).__name__, "message": str(error)}
        self._add({"fact": "refused", "callback": callback, "k": k, "reply": reply, "error": described})

    def asking(self, callback: str, k: int, argument: Json) -> None:
        """Record that a callback is about to go on with what it wraps."""
        self._add({"fact": "next", "callback": callback, "k": k, "given": argument})

    def answered(self, callback: str, k: int, value: Json) -> None:
        """Record what going on gave."""
        self._add({"fact": "answer", "callback": callback, "k": k, "value": value})

    def unanswered(self, callback: str, k: int, error: BaseException) -> None:
        """Record the exception that going on ended with."""
        self._add({"fact": "answer", "callback": callback, "k": k, "error": self._described(error)})

    def waiting(self, callback: str, k: int, latch: str) -> None:
        """Record that a callback stands at a closed latch."""
        self._add({"fact": "wait", "callback": callback, "k": k, "latch": latch})

    def resumed(self, callback: str, k: int) -> None:
        """Record that a callback that stood at a latch goes on."""
        self._add({"fact": "resume", "callback": callback, "k": k})

    def cancelled(self, callback: str, k: int) -> None:
        """Record that a callback is told that its call is cancelled."""
        self._add({"fact": "cancelled", "callback": callback, "k": k})

    def chunk(self, callback: str, k: int, value: Json) -> None:
        """Record a chunk that is about to be handed to the binding."""
        self._add({"fact": "chunk", "callback": callback, "k": k, "value": value})

    def over(self, callback: str, k: int, error: BaseException | None = None, *, closed: bool = False) -> None:
        """Record the end of a callback's stream: its own, by an exception, or because it was closed."""
        if error is not None:
            self._raised.append((error, callback))
        end = {"how": "closed" if closed else "ended"} if error is None else {"raised": str(error)}
        self._add({"fact": "over", "callback": callback, "k": k, **end})

    def read(self, step: str, value: Json) -> None:
        """Record a chunk that a reader got."""
        self._add({"fact": "read", "step": step, "value": value})

    def event(self, subscriber: str, event: Json) -> int:
        """Record an event as the binding serialised it; return which one of this subscriber's it is, counted from 0."""
        with self._lock:
            k = self._told.get(subscriber, 0)
            self._told[subscriber] = k + 1
            self._append({"fact": "event", "subscriber": subscriber, "event": event})
        return k

    def done(self, step: str, value: Json) -> None:
        """Record what a finished step gave."""
        self.values[step] = value
        self._add({"fact": "done", "step": step, "value": value})

    def failed(self, step: str, error: BaseException) -> None:
        """Record the exception that a step ended with, and whose exception object it is."""
        self._add({"fact": "done", "step": step, "error": self._described(error)})

    def _described(self, error: BaseException) -> Json:
        code = getattr(error, "code", None)
        return {
            "type": type(error).__name__,
            "message": str(error),
            "code": code if isinstance(code, str) else None,
            "same_as": next((callback for raised, callback in self._raised if raised is error), None),
        }

    def measure(self, name: str, value: Json) -> None:
        """Record what was counted of a step, once all is cleared up."""
        self._add({"fact": "measure", "name": name, "value": value})

    def stop(self, stop: Stop) -> None:
        """Keep the first reason why the scenario cannot go on; it outlives whatever the binding makes of it."""
        if self.stopped is None:
            self.stopped = stop

    def settle(self) -> None:
        """Record the end; nothing follows it."""
        with self._lock:
            self._append({"fact": "settled"})
            self._settled = True

    def _add(self, fact: Json) -> None:
        with self._lock:
            self._append(fact)

    def _append(self, fact: Json) -> None:
        (self._strays if self._settled else self.log).append(fact)
