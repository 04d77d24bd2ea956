"""The C library of NeMo Relay as a host of plugins, under the names that the Python package has.

Enters: the loaded library. Leaves: managed calls, subscribers, and plugins that a file tells of. Must not know steps.
"""

from __future__ import annotations

from collections.abc import Callable as Function
from dataclasses import dataclass
from typing import Any

from bindproof_adapter.relay import at_once
from bindproof_c import Library, c_string, plain

Json = Any
Pointer = Any


@dataclass(frozen=True)
class LLMRequest:
    """What a provider is asked."""

    headers: Json
    content: Json


class Calls:
    """Managed calls; each blocks, and its provider runs meanwhile."""

    def __init__(self, library: Library) -> None:
        self._library, self._null = library, library.null
        self._provider = library.callback("NemoRelayLlmExecCb", library.answering(self._provided))

    async def execute(self, name: str, request: LLMRequest, provider: Function[..., Any]) -> Json:
        """Make a call; raises StatusError where it fails."""
        null, asked = self._null, {"headers": request.headers, "content": request.content}
        more = (null, 0, null, null, null, null, null, null, null, null)
        words = (c_string("name", name), plain(asked), self._provider, *self._library.hold(provider), *more)
        return self._library.answer(self._library.calls.nemo_relay_llm_call_execute, *words)

    def _provided(self, provider: Function[..., Any], request: Pointer) -> bytes:
        return plain(at_once(provider(LLMRequest(**self._library.json(request)))))


@dataclass(frozen=True)
class Event:
    """What a subscriber is told."""

    text: str

    def to_json(self) -> str:
        """Return it as JSON text."""
        return self.text


class Subscribers:
    """Subscribers of everything, by their names."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._callback = library.callback("NemoRelayEventSubscriberCb", self._told)

    def register(self, name: str, told: Function[[Event], None]) -> None:
        """Have it told of each event; raises StatusError where the name is taken."""
        put = self._library.calls.nemo_relay_register_subscriber
        self._library.check(put(name.encode(), self._callback, *self._library.hold(told)))

    def deregister(self, name: str) -> None:
        """Take it away, if it is there."""
        self._library.calls.nemo_relay_deregister_subscriber(name.encode())

    async def flush_async(self) -> None:
        """Wait until all is told."""
        self._library.check(self._library.calls.nemo_relay_flush_subscribers())

    def _told(self, told: Function[[Event], None], event: Pointer) -> None:
        told(Event(self._library.owned(self._library.calls.nemo_relay_event_json(event))))


class Plugins:
    """Plugins that a file tells of."""

    def __init__(self, library: Library) -> None:
        self._library = library

    async def initialize(self, config: Json, additional_plugins_toml: str) -> Active:
        """Load them; raises StatusError where that fails."""
        active = self._library.ffi.new("struct FfiPluginHostActivation **")
        words = (plain(config), additional_plugins_toml.encode(), active)
        self._library.answer(self._library.calls.nemo_relay_plugin_initialize, *words)
        return Active(self._library, active)


@dataclass(frozen=True)
class Active:
    """Plugins that are active."""

    library: Library
    held: Pointer

    def close(self) -> None:
        """End them, and free what stands for them; raises StatusError where a plugin fails."""
        try:
            self.library.check(self.library.calls.nemo_relay_plugin_host_activation_close(self.held[0]))
        finally:
            self.library.calls.nemo_relay_plugin_host_activation_free(self.held)


class LibraryHost:
    """The library under the names of the Python package."""

    LLMRequest = LLMRequest

    def __init__(self, library: Library) -> None:
        self._library = library
        self._stack: Pointer = None
        self.llm, self.subscribers, self.plugin = Calls(library), Subscribers(library), Plugins(library)

    def get_scope_stack(self) -> None:
        """Bind a new scope stack to this thread."""
        calls = self._library.calls
        create, free = calls.nemo_relay_scope_stack_create, "nemo_relay_scope_stack_free"
        self._stack = self._library.made(create, "FfiScopeStack", free)
        self._library.check(calls.nemo_relay_scope_stack_set_thread(self._stack))
