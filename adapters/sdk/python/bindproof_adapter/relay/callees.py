"""What the steps of a scenario register: for each family the callback that a binding's function hands its arguments to.

Enters: a step `register`. Leaves: a callback, or a subscriber's sink. Must not know any binding's types.
"""

from __future__ import annotations

from collections.abc import Callable as Function
from typing import Any

from bindproof_adapter.relay.binding import Awaiting, Binding, Blocking, Streaming
from bindproof_adapter.relay.callback import Around, Asynchronous, Awaited, Blocked, Callback, Sink
from bindproof_adapter.relay.families import BEFORE, is_awaited
from bindproof_adapter.relay.flight import Latches
from bindproof_adapter.relay.lent import Lent
from bindproof_adapter.relay.recorder import Recorder
from bindproof_adapter.relay.script import waits
from bindproof_adapter.relay.streaming import Flows, Source
from bindproof_adapter.signals import Inexpressible, Unsupported

Json = Any

AROUND = ("llm.execution", "tool.execution")
"""Families whose callbacks wrap an execution."""

PUBLISHED = {"event.metadata": "inject"}
"""What follows the step's id in the id of a callback that runs when an event is published; `sanitize` for most."""


class Callees:
    """Makes what the steps of one scenario register."""

    def __init__(
        self,
        binding: Binding,
        recorder: Recorder,
        act: Function[[Json], None],
        latches: Latches,
        lent: Lent,
        flows: Flows,
    ) -> None:
        self._binding = binding
        self._recorder = recorder
        self._act = act
        self._latches = latches
        self._lent = lent
        self._flows = flows

    def of(self, step: Json) -> Callback | Sink:
        """Return what a step registers; raises Inexpressible or Unsupported where the binding has no such callbacks."""
        name, family, ops = step["as"], step["family"], step["do"]
        if family == "subscriber":
            return Sink(name, ops, self._recorder)
        if family == "llm.stream":
            streaming(self._binding)
            return Source(name, ops, self._recorder, self._act, self._flows)
        if family in AROUND:
            return self._lent.to(Around(name, ops, self._recorder, self._act, self._latches))
        if waits(ops) and isinstance(self._binding, Blocking):
            return Blocked(name, ops, self._recorder, self._act, self._latches)
        if family == "event.metadata" or "sanitize" in family:
            name = f"{name}.{PUBLISHED.get(family, 'sanitize')}"
        if not is_awaited(step):
            return Callback(name, ops, self._recorder, self._act)
        if not isinstance(self._binding, Awaiting):
            raise Inexpressible("async", "a callback replies before it comes back")
        if not self._binding.awaits:
            raise Unsupported("async", "callbacks of this release reply before they come back")
        if family in BEFORE:
            return Awaited(name, ops, self._recorder, self._act, self._latches)
        return Asynchronous(name, ops, self._recorder, self._act)


def streaming(binding: Binding) -> Streaming:
    """Return a binding that opens streams; raises Unsupported for any other."""
    if not isinstance(binding, Streaming):
        raise Unsupported("llm.stream", "streams are not built yet")
    return binding
