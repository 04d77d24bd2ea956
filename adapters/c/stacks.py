"""Scope stacks of the C library: each context binds one to the thread, and one may be made of what was captured.

Enters: a library, steps. Leaves: contexts, and what another process is told, as JSON. Must not know scenarios.
"""

from __future__ import annotations

import contextvars
from collections.abc import Callable as Function
from typing import Any

from bindproof_adapter import Unsupported
from bindproof_c import Library, plain

Json = Any

CAPTURING = {
    "usual": "nemo_relay_capture_propagation_context_json",
    "rootless": "nemo_relay_capture_rootless_propagation_context_json",
    "rooted": "nemo_relay_capture_propagation_context_with_root_json",
    "traceparent": "nemo_relay_capture_traceparent",
}
"""What a step captures → the library's function."""


class Stacks:
    """The part of a binding that is about scope stacks."""

    def __init__(self, library: Library) -> None:
        self._library, self._calls = library, library.calls
        self._stack = library.null

    def fresh_scope(self) -> None:
        """Bind a new scope stack to this thread."""
        self._stack = self._new_stack()
        self.same_scope()

    def own_scope(self) -> None:
        """Bind a new scope stack to this thread, which keeps it."""
        self._library.check(self._calls.nemo_relay_scope_stack_set_thread(self._new_stack()))

    def _new_stack(self) -> Any:
        create = self._calls.nemo_relay_scope_stack_create
        return self._library.made(create, "FfiScopeStack", "nemo_relay_scope_stack_free")

    def same_scope(self) -> None:
        """Bind the scenario's scope stack to this thread too."""
        self._library.check(self._calls.nemo_relay_scope_stack_set_thread(self._stack))

    def context(self) -> tuple[contextvars.Context, Function[[], None]]:
        """Bind a new scope stack to this thread; the one before is bound again in the end."""
        return self._bound(self._new_stack())

    def capture(self, step: Json) -> Json:
        """Take down where the program stands, by the function that the step names."""
        function = getattr(self._calls, CAPTURING[step["what"]], None)
        if function is None:
            raise Unsupported("capture", f"this release has no {CAPTURING[step['what']]}")
        root = [] if step["root"] is None else [self._calls.nemo_relay_scope_handle_uuid(step["root"])]
        try:
            return self._captured(step["what"], function, *root)
        finally:
            for uuid in root:
                self._calls.nemo_relay_string_free(uuid)

    def _captured(self, what: str, function: Function[..., int], *root: Any) -> Json:
        if what != "traceparent":
            return self._library.answer(function, *root)
        out = self._library.ffi.new("char **")
        self._library.check(function(out))
        return self._library.owned(out[0])

    def received(self, captured: Json) -> tuple[contextvars.Context, Function[[], None]]:
        """Bind a scope stack that is made of what was captured; the one before is bound again in the end."""
        create = self._calls.nemo_relay_scope_stack_create_from_propagation_json
        made = self._library.made(create, "FfiScopeStack", "nemo_relay_scope_stack_free", plain(captured))
        return self._bound(made)

    def _bound(self, stack: Any) -> tuple[contextvars.Context, Function[[], None]]:
        around, self._stack = self._stack, stack
        self.same_scope()

        def back() -> None:
            self._stack = around
            self.same_scope()

        return contextvars.copy_context(), back
