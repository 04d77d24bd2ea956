"""What the steps of a scenario register: for each family the callback that a binding's function hands its arguments to.

Enters: a step `register`. Leaves: a callback, or a subscriber's sink. Must not know any binding's types.
"""

from __future__ import annotations

from collections.abc import Callable as Function
from typing import Any

from bindproof_adapter.relay.binding import Awaiting, Binding, Blocking, Streaming
from bindproof_adapter.relay.callback import Around, Asynchronous, Awaited, Blocked, Callback, Sink
from bindproof_adapter.relay.families import AROUND, BEFORE, PUBLISHED, is_awaited
from bindproof_adapter.relay.flight import Latches
from bindproof_adapter.relay.held import Held
from bindproof_adapter.relay.lent import Lent
from bindproof_adapter.relay.recorder import Recorder
from bindproof_adapter.relay.script import waits
from bindproof_adapter.relay.streaming import Flows, Source
from bindproof_adapter.signals import Inexpressible, Unsupported

Json = Any


class Callees:
    """Makes what the steps of one scenario register."""

    def __init__(
        self,
        binding: Binding,
        recorder: Recorder,
        act: Function[[Json], None],
        latches: Latches,
        held: Held,
        lent: Lent,
        flows: Flows,
    ) -> None:
        self._binding = binding
        self._recorder = recorder
        self._act = act
        self._latches = latches
        self._held = held
        self._lent = lent
        self._flows = flows

    def of(self, step: Json) -> Callback | Sink:
        """Return what a step registers; raises Inexpressible or Unsupported where the binding has no such callbacks."""
        name, family, ops = step["as"], step["family"], step["do"]
        if family == "subscriber":
            return Sink(name, ops, self._recorder, self._held.stand)
        if family == "llm.stream":
            streaming(self._binding)
            return Source(name, ops, self._recorder, self._act, self._flows)
        if family in AROUND:
            return self._lent.to(Around(name, ops, self._recorder, self._act, self._latches))
        published = family in PUBLISHED
        name = f"{name}.{PUBLISHED[family]}" if published else name
        latches = self._held if published else self._latches
        if waits(ops) and not step.get("async") and isinstance(self._binding, Blocking):
            return Blocked(name, ops, self._recorder, self._act, latches)
        if not is_awaited(step):
            return Callback(name, ops, self._recorder, self._act)
        if not isinstance(self._binding, Awaiting):
            raise Inexpressible("async", "a callback replies before it comes back")
        if not self._binding.awaits:
            raise Unsupported("async", "callbacks of this release reply before they come back")
        if family in BEFORE or waits(ops):
            return Awaited(name, ops, self._recorder, self._act, latches)
        return Asynchronous(name, ops, self._recorder, self._act)


def streaming(binding: Binding) -> Streaming:
    """Return a binding that opens streams; raises Unsupported for any other."""
    if not isinstance(binding, Streaming):
        raise Unsupported("llm.stream", "streams are not built yet")
    return binding
