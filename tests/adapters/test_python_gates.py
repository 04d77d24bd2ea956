"""Gates as the Python SDK registers them: what each was given is noted once, and what it raises the binding gets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bindproof_adapter import Unsupported
from bindproof_adapter.relay import Listed, ScriptedError
from bindproof_adapter.relay.binding import Decide
from bindproof_adapter.relay.gates import Gates, taken_back
from bindproof_adapter.relay.listing import told
from tests.adapters import toy

Json = Any

GATE: Json = {
    "as": "g",
    "name": "g",
    "families": ["tool.request"],
    "target": "i",
    "plugin": None,
    "reason": "ill",
    "raises": None,
}
LISTING = (
    Listed("tool.request", "i", "i"),
    Listed("tool.request", "i", "runtime:a:i", "a", 1),
    Listed("tool.request", "i", "runtime:b:i", "b", None),
)


class Binding:
    """It keeps what decides."""

    def __init__(self) -> None:
        self.decide: Decide = lambda families, name: None
        self.there = False
        self.target = ""

    def listed(self, family: str | None) -> list[Listed]:
        return [one for one in LISTING if family in (None, one.family)]

    def gate(self, step: Json, decide: Decide) -> Callable[[], bool]:
        self.decide, self.there, self.target = decide, True, step["target"]

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


def test_a_gate_of_a_plugin_finds_the_name_in_the_listing_and_tells_the_plugins() -> None:
    binding, gates = registered({**GATE, "plugin": "b"})

    assert [binding.decide(["tool.request"], name) for name in ("runtime:b:i", "i")] == ["ill", "ill"]
    assert binding.target == "runtime:b:i"
    assert taken_back(gates.registered["g"])["given"] == [
        {"families": ["tool.request"], "name": "i", "plugin": "b"},
        {"families": ["tool.request"], "name": "i"},
    ]


def test_a_gate_of_what_is_not_listed_is_refused() -> None:
    with pytest.raises(LookupError, match="nothing is listed as 'i' of the plugin 'c'"):
        registered({**GATE, "plugin": "c"})


def test_a_listing_says_whose_it_is() -> None:
    binding: Any = Binding()

    assert told(binding, "tool.request") == [
        {"family": "tool.request", "name": "i"},
        {"family": "tool.request", "name": "i", "plugin": "a", "number": 1},
        {"family": "tool.request", "name": "i", "plugin": "b"},
    ]
    assert told(binding, "subscriber") == []


def test_a_gate_raises_what_it_is_told_to() -> None:
    binding, _ = registered({**GATE, "reason": None, "raises": "boom-1!"})

    with pytest.raises(ScriptedError, match="boom-1!"):
        binding.decide(["tool.request"], "i")


def test_a_binding_without_gates_says_so() -> None:
    with pytest.raises(Unsupported):
        Gates(toy.toy()).register(GATE)
