"""Gates as the Python SDK registers them: what each was given is noted once, and what it raises the binding gets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bindproof_adapter import Unsupported
from bindproof_adapter.relay import ScriptedError
from bindproof_adapter.relay.binding import Decide
from bindproof_adapter.relay.gates import Gates, taken_back
from tests.adapters import toy

Json = Any

GATE: Json = {"as": "g", "name": "g", "families": ["tool.request"], "target": "i", "reason": "ill", "raises": None}


class Binding:
    """It keeps what decides."""

    def __init__(self) -> None:
        self.decide: Decide = lambda families, name: None
        self.there = False

    def gate(self, step: Json, decide: Decide) -> Callable[[], bool]:
        self.decide, self.there = decide, True

        def undo() -> bool:
            was, self.there = self.there, False
            return was

        return undo


def registered(step: Json) -> tuple[Binding, Gates]:
    binding: Any = Binding()
    gates = Gates(binding)
    gates.register(step)
    return binding, gates


def test_what_a_gate_was_given_is_noted_once() -> None:
    binding, gates = registered(GATE)

    assert [binding.decide(["tool.request", "llm.request"], "i") for _ in range(2)] == ["ill", "ill"]
    assert taken_back(gates.registered["g"]) == {
        "was": True,
        "given": [{"families": ["llm.request", "tool.request"], "name": "i"}],
    }
    assert taken_back(gates.registered["g"])["was"] is False


def test_a_gate_raises_what_it_is_told_to() -> None:
    binding, _ = registered({**GATE, "reason": None, "raises": "boom-1!"})

    with pytest.raises(ScriptedError, match="boom-1!"):
        binding.decide(["tool.request"], "i")


def test_a_binding_without_gates_says_so() -> None:
    with pytest.raises(Unsupported):
        Gates(toy.toy()).register(GATE)
