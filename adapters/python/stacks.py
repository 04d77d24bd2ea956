"""Scope stacks of nemo-relay: each context has one of its own, and one may be made of what another process was told.

Enters: steps, what was taken down. Leaves: contexts, and what another process is told, as JSON. Must not know
scenarios.
"""

from __future__ import annotations

import contextvars
import json
from collections.abc import Callable as Function
from functools import partial
from typing import Any

from bindproof_adapter import Unsupported

Json = Any

CAPTURING = {
    "usual": "capture_propagation_context",
    "rootless": "capture_rootless_propagation_context",
    "rooted": "capture_propagation_context_with_root",
    "traceparent": "capture_traceparent",
}
"""What a step captures → the package's function."""


_WITHIN: contextvars.ContextVar[Any] = contextvars.ContextVar("within", default=None)
"""What the context that is gone on in was made of."""


class Stacks:
    """The part of a binding that is about scope stacks."""

    _relay: Any

    def fresh_scope(self) -> None:
        """Make the new context's own scope stack; the package creates one where a context has none."""
        self._relay.get_scope_stack()

    own_scope = fresh_scope

    def context(self) -> tuple[contextvars.Context, Function[[], None]]:
        """Begin a context of Python's own, as each task may have; the package gives it a scope stack when it needs one.

        Nothing leads back: which stack is the current one goes by Python's context.
        """
        return contextvars.Context(), lambda: None

    def capture(self, step: Json) -> Json:
        """Take down where the program stands, by the function that the step names."""
        name = CAPTURING[step["what"]]
        if not hasattr(self._relay, name):
            raise Unsupported("capture", f"this release has no {name}")
        found = getattr(self._relay, name)(*([] if step["root"] is None else [step["root"].uuid]))
        return found if isinstance(found, str) else json.loads(found.to_json())

    def received(self, captured: Json) -> tuple[contextvars.Context, Function[[], None]]:
        """Begin a context of Python's own, and use in it the scope stack that is made of what was taken down."""
        told = self._relay.PropagationContext.from_json(json.dumps(captured))
        using = self._relay.use_scope_stack(self._relay.create_scope_stack_from_propagation(told))
        context = contextvars.Context()
        context.run(using.__enter__)
        context.run(_WITHIN.set, using)

        def back() -> None:
            leave = partial(using.__exit__, None, None, None)
            leave() if _WITHIN.get() is using else context.run(leave)  # a step leaves it from inside

        return context, back
