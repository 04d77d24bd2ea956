"""What a program, or a sanitizer, asks a codec.

Enters: a step that asks, and a binding. Leaves: what the binding's codec answered, as JSON. Must not know what a codec
reads.
"""

from __future__ import annotations

from typing import Any

from bindproof_adapter.relay.binding import Coding
from bindproof_adapter.signals import Unsupported

Json = Any


def answered(binding: object, step: Json) -> Json:
    """Return what the codec of a step answers; raises Unsupported where it cannot be asked."""
    if not isinstance(binding, Coding):
        raise Unsupported("codec.asked", "a program cannot ask a codec what it reads and writes")
    return binding.decode(step) if step["step"] == "decode" else binding.encode(step)
