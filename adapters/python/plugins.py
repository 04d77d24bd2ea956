"""Plugins of nemo-relay, as a program installs them.

Enters: what plugins register. Leaves: what takes them back. Must not know steps.
"""

from __future__ import annotations

import asyncio
import importlib
import inspect
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

Json = Any

PREFIX = "bindproof-"
KIND = f"{PREFIX}{{}}"
"""A plugin's kind, by its name."""

NO_FILE = "/nonexistent/plugins.toml"
"""In place of the user's own file of plugins, which would be merged in: that none is there is a warning."""


NULL = {"null": None}


@dataclass(frozen=True)
class Part:
    """What a program may state a part of a configuration by."""

    inner: Json


STATED: Json = {"map": NULL, "list": [NULL], "part": Part(NULL)}
"""The configuration that each plugin is installed with."""

GIVEN: Json = {"map": NULL, "list": [NULL], "part": {"inner": NULL}}
"""The same as a plugin has to be given it."""


class Plugin:
    """What the package calls: it refuses another configuration than its own, and registers what it is told to."""

    def __init__(self, register: Callable[[Any], None], given: Json) -> None:
        self._register, self._given = register, given

    def validate(self, config: Json) -> None:
        """Find nothing to say."""

    def register(self, config: Json, context: Any) -> None:
        """Register through the context; called on a thread of the package's own."""
        if config != self._given:
            raise ValueError(f"a plugin that is configured as {self._given} is given {config}")
        self._register(context)


class Idle:
    """A plugin that takes any configuration, and does nothing."""

    def validate(self, config: Json) -> None:
        """Find nothing to say."""

    def register(self, config: Json, context: Any) -> None:
        """Register nothing."""


def name_of(kind: str) -> str:
    """Return the name of the plugin whose kind it is."""
    return kind.removeprefix(PREFIX)


_REHEARSED: set[tuple[str, ...]] = set()
"""Kinds that were asked about together, and answered well: the next scenario of this process need not ask."""


async def install(
    relay: Any, names: Sequence[str], register: Callable[[str, Any], None]
) -> Callable[[], Awaitable[None]]:
    """Install plugins that register by `register`, which is given name and context; return what takes them back."""
    plugin = importlib.import_module(f"{relay.__name__}.plugin")
    layered = "additional_plugins_toml" in inspect.signature(plugin.initialize).parameters  # from 0.9 on
    keeps_nulls = hasattr(plugin, "DynamicPluginKind")  # from 0.6 on
    stated, given = (STATED, GIVEN) if keeps_nulls else ({}, {})
    config = plugin.PluginConfig(
        components=[plugin.ComponentSpec(kind=KIND.format(name), config=stated) for name in names]
    )
    kinds = {KIND.format(name): partial(register, name) for name in names}
    if layered and tuple(kinds) not in _REHEARSED:
        await _rehearse(plugin, config, list(kinds))
        _REHEARSED.add(tuple(kinds))
    for kind, of_name in kinds.items():
        plugin.register(kind, Plugin(of_name, given))
    try:
        active = await plugin.initialize(config, *([NO_FILE] if layered else []))  # from 0.9 on it owns the plugins
    except BaseException:
        for kind in kinds:
            plugin.deregister(kind)
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
        _forget(plugin, list(kinds))

    return take_back


async def _rehearse(plugin: Any, config: Any, kinds: list[str]) -> None:
    """Ask whether the plugins' kinds and configuration are known, and activate them for a block in which they do
    nothing.

    The configuration is a program's own in one question, and that of a file in the other and in the block. Raises
    LookupError where an answer does not have the kinds, so that no plugin is installed.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "plugins.toml")
        components = "".join(f'[[components]]\nkind = "{kind}"\n' for kind in kinds)
        file.write_text(f"version = 1\n{components}", encoding="utf-8")
        for kind in kinds:
            plugin.register(kind, Idle())
        try:
            _must_have(kinds, plugin.list_kinds())
            _must_have(kinds, _kinds_of(plugin.validate_exact(config)))
            _must_have(kinds, _kinds_of(plugin.validate(plugin.PluginConfig(), file)))
            async with plugin.activate(plugin.PluginConfig(), file) as active:
                _must_have(kinds, _kinds_of(active.report))
        finally:
            _forget(plugin, kinds)


def _forget(plugin: Any, kinds: list[str]) -> None:
    """Take kinds back; raises LookupError where that says that one was none."""
    gone = [kind for kind in kinds if not plugin.deregister(kind)]
    if gone:
        raise LookupError(f"the kinds {gone} were registered, and are not there to be taken back")


def _kinds_of(report: Json) -> list[str]:
    """Return the kinds of the plugins that a report says are configured."""
    return [component["kind"] for component in report["resolved_config"]["components"]]


def _must_have(kinds: list[str], said: list[str]) -> None:
    if not set(kinds) <= set(said):
        raise LookupError(f"the kinds {kinds} are not all among {said}")
