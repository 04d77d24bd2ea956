"""A scripted callback and a subscriber's sink: what an adapter's functions hand their arguments to.

Enters: what the binding gave, as JSON. Leaves: the reply, as JSON or built with the binding's constructors. Must not
know any binding's types.
"""

from __future__ import annotations

from collections.abc import Callable as Function
from collections.abc import Sequence
from typing import Any

from bindproof_adapter import script
from bindproof_adapter.recorder import Recorder
from bindproof_adapter.signals import ScriptedError, Stop
from bindproof_adapter.values import copy

Json = Any


class Callback:
    """One callback of one scenario. `ops` change its natural reply; `act` acts a step from inside it."""

    def __init__(self, name: str, ops: Sequence[Json], recorder: Recorder, act: Function[[Json], None]) -> None:
        self.name = name
        self._ops = ops
        self._recorder = recorder
        self._act = act

    def play(self, given: Json, natural: Json, build: Function[[Json], Any] = lambda reply: reply) -> Any:
        """Record the entry, let the ops change a copy of `natural`, build the reply, record it and return it.

        `build` turns JSON into the binding's own object; if that raises, the refusal is recorded and goes on. Raises
        what the script raises.
        """
        k = self._recorder.enter(self.name, given)
        try:
            known = {**self._recorder.values, "given": given}
            reply = script.perform(self.name, self._ops, copy(natural), known, self._act)
        except ScriptedError as error:
            self._recorder.raising(self.name, k, error)
            raise
        except Stop as stop:
            self._recorder.stop(stop)
            raise
        try:
            built = build(reply)
        except Stop as stop:
            self._recorder.stop(stop)
            raise
        except BaseException as error:
            self._recorder.refused(self.name, k, reply, error)
            raise
        self._recorder.leave(self.name, k, reply)
        return built


class Sink:
    """Where the events of one subscriber go."""

    def __init__(self, name: str, recorder: Recorder) -> None:
        self.name = name
        self._recorder = recorder

    def put(self, event: Json) -> None:
        """Record one event."""
        self._recorder.event(self.name, event)
