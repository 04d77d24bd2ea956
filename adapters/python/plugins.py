"""A plugin of nemo-relay, as a program installs one.

Enters: what a plugin registers. Leaves: what takes it back. Must not know steps.
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Awaitable, Callable
from typing import Any

Json = Any

KIND = "bindproof"
"""The plugin's kind; there is one at a time."""

CONFIG = {"version": 1, "components": [{"kind": KIND, "enabled": True, "config": {}}]}


class Plugin:
    """What the package calls: it validates any configuration, and registers what it is told to."""

    def __init__(self, register: Callable[[Any], None]) -> None:
        self._register = register

    def validate(self, config: Json) -> None:
        """Find nothing to say."""

    def register(self, config: Json, context: Any) -> None:
        """Register through the context; called on a thread of the package's own."""
        self._register(context)


async def install(relay: Any, register: Callable[[Any], None]) -> Callable[[], Awaitable[None]]:
    """Install a plugin that registers by `register`, which is given the context; return what takes it back."""
    plugin = importlib.import_module(f"{relay.__name__}.plugin")
    plugin.register(KIND, Plugin(register))
    try:
        active = await plugin.initialize(CONFIG)  # from 0.9 on what is returned owns the plugin
    except BaseException:
        plugin.deregister(KIND)
        raise

    async def take_back() -> None:
        if hasattr(active, "close"):
            await active.close()
        elif hasattr(plugin, "clear_async"):
            await plugin.clear_async()
        else:  # where events are still to be delivered, 0.5 may never come back from this
            await asyncio.to_thread(relay.subscribers.flush)
            await asyncio.to_thread(plugin.clear)
        plugin.deregister(KIND)

    return take_back
