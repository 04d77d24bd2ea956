"""What a program, or a sanitizer, asks a codec.

Enters: a step that asks, and a binding; what a sanitizer is handed. Leaves: what the binding's codec answered, as JSON.
Must not know what a codec reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from bindproof_adapter.relay.binding import Coding
from bindproof_adapter.signals import Unsupported

Json = Any

CODED = ("llm.sanitize_request", "llm.sanitize_response")
"""Families whose callbacks can get the codec of their call."""

_HANDED: ContextVar[Sequence[Any]] = ContextVar("_HANDED", default=())


@contextmanager
def handed(values: Sequence[Any]) -> Iterator[None]:
    """Keep what a sanitizer is handed while it runs: its payload and, where it has one, its context."""
    before = _HANDED.set(values)
    try:
        yield
    finally:
        _HANDED.reset(before)


def in_hand() -> Sequence[Any]:
    """Return what the sanitizer was handed that runs now."""
    return _HANDED.get()


def answered(binding: object, step: Json) -> Json:
    """Return what the codec of a step answers; raises Unsupported where it cannot be asked."""
    if not isinstance(binding, Coding):
        raise Unsupported("codec.asked", "a program cannot ask a codec what it reads and writes")
    return binding.decode(step) if step["step"] == "decode" else binding.encode(step)
