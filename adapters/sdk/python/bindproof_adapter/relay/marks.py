"""A mark, as a binding emits it: by its data, or by the binding's own form for metrics.

Enters: a binding, a step. Leaves: nothing. Must not know logs.
"""

from __future__ import annotations

from typing import Any

from bindproof_adapter.relay.binding import Lifecycles, Measuring
from bindproof_adapter.signals import Unsupported

Json = Any


def emit(binding: Lifecycles, step: Json) -> None:
    """Emit a mark; raises Unsupported where it has measurements and the binding emits none."""
    if step.get("measurements") is None:
        binding.mark(step)
    elif isinstance(binding, Measuring):
        binding.metric(step)
    else:
        raise Unsupported("measurements", "a program emits no metrics here")
