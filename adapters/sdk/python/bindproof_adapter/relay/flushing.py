"""The flushes of one scenario: a step waits for its own so long and no longer.

Enters: a binding. Leaves: what a flush raised, or that it did not come back. Must not know steps or logs.

A flush that never comes back would cost the scenario its observation, in which another rule than that of a deadline may
have something to look at. What was waited for in vain is not waited for again, and the next scenario needs another
process: that is told by `left`.
"""

from __future__ import annotations

import asyncio

from bindproof_adapter.relay.binding import Binding

PATIENCE_S = 3.0
"""How long a step waits for a flush: events of a scenario are told within milliseconds."""

OUTLIVED = ("flush", "did not come back")
"""What is `left` of a flush that was waited for in vain."""


class Flushes:
    """What became of the flushes so far."""

    def __init__(self, binding: Binding) -> None:
        self._binding = binding
        self.stuck = False
        """Whether one did not come back."""
        self._failed = False

    async def step(self) -> None:
        """Flush as the program says; raises what the binding does, and TimeoutError where that does not come back."""
        try:
            await self._within_patience()
        except Exception:
            self._failed = True
            raise

    async def _within_patience(self) -> None:
        if not self.stuck:
            try:
                async with asyncio.timeout(PATIENCE_S):
                    await self._binding.flush()
            except TimeoutError:
                self.stuck = True
        if self.stuck:
            raise TimeoutError("a flush does not come back")

    async def besides(self) -> None:
        """Flush where no step says so, for as long as it takes; where a step's flush failed it need not succeed."""
        if self.stuck:
            return
        try:
            await self._binding.flush()
        except Exception:
            if not self._failed:
                raise
