"""Plugins of the program's own: they register what they are told to.

Enters: what registers through a plugin's context. Leaves: what takes the plugins back. Must not know steps.
"""

from __future__ import annotations

from collections.abc import Callable as Function
from collections.abc import Sequence
from functools import partial
from typing import Any

from bindproof_adapter import Unsupported
from bindproof_c import Library, plain

Json = Any
Pointer = Any
Register = Function[[str, Pointer], None]
"""Registers for the plugin of a name, through the context that it is given."""

PREFIX = "bindproof-"
KIND = f"{PREFIX}{{}}"
"""A plugin's kind, by its name."""

NO_FILE = b"/nonexistent/plugins.toml"
"""In place of the user's own file of plugins, which would be merged in: that none is there is a warning."""

ANNOUNCE = "int32_t(*)(const char *, void *, NemoRelayPluginRegisterCb, void *, NemoRelayFreeFn)"
"""The type of the function that makes a plugin known. The header gives its callback that validates a type that it
leaves incomplete, `struct Option_NemoRelayPluginValidateCb`: as it is declared no C program can call it."""


def name_of(kind: str) -> str:
    """Return the name of the plugin whose kind it is."""
    return kind.removeprefix(PREFIX)


class Plugins:
    """The plugins, which find any configuration valid."""

    def __init__(self, library: Library) -> None:
        self._library, self._calls = library, library.calls
        self._announce = library.cast("nemo_relay_register_plugin", ANNOUNCE)
        self._callback: Pointer = None
        if self._announce is not None:
            self._callback = library.callback("NemoRelayPluginRegisterCb", library.reporting(self._asked))

    def install(self, names: Sequence[str], register: Register) -> Function[[], None]:
        """Install plugins, which register by `register`; return what takes them back."""
        if self._announce is None:
            raise Unsupported("plugin", "this release takes no plugins")
        check = self._library.check
        known: list[bytes] = []

        def forget() -> None:
            for kind in known:
                check(self._calls.nemo_relay_deregister_plugin(kind))

        try:
            for name in dict.fromkeys(names):
                kind, own = KIND.format(name).encode(), partial(register, name)
                check(self._announce(kind, self._library.null, self._callback, *self._library.hold(own)))
                known.append(kind)
            components = [{"kind": KIND.format(name), "enabled": True, "config": {}} for name in names]
            close = self._initialize(plain({"version": 1, "components": components}))
        except BaseException:
            forget()
            raise

        def take_back() -> None:
            try:
                close()
            finally:
                forget()

        return take_back

    def _initialize(self, config: Pointer) -> Function[[], None]:
        """Have the plugins register; return what closes them."""
        calls, check = self._calls, self._library.check
        initialize = getattr(calls, "nemo_relay_plugin_initialize", None)
        if initialize is None:  # before 0.9 the library itself owned what is active
            self._library.answer(calls.nemo_relay_initialize_plugins, config)
            return lambda: check(calls.nemo_relay_clear_plugin_configuration())
        active = self._library.ffi.new("struct FfiPluginHostActivation **")
        self._library.answer(initialize, config, NO_FILE, active)

        def close() -> None:
            try:
                check(calls.nemo_relay_plugin_host_activation_close(active[0]))
            finally:
                calls.nemo_relay_plugin_host_activation_free(active)

        return close

    def _asked(self, register: Function[[Pointer], None], _config: Pointer, context: Pointer) -> None:
        register(context)
