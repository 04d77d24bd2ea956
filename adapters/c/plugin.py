"""A plugin of the program's own: it registers what it is told to.

Enters: what registers through a plugin's context. Leaves: what takes the plugin back. Must not know steps.
"""

from __future__ import annotations

from collections.abc import Callable as Function
from typing import Any

from bindproof_adapter import Unsupported
from bindproof_c import Library, plain

Json = Any
Pointer = Any
Register = Function[[Pointer], None]
"""Registers through the context that it is given."""

KIND = "bindproof"
"""The plugin's kind; there is one at a time."""

CONFIG = plain({"version": 1, "components": [{"kind": KIND, "enabled": True, "config": {}}]})
NO_FILE = b"/nonexistent/plugins.toml"
"""In place of the user's own file of plugins, which would be merged in: that none is there is a warning."""

ANNOUNCE = "int32_t(*)(const char *, void *, NemoRelayPluginRegisterCb, void *, NemoRelayFreeFn)"
"""The type of the function that makes a plugin known. The header gives its callback that validates a type that it
leaves incomplete, `struct Option_NemoRelayPluginValidateCb`: as it is declared no C program can call it."""


class Plugin:
    """The plugin, which finds any configuration valid."""

    def __init__(self, library: Library) -> None:
        self._library, self._calls = library, library.calls
        self._announce = library.cast("nemo_relay_register_plugin", ANNOUNCE)
        self._callback: Pointer = None
        if self._announce is not None:
            self._callback = library.callback("NemoRelayPluginRegisterCb", library.reporting(self._asked))

    def install(self, register: Register) -> Function[[], None]:
        """Install the plugin, which registers by `register`; return what takes it back."""
        if self._announce is None:
            raise Unsupported("plugin", "this release takes no plugins")
        kind, check = KIND.encode(), self._library.check
        check(self._announce(kind, self._library.null, self._callback, *self._library.hold(register)))
        try:
            close = self._initialize()
        except BaseException:
            self._calls.nemo_relay_deregister_plugin(kind)
            raise

        def take_back() -> None:
            try:
                close()
            finally:
                check(self._calls.nemo_relay_deregister_plugin(kind))

        return take_back

    def _initialize(self) -> Function[[], None]:
        """Have the plugin register; return what closes it."""
        calls, check = self._calls, self._library.check
        initialize = getattr(calls, "nemo_relay_plugin_initialize", None)
        if initialize is None:  # before 0.9 the library itself owned what is active
            self._library.answer(calls.nemo_relay_initialize_plugins, CONFIG)
            return lambda: check(calls.nemo_relay_clear_plugin_configuration())
        active = self._library.ffi.new("struct FfiPluginHostActivation **")
        self._library.answer(initialize, CONFIG, NO_FILE, active)

        def close() -> None:
            try:
                check(calls.nemo_relay_plugin_host_activation_close(active[0]))
            finally:
                calls.nemo_relay_plugin_host_activation_free(active)

        return close

    def _asked(self, register: Register, _config: Pointer, context: Pointer) -> None:
        register(context)
