"""What execution intercepts are lent to go on with, for steps that try it when they are over.

Enters: the callbacks that wrap executions. Leaves: what going on gives. Must not know steps or logs.
"""

from __future__ import annotations

from typing import Any

from bindproof_adapter.relay.binding import Awaiting, Binding
from bindproof_adapter.relay.callback import Around
from bindproof_adapter.signals import Inexpressible

Json = Any


class Lent:
    """The callbacks of one scenario that wrap an execution."""

    def __init__(self, binding: Binding) -> None:
        self._binding = binding
        self._around: dict[str, Around] = {}

    def to(self, around: Around) -> Around:
        """Keep a callback; return it."""
        self._around[around.name] = around
        return around

    async def go_on(self, name: str) -> Json:
        """Go on, unchanged, with what a callback was lent last; None where it never was entered."""
        if not isinstance(self._binding, Awaiting):
            raise Inexpressible("go_on", "what an intercept goes on with is lent to it until it has answered")
        around = self._around.get(name)
        return None if around is None else await around.go_on()
