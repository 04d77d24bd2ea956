"""The gates of one scenario: what each decides, what it was given, and what takes it back.

Enters: a binding, steps. Leaves: nothing. How often a gate is asked is open: what it was given is noted once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bindproof_adapter.relay.binding import Binding, Gating, Undo
from bindproof_adapter.relay.listing import effective_of
from bindproof_adapter.relay.script import ScriptedError
from bindproof_adapter.signals import Unsupported

Json = Any


class Gates:
    """What takes back each gate, by its step, beside what it was given."""

    def __init__(self, binding: Binding) -> None:
        self._binding = binding
        self.registered: dict[str, tuple[Undo, list[Json]]] = {}

    def register(self, step: Json) -> Undo:
        """Register a gate; return what takes it back. Raises Unsupported where there are none."""
        if not isinstance(self._binding, Gating):
            raise Unsupported("gate", "a program registers no gates here")
        given: list[Json] = []
        target, whose = step["target"], {}
        if step["plugin"] is not None:
            whose = {"name": step["target"], "plugin": step["plugin"]}
            target = effective_of(self._binding, step["families"][0], **whose)

        def decide(families: Sequence[str], name: str) -> str | None:
            asked = {"families": sorted(families), "name": name, **(whose if name == target else {})}
            if asked not in given:
                given.append(asked)
            if step["raises"] is not None:
                raise ScriptedError(step["raises"])
            reason: str | None = step["reason"]
            return reason

        undo = self._binding.gate({**step, "target": target}, decide)
        self.registered[step["as"]] = undo, given
        return undo


def taken_back(gate: tuple[Undo, list[Json]]) -> Json:
    """Take a gate back; return whether it was there, and what it was given."""
    undo, given = gate
    return {"was": undo(), "given": list(given)}
