"""A plugin of nemo-relay, as a program installs one.

Enters: what a plugin registers. Leaves: what takes it back. Must not know steps.
"""

from __future__ import annotations

import asyncio
import importlib
import inspect
from collections.abc import Awaitable, Callable
from typing import Any

Json = Any

KIND = "bindproof"
"""The plugin's kind; there is one at a time."""

NO_FILE = "/nonexistent/plugins.toml"
"""In place of the user's own file of plugins, which would be merged in: that none is there is a warning."""


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
        layered = "additional_plugins_toml" in inspect.signature(plugin.initialize).parameters
        config = plugin.PluginConfig(components=[plugin.ComponentSpec(kind=KIND)])
        active = await plugin.initialize(config, *([NO_FILE] if layered else []))  # from 0.9 on it owns the plugin
    except BaseException:
        plugin.deregister(KIND)
        raise

    async def take_back() -> None:
        if hasattr(active, "__aexit__"):  # what ends a block that it is entered for, and closes it
            await active.__aexit__(None, None, None)
        elif hasattr(active, "close"):
            await active.close()
        elif hasattr(plugin, "clear_async"):
            await plugin.clear_async()
        else:  # where events are still to be delivered, 0.5 may never come back from this
            await asyncio.to_thread(relay.subscribers.flush)
            await asyncio.to_thread(plugin.clear)
        plugin.deregister(KIND)

    return take_back
