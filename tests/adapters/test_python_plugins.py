"""The Python SDK with a binding that takes plugins: what is recorded of one, and what is undone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import closing
from typing import Any

import pytest

from bindproof_adapter import Actor, Put, Sink, Unsupported
from bindproof_adapter import Callback as Scripted
from tests.adapters.bare import Bare

Json = Any


class Bound(Bare):
    """A binding without plugins, which has nothing but registrations."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def register(self, step: Json, callback: Scripted | Sink) -> Callable[[], object]:
        self.names.append(step["name"])
        return lambda: self.names.remove(step["name"])

    async def call_llm(self, step: Json, provider: object, decode: object, encode: object) -> Json: ...

    async def helper(self, step: Json) -> Json: ...

    def registered(self) -> list[tuple[str, str]]:
        return [("llm.request", name) for name in self.names]


class Plugged(Bound):
    """A binding whose plugins take a name once, under their own."""

    def __init__(self) -> None:
        super().__init__()
        self.undone = 0

    async def install(self, set_up: Callable[[Put], None]) -> Callable[[], Awaitable[None]]:
        before = list(self.names)

        def put(step: Json, callback: object) -> None:
            name = f"plugin.{step['name']}"
            if name in self.names:
                raise ValueError("taken")
            self.names.append(name)

        try:
            set_up(put)
        except Exception as error:
            self.names = before
            raise RuntimeError(f"registration failed: {error}") from None

        async def take_back() -> None:
            self.undone += 1
            self.names = before

        return take_back


def register(name: str, **more: Json) -> Json:
    step = {"step": "register", "as": name, "family": "llm.request", "name": "a", "scope": "global", "do": []}
    return step | {"priority": 0, "break_chain": False, "async": False, "odd": None} | more


def install(*ops: Json) -> Json:
    return {"step": "install", "as": "p", "do": list(ops)}


def inside(step: Json) -> Json:
    return {"op": "step", "step": step}


def acted(toy: Bound, *steps: Json) -> Json:
    with closing(Actor(toy)) as actor:
        return actor.run("relay", {"steps": list(steps)})


def facts(observation: Json) -> list[tuple[str, str]]:
    return [(record["fact"], record.get("callback", record.get("step", ""))) for record in observation["log"]]


def test_a_plugin_is_a_callback_with_steps_inside() -> None:
    seen = acted(Plugged(), install(inside(register("i"))), {"step": "uninstall", "as": "u", "of": "p"})
    entered, done, left = ("enter", "p"), ("done", "i"), ("leave", "p")
    assert facts(seen) == [entered, done, left, ("done", "p"), ("done", "u"), ("settled", "")]
    assert seen["log"][0]["given"] == {}
    assert seen["log"][2]["reply"] is None
    assert seen["log"][3]["value"] is None


def test_a_registration_that_fails_is_recorded_and_the_plugin_goes_on() -> None:
    seen = acted(Plugged(), install(inside(register("i")), inside(register("j"))))
    assert seen["log"][2]["error"]["message"] == "taken"
    assert seen["log"][4] == {"fact": "done", "step": "p", "value": None}


def test_a_plugin_that_raises_fails_to_be_installed() -> None:
    toy = Plugged()
    seen = acted(toy, install(inside(register("i")), {"op": "raise", "text": "boom-1!"}))
    assert seen["log"][2]["raised"] == "boom-1!"
    assert seen["log"][3]["error"]["message"] == "registration failed: boom-1!"
    assert not toy.undone
    assert not seen["left"]


def test_a_plugin_that_was_left_is_taken_back() -> None:
    toy = Plugged()
    seen = acted(toy, install(inside(register("i"))))
    assert toy.undone == 1
    assert not seen["left"]


def test_a_plugin_is_taken_back_once() -> None:
    toy = Plugged()
    acted(toy, install(inside(register("i"))), {"step": "uninstall", "as": "u", "of": "p"})
    assert toy.undone == 1


def test_a_binding_without_plugins_says_so() -> None:
    with pytest.raises(Unsupported, match="plugin"):
        acted(Bound(), install())


def test_what_no_plugin_can_register_stops_the_scenario() -> None:
    class Lacking(Plugged):
        async def install(self, set_up: Callable[[Put], None]) -> Callable[[], Awaitable[None]]:
            def put(step: Json, callback: object) -> None:
                raise Unsupported(step["family"], "there is none")

            set_up(put)
            raise AssertionError("the plugin raised")

    with pytest.raises(Unsupported, match=r"llm\.request"):
        acted(Lacking(), install(inside(register("i"))))
