"""The blocks of a scenario: scopes that the language's own form keeps open, and how each is left.

Enters: a binding, the steps that begin and end blocks. Leaves: handles; what has to pass out of a block is caught here.
Must not know logs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bindproof_adapter.relay.binding import Binding, Leave
from bindproof_adapter.relay.binding import Blocks as Having
from bindproof_adapter.relay.script import ScriptedError
from bindproof_adapter.signals import Unsupported

Json = Any


class Blocks:
    """The blocks that are open. steps: those of the program, which say when each block ends."""

    def __init__(self, binding: Binding, steps: Sequence[Json]) -> None:
        self._binding = binding
        self._open: dict[str, Leave] = {}
        self._ends_at = {step["of"]: step.get("timestamp") for step in steps if step["step"] == "end"}

    def begin(self, step: Json) -> Any:
        """Begin a block; return its scope's handle. Raises Unsupported where the binding has none."""
        if not isinstance(self._binding, Having):
            raise Unsupported("block", "a scope is kept open for a block by nothing here")
        handle, self._open[step["as"]] = self._binding.block(step, self._ends_at.get(step["as"]))
        return handle

    def end(self, step: Json) -> bool:
        """End the block that a step names, by an error where it says so; tell whether it is one that is open."""
        leave = self._open.pop(step["of"], None)
        if leave is not None:
            _leave(leave, step.get("raises"))
        return leave is not None

    def end_all(self) -> None:
        """End the blocks that are open still, the last one first."""
        while self._open:
            self._open.popitem()[1](None)


def _leave(leave: Leave, text: str | None) -> None:
    """End a block, by an error where there is a text, which has to pass out of it."""
    if text is None:
        leave(None)
        return
    error = ScriptedError(text)
    try:
        leave(error)
    except ScriptedError as passed:
        if passed is not error:
            raise
    else:
        raise LookupError("what was raised in the block did not pass out of it")
