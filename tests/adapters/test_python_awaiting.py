"""The Python SDK with callbacks that are asynchronous, and with registrations of what cannot be called."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import pytest

from bindproof_adapter import Actor, Callback, Inexpressible, Provider, Unsupported
from tests.adapters.bare import Bare

Json = Any

CALL = {"step": "call", "as": "c", "kind": "llm", "name": "gpt", "request": {}, "codec": "none", "provider": []}


def intercept(**more: object) -> Json:
    edit = {"op": "edit", "set": {"/x": 1}}
    return {
        "step": "register",
        "as": "i",
        "family": "llm.request",
        "name": "i",
        "scope": "global",
        "do": [edit],
        **more,
    }


class Plain(Bare):
    """A binding with one request intercept, whose reply it does not await."""

    def register(self, step: Json, callback: Any) -> Json:
        self.callback: Callback = callback
        return lambda: True

    async def call_llm(self, step: Json, provider: Provider, decode: object, encode: object) -> Json:
        replied = self.callback.play({"request": step["request"]}, step["request"])
        return await provider.answer({"request": await replied}, {"ok": True})

    async def helper(self, step: Json) -> Json: ...


class Awaiting(Plain):
    """The same, and it awaits."""

    awaits = True


class Older(Plain):
    """A release of it that does not yet."""

    awaits = False


def run(toy: Plain) -> Json:
    with closing(Actor(toy)) as actor:
        return actor.run("relay", {"steps": [intercept(**{"async": True}), CALL]})["log"]


def test_an_asynchronous_callback_is_played_when_it_is_awaited() -> None:
    log = [(record["fact"], record.get("callback")) for record in run(Awaiting())]
    assert log[1:5] == [("enter", "i"), ("leave", "i"), ("enter", "c.provider"), ("leave", "c.provider")]


def test_its_reply_is_what_a_plain_one_replies() -> None:
    assert run(Awaiting())[2]["reply"] == {"x": 1}


@pytest.mark.parametrize(("toy", "refusal"), [(Plain, Inexpressible), (Older, Unsupported)])
def test_where_nothing_is_awaited_it_is_refused(toy: type[Plain], refusal: type[Exception]) -> None:
    with pytest.raises(refusal, match=r"comes? back"):
        run(toy())


class Untyped(Plain):
    """One that registers whatever it is told to."""

    registers_anything = True


def test_what_cannot_be_called_is_the_bindings_to_register() -> None:
    odd = intercept(odd="no_function", do=[])
    with closing(Actor(Untyped())) as actor:
        log = actor.run("relay", {"steps": [odd]})["log"]
    assert log[0] == {"fact": "done", "step": "i", "value": None}
    with pytest.raises(Inexpressible, match="odd"), closing(Actor(Awaiting())) as actor:
        actor.run("relay", {"steps": [odd]})
