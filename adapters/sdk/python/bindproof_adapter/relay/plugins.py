"""The plugins of one scenario, from when they are installed until they are taken back.

Enters: a binding, what a plugin does. Leaves: nothing. Must not know steps.
"""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable

from bindproof_adapter.relay.binding import Binding, Installing, Put
from bindproof_adapter.signals import Unsupported


class Plugins:
    """What takes back each plugin that is installed, by its name."""

    def __init__(self, binding: Binding) -> None:
        self._binding = binding
        self.installed: dict[str, Callable[[], Awaitable[None]]] = {}

    async def install(self, name: str, set_up: Callable[[Put], None]) -> None:
        """Install a plugin, which calls `set_up` with what registers; raises Unsupported where there are none."""
        if not isinstance(self._binding, Installing):
            raise Unsupported("plugin", "a program installs no plugins here")
        self.installed[name] = await self._binding.install(set_up)

    async def uninstall(self, name: str) -> None:
        """Take back a plugin that is installed."""
        await self.installed.pop(name)()

    async def uninstall_all(self) -> None:
        """Take back what is still installed; what cannot be taken back stays registered."""
        for name in list(self.installed):
            with contextlib.suppress(Exception):
                await self.uninstall(name)
