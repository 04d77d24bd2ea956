"""What calls in flight are in Python alone: threads of their own, and callbacks that do not hear of a cancelling."""

from __future__ import annotations

import asyncio
import gc
from contextlib import closing
from threading import get_ident
from typing import Any

import pytest

from bindproof_adapter import Unsupported
from bindproof_adapter.relay import Actor, Provider
from bindproof_adapter.relay.performance import Performance
from tests.adapters.toy import Blocks, Core, toy

Json = Any


class Deaf(Core):
    """One that lets the callbacks of a cancelled call run on."""

    async def call_llm(self, step: Json, provider: Provider, decode: object, encode: object) -> Json:
        return await asyncio.shield(super().call_llm(step, provider, decode, encode))


class Late(Core):
    """One that tells the callbacks of a cancelled call of it some time later."""

    async def call_llm(self, step: Json, provider: Provider, decode: object, encode: object) -> Json:
        call = asyncio.ensure_future(super().call_llm(step, provider, decode, encode))
        try:
            return await asyncio.shield(call)
        except asyncio.CancelledError:
            asyncio.get_running_loop().call_later(0.01, call.cancel)
            raise


class Older(Core):
    """A release that cannot cancel yet."""

    cancels = False


def call(name: str, *provider: Json, background: bool = True) -> Json:
    step = {"step": "call", "as": name, "kind": "llm", "name": name, "request": {}, "codec": "none"}
    return {**step, "provider": list(provider), "background": background}


WAIT = {"op": "wait", "latch": "x"}
OPEN = {"step": "open", "as": "o", "latch": "x"}
CANCEL = {"step": "cancel", "as": "cancel", "of": "a"}


def seen(binding: Core, *steps: Json) -> list[str]:
    with closing(Actor(binding)) as actor:
        log = actor.run("relay", {"steps": list(steps)})["log"]
    return [" ".join(filter(None, (record["fact"], record.get("callback"), record.get("step")))) for record in log]


def test_what_blocks_is_on_a_thread_of_its_own() -> None:
    binding = toy(None, Blocks)
    seen(binding, call("a", WAIT), call("b"), call("c", background=False), OPEN)
    first, second, waited = binding.threads
    assert waited == get_ident()
    assert waited not in (first, second)
    assert binding.brought == [first, second], "only a thread of a call in flight is brought to the scope stack"


def test_a_callback_that_is_not_told_does_not_keep_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bindproof_adapter.relay.flight.LONGEST", 0.01)
    found = seen(toy(None, Deaf), call("a", WAIT), CANCEL, OPEN)
    assert found[2:] == ["done a", "done cancel", "resume a.provider", "leave a.provider", "done o", "settled"]


def test_a_callback_that_is_told_late_is_waited_for_behind_one_that_is_over() -> None:
    found = seen(toy(None, Late), INTERCEPT, call("a", {**WAIT, "latch": "y"}), OPEN, CANCEL)
    assert found[-5:] == ["done o", "done a", "cancelled a.provider", "done cancel", "settled"]


def test_a_release_that_cannot_cancel_says_so() -> None:
    with pytest.raises(Unsupported, match="cancel"):
        seen(toy(None, Older), call("a", WAIT), CANCEL)


INTERCEPT: Json = {"step": "register", "as": "i", "family": "llm.request", "name": "i", "scope": "global", "do": [WAIT]}


@pytest.mark.parametrize("kind", [Core, Blocks])
def test_a_request_intercept_waits_as_what_wraps_an_execution_does(kind: type[Core]) -> None:
    found = seen(toy(None, kind), INTERCEPT, call("a"), call("b"), OPEN)
    assert [fact for fact in found if " i" in fact][:3] == ["done i", "enter i", "wait i"]
    assert found.index("wait i") < found.index("resume i") < found.index("enter a.provider") < found.index("done a")


def test_a_request_intercept_is_told_that_its_call_is_cancelled() -> None:
    found = seen(toy(None), INTERCEPT, call("a"), CANCEL, OPEN)
    assert found[1:] == ["enter i", "wait i", "cancelled i", "done a", "done cancel", "done o", "settled"]


def test_a_scenario_is_let_go_when_it_is_over_and_not_with_the_next_collection() -> None:
    gc.collect()
    gc.disable()
    try:
        seen(toy(None), INTERCEPT, call("a"), OPEN)
        assert [one for one in gc.get_objects() if isinstance(one, Performance)] == []
    finally:
        gc.enable()
