"""What a program asks its binding: which scope is the current one, and what an object that it builds says.

Enters: a binding, steps. Leaves: what it says, as JSON. Must not know logs.
"""

from __future__ import annotations

from typing import Any

from bindproof_adapter.relay.binding import Binding, Building, Scoped
from bindproof_adapter.signals import Unsupported

Json = Any


def current(binding: Binding) -> Json:
    """Return what the binding says is the current scope; raises Unsupported where it cannot be asked."""
    if not isinstance(binding, Scoped):
        raise Unsupported("current", "a program cannot ask which scope is the current one")
    return binding.current()


def built(binding: Binding, step: Json) -> Json:
    """Return what an object says that the binding builds; raises Unsupported where it builds none."""
    if not isinstance(binding, Building):
        raise Unsupported("build", "a program builds no objects of the binding here")
    return binding.build(step)
