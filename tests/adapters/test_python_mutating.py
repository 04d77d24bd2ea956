"""The Python SDK with a binding that hands objects to callbacks, which change them in place."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import pytest

from bindproof_adapter import Actor, Provider, Unsupported
from tests.adapters.bare import Bare

Json = Any

MUTATE = {"op": "mutate", "at": "/request/headers/x", "text": "in-place-1!"}
CALL = {"step": "call", "as": "c", "kind": "llm", "name": "gpt", "request": {}, "codec": "none", "provider": [MUTATE]}
INSIDE = {"op": "step", "step": {"step": "register", "as": "i", "family": "llm.request", "name": "i", "do": [MUTATE]}}


class Silent(Bare):
    """A binding whose callbacks are given what is read from it."""

    def __init__(self) -> None:
        self.headers: dict[str, str] = {}

    def register(self, step: Json, callback: object) -> Json: ...

    async def call_llm(self, step: Json, provider: Provider, decode: object, encode: object) -> Json:
        request = {"headers": self.headers, "content": 1}
        return await provider.answer({"request": request}, request)

    async def helper(self, step: Json) -> Json: ...


class Handing(Silent):
    """The same, and what is read are its own objects."""

    hands_objects = True


def run(step: Json, toy: Silent) -> Json:
    with closing(Actor(toy)) as actor:
        return actor.run("relay", {"steps": [step]})["log"]


def test_what_is_given_is_changed_and_neither_the_reply_nor_the_log() -> None:
    toy = Handing()
    enter, leave, *_ = run(CALL, toy)
    assert toy.headers == {"x": "in-place-1!"}
    assert enter["given"] == {"request": {"headers": {}, "content": 1}}
    assert leave["reply"] == {"headers": {}, "content": 1}


@pytest.mark.parametrize("ops", [[MUTATE], [INSIDE]])
def test_where_no_objects_are_handed_it_is_unsupported(ops: list[Json]) -> None:
    with pytest.raises(Unsupported) as caught:
        run({**CALL, "provider": ops}, Silent())
    assert caught.value.capability == "mutate"
