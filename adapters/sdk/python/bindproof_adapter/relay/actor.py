"""Acts one scenario after the other through a binding, on a clean slate each time.

Enters: a complete scenario in the binding's own spelling. Leaves: the observation. Must not know the protocol, nor any
binding beyond the `Binding` interface.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections import Counter
from typing import Any

from bindproof_adapter.relay.binding import Binding
from bindproof_adapter.relay.flushing import OUTLIVED
from bindproof_adapter.relay.performance import Performance
from bindproof_adapter.relay.recorder import Recorder

Json = Any


class Actor:
    """A target of `serve` that acts scenarios out with a binding, one at a time, on one event loop."""

    def __init__(self, binding: Binding) -> None:
        self._binding = binding
        self._loop = asyncio.new_event_loop()
        self._strays: list[Json] = []

    def describe(self) -> Json:
        """Return what the binding says of its target."""
        return self._binding.describe()

    def run(self, suite: str, scenario: Json) -> Json:
        """Act `scenario` in a context of its own; return its observation, or raise a Stop."""
        task = self._loop.create_task(self._observe(scenario), context=contextvars.Context())
        return self._loop.run_until_complete(task)

    def close(self) -> None:
        """Close the event loop; a process that ends anyway need not."""
        self._loop.close()

    async def _observe(self, scenario: Json) -> Json:
        recorder = Recorder(self._strays)
        performance = Performance(self._binding, recorder)
        before = Counter(self._binding.registered())
        try:
            self._binding.fresh_scope()
            await performance.act_all(scenario["steps"])
        finally:
            await performance.clear_up()
        left = Counter(self._binding.registered()) - before
        if performance.flushes.stuck:
            left[OUTLIVED] += 1
        if recorder.stopped is not None:
            raise recorder.stopped
        stray, self._strays[:] = list(self._strays), []
        named = [{"family": family, "name": name} for family, name in left.elements()]
        return {"log": recorder.log, "left": named, "stray": stray}
