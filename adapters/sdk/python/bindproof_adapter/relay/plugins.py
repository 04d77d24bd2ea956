"""The plugins of one scenario, from when they are installed until they are taken back.

Enters: a binding, what a plugin does. Leaves: nothing. Must not know steps.
"""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Sequence

from bindproof_adapter.relay.binding import Binding, Installing, SetUp
from bindproof_adapter.signals import Unsupported


class Plugins:
    """What takes back the plugins that a step installed, by its id."""

    def __init__(self, binding: Binding) -> None:
        self._binding = binding
        self.installed: dict[str, Callable[[], Awaitable[None]]] = {}

    async def install(self, name: str, plugins: Sequence[str], set_up: SetUp) -> None:
        """Install plugins, each of which calls `set_up`; raises Unsupported where there are none."""
        if not isinstance(self._binding, Installing):
            raise Unsupported("plugin", "a program installs no plugins here")
        self.installed[name] = await self._binding.install(plugins, set_up)

    async def uninstall(self, name: str) -> None:
        """Take back what a step installed."""
        await self.installed.pop(name)()

    async def uninstall_all(self) -> None:
        """Take back what is still installed; what cannot be taken back stays registered."""
        for name in list(self.installed):
            with contextlib.suppress(Exception):
                await self.uninstall(name)
