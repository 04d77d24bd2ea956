"""The Python SDK with calls in flight of a binding of a few lines: who stands at which latch, and who goes on when."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import closing
from functools import partial
from threading import get_ident
from typing import Any

import pytest

from bindproof_adapter import (
    Actor,
    AdapterFault,
    Around,
    Callback,
    Inexpressible,
    Provider,
    Sink,
    Unsupported,
    at_once,
)
from tests.adapters.bare import Bare

Json = Any


class Toy(Bare):
    """A binding of calls and what wraps them."""

    in_flight = True

    def __init__(self) -> None:
        self.around: list[Around] = []

    def register(self, step: Json, callback: Callback | Sink) -> Callable[[], object]:
        assert isinstance(callback, Around)
        self.around.append(callback)
        return lambda: True

    async def call_llm(self, step: Json, provider: Provider, decode: object, encode: object) -> Json:
        async def go(argument: Json) -> Json:
            return await provider.answer({"request": argument}, {"ok": True})

        for one in self.around:
            return await one.wrap({"request": step["request"]}, step["request"], lambda answer: answer, go)
        return await go(step["request"])

    async def helper(self, step: Json) -> Json: ...


class Blocks(Toy):
    """The same binding, whose calls and callbacks block."""

    blocks = True

    def __init__(self) -> None:
        super().__init__()
        self.threads: list[int] = []
        self.brought: list[int] = []

    async def call_llm(self, step: Json, provider: Provider, decode: object, encode: object) -> Json:
        self.threads.append(get_ident())
        return at_once(super().call_llm(step, provider, decode, encode))

    def same_scope(self) -> None:
        self.brought.append(get_ident())


class Alone(Toy):
    """A binding that has one call at a time."""

    in_flight: bool

    def __getattribute__(self, name: str) -> Any:
        if name == "in_flight":
            raise AttributeError(name)
        return super().__getattribute__(name)


def call(name: str, *provider: Json, background: bool = True) -> Json:
    step = {"step": "call", "as": name, "kind": "llm", "name": name, "request": {}, "codec": "none"}
    return {**step, "provider": list(provider), "background": background}


def wait(latch: str) -> Json:
    return {"op": "wait", "latch": latch}


def opened(latch: str) -> Json:
    return {"step": "open", "as": f"open {latch}", "latch": latch}


def seen(binding: Toy, *steps: Json) -> list[str]:
    with closing(Actor(binding)) as actor:
        log = actor.run("relay", {"steps": list(steps)})["log"]
    return [" ".join(filter(None, (r["fact"], r.get("callback"), r.get("step"), r.get("latch")))) for r in log]


Facts = Callable[..., list[str]]


@pytest.fixture(params=[Toy, Blocks])
def facts(request: pytest.FixtureRequest) -> Facts:
    """What is seen of steps, through a binding that awaits and through one that blocks."""
    return partial(seen, request.param())


def test_the_second_of_two_calls_is_over_first(facts: Facts) -> None:
    assert facts(call("a", wait("x")), call("b", wait("y")), opened("y"), opened("x")) == [
        "enter a.provider",
        "wait a.provider x",
        "enter b.provider",
        "wait b.provider y",
        "resume b.provider",
        "leave b.provider",
        "done b",
        "done open y",
        "resume a.provider",
        "leave a.provider",
        "done a",
        "done open x",
        "settled",
    ]


def test_who_stands_at_one_latch_goes_on_in_turn(facts: Facts) -> None:
    found = facts(call("a", wait("x"), wait("y")), call("b", wait("x")), opened("x"))
    assert [fact for fact in found if fact.startswith(("resume", "wait", "done"))] == [
        "wait a.provider x",
        "wait b.provider x",
        "resume a.provider",
        "wait a.provider y",
        "resume b.provider",
        "done b",
        "done open x",
        "resume a.provider",
        "done a",
    ]


def test_at_an_open_latch_nobody_stands(facts: Facts) -> None:
    assert "wait a.provider x" not in facts(opened("x"), call("a", wait("x")))


def test_what_wraps_a_call_may_wait(facts: Facts) -> None:
    around = {"step": "register", "as": "i", "family": "llm.execution", "name": "i", "scope": "global"}
    found = facts({**around, "do": [wait("x"), {"op": "next", "edits": [{}], "catch": False}]}, call("a"), opened("x"))
    assert found[1:5] == ["enter i", "wait i x", "resume i", "next i"]
    assert found[-4:] == ["leave i", "done a", "done open x", "settled"]


def test_a_provider_that_raises_after_it_waited_fails_its_own_call(facts: Facts) -> None:
    found = facts(call("a", wait("x"), {"op": "raise", "text": "boom-1!"}), call("b"), opened("x"))
    assert [fact for fact in found if fact.startswith("done")] == ["done b", "done a", "done open x"]


def test_a_call_that_the_program_waits_for_never_hangs(facts: Facts) -> None:
    with pytest.raises(AdapterFault, match="the program waits for it"):
        facts(call("a", wait("x"), background=False))


@pytest.mark.parametrize("step", [call("a"), opened("x")])
def test_a_binding_of_one_call_at_a_time_has_none_in_flight(step: Json) -> None:
    with pytest.raises(Unsupported, match="in_flight"):
        seen(Alone(), step)


def test_what_blocks_is_on_a_thread_of_its_own() -> None:
    binding = Blocks()
    seen(binding, call("a", wait("x")), call("b"), call("c", background=False), opened("x"))
    first, second, waited = binding.threads
    assert waited == get_ident()
    assert waited not in (first, second)
    assert binding.brought == [first, second], "only a thread of a call in flight is brought to the scope stack"


class Cancellable(Toy):
    """A binding whose calls are cancelled with the task that awaits them."""

    cancels = True


class Deaf(Cancellable):
    """One that lets the callbacks of a cancelled call run on."""

    async def call_llm(self, step: Json, provider: Provider, decode: object, encode: object) -> Json:
        return await asyncio.shield(super().call_llm(step, provider, decode, encode))


def cancel(name: str) -> Json:
    return {"step": "cancel", "as": f"cancel {name}", "of": name}


def test_whoever_waits_in_a_cancelled_call_is_told() -> None:
    around = {"step": "register", "as": "i", "family": "llm.execution", "name": "i", "scope": "global"}
    catching = {**around, "do": [{"op": "next", "edits": [{}, {}], "catch": True}]}
    found = seen(Cancellable(), catching, call("a", wait("x")), cancel("a"), opened("x"))
    assert found[5:] == [
        "cancelled a.provider",
        "cancelled i",
        "done a",
        "done cancel a",
        "done open x",
        "settled",
    ]


def test_other_calls_and_what_is_over_stay_as_they_are() -> None:
    found = seen(Cancellable(), call("a", wait("x")), call("b", wait("x")), cancel("a"), opened("x"), cancel("b"))
    assert [fact for fact in found if fact.startswith(("done", "cancelled", "resume"))] == [
        "cancelled a.provider",
        "done a",
        "done cancel a",
        "resume b.provider",
        "done b",
        "done open x",
        "done cancel b",
    ]


def test_a_callback_that_is_not_told_does_not_keep_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bindproof_adapter.flight.LONGEST", 0.01)
    found = seen(Deaf(), call("a", wait("x")), cancel("a"), opened("x"))
    assert found[2:] == ["done a", "done cancel a", "resume a.provider", "leave a.provider", "done open x", "settled"]


@pytest.mark.parametrize("binding", [Toy(), type("Older", (Toy,), {"cancels": False})()])
def test_a_binding_that_cannot_cancel_says_so(binding: Toy) -> None:
    with pytest.raises(Unsupported, match="cancel"):
        seen(binding, call("a", wait("x")), cancel("a"))


def test_a_call_that_blocks_cannot_be_cancelled() -> None:
    with pytest.raises(Inexpressible, match="cancel"):
        seen(Blocks(), call("a", wait("x")), cancel("a"))


def test_what_was_not_made_cannot_be_cancelled() -> None:
    with pytest.raises(AdapterFault, match="no call 'a' is in the background"):
        seen(Cancellable(), call("b", wait("x")), cancel("a"))
