"""The contexts of a scenario: each has a scope stack of its own, and what is done in it is done in a task of its own.

Enters: a binding, what is to be done. Leaves: nothing. Must not know steps or logs.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Coroutine
from typing import Any

from bindproof_adapter.relay.binding import Back, Binding, Isolating, Propagating
from bindproof_adapter.signals import Unsupported

Json = Any

TURNS = ("context", "back")
"""The steps that begin a context and leave it."""


class Contexts:
    """The contexts that the program has begun and not left yet, the innermost last."""

    def __init__(self, binding: Binding) -> None:
        self._binding = binding
        self._begun: list[tuple[contextvars.Context, Back]] = []

    def act(self, kind: str, captured: Json) -> None:
        """Begin a context, in which all goes on, or leave the innermost; raises Unsupported where there are none.

        captured: what the context is made of, None: of nothing.
        """
        if kind == "back":
            self._leave()
        elif captured is not None:
            self._begun.append(self._propagating().received(captured))
        elif isinstance(self._binding, Isolating):
            self._begun.append(self._binding.context())
        else:
            raise Unsupported("context", "a program has one scope stack here")

    def capture(self, step: Json) -> Json:
        """Return what another process is told of where the program stands; raises Unsupported where it cannot be."""
        return self._propagating().capture(step)

    def _propagating(self) -> Propagating:
        if not isinstance(self._binding, Propagating):
            raise Unsupported("capture", "a program cannot tell another process where it stands")
        return self._binding

    def _leave(self) -> None:
        self._begun.pop()[1]()

    def leave_all(self) -> None:
        """Leave the contexts that nobody has left."""
        while self._begun:
            self._leave()

    async def do(self, doing: Coroutine[Any, Any, None]) -> None:
        """Do something in the context that the program is in."""
        if self._begun:
            await asyncio.get_running_loop().create_task(doing, context=self._begun[-1][0])
        else:
            await doing
