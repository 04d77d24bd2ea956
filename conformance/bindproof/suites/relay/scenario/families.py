"""What can be registered: the families of callbacks, and what is common to some of them.

Enters: nothing. Leaves: names. Must not know scenarios.
"""

from __future__ import annotations

from typing import Final, Literal

Family = Literal[
    "subscriber",
    "llm.request",
    "llm.conditional",
    "llm.execution",
    "llm.stream",
    "llm.sanitize_request",
    "llm.sanitize_response",
    "tool.request",
    "tool.conditional",
    "tool.execution",
    "tool.sanitize_request",
    "tool.sanitize_response",
    "mark.sanitize",
    "start.sanitize",
    "end.sanitize",
    "event.metadata",
]
"""What can be registered."""

CONDITIONALS: Final[tuple[Family, ...]] = ("llm.conditional", "tool.conditional")
"""Families whose callbacks answer whether a call may go on."""

QUEUED = (
    "llm.sanitize_request",
    "llm.sanitize_response",
    "tool.sanitize_request",
    "tool.sanitize_response",
    "mark.sanitize",
    "start.sanitize",
    "end.sanitize",
    "event.metadata",
)
"""Families whose callbacks run when an event is published, which may be after the step that emitted it."""

BEFORE: Final[tuple[Family, ...]] = ("llm.request", "llm.conditional", "tool.request", "tool.conditional")
"""Families whose callbacks run before a call starts: what cannot be called leaves no record, and the call none either.

A call that fails later has started, which nothing would show.
"""

AROUND: Final[tuple[Family, ...]] = ("llm.execution", "tool.execution")
"""Families whose callbacks wrap the execution, and may go on with the op `next`."""

STREAMING = "llm.stream"
"""The family whose callbacks wrap a stream: they may go on with `next`, and hand over chunks."""

OF_ONE_KIND = (*AROUND, STREAMING, "subscriber")
"""Families whose callbacks are of one kind, so that `async` says nothing of them."""
