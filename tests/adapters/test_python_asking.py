"""The Python SDK with bindings that a program asks: what is registered, the current scope, what it built says."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest

from bindproof_adapter import Actor, Sink, Unsupported
from bindproof_adapter import Callback as Scripted
from tests.adapters.bare import Bare

Json = Any


class Silent(Bare):
    """A binding that plays what is registered when it is; it says nothing of itself."""

    def __init__(self) -> None:
        self.names: list[tuple[str, str]] = []

    def register(self, step: Json, callback: Scripted | Sink) -> Callable[[], object]:
        self.names.append((step["family"], step["name"]))
        if isinstance(callback, Scripted):
            callback.play({}, {})
        return lambda: True

    async def call_llm(self, step: Json, provider: object, decode: object, encode: object) -> Json: ...

    async def helper(self, step: Json) -> Json: ...


class Telling(Silent):
    """A binding that tells all of it."""

    def listed(self, family: str | None) -> list[tuple[str, str]]:
        return [one for one in self.names if family in (None, one[0])]

    def current(self) -> Json:
        return {"uuid": "u", "name": "n"}

    def build(self, step: Json) -> Json:
        return {step["object"]: step["value"]}


BUILD = {"step": "build", "as": "q", "object": "request", "value": {"headers": {}}}


def register(family: str, *do: Json) -> Json:
    return {"step": "register", "as": family, "family": family, "name": "a", "scope": "global", "do": list(do)}


def values(*steps: Json, toy: Silent) -> Json:
    """Return the values of the steps that came back, by id."""
    with closing(Actor(toy)) as actor:
        log = actor.run("relay", {"steps": list(steps)})["log"]
    return {record["step"]: record["value"] for record in log if record["fact"] == "done"}


def test_a_listing_is_of_all_families_or_of_one() -> None:
    inside = {"op": "step", "step": {"step": "list", "as": "inside", "only": "tool.request"}}
    steps = [register("subscriber"), register("llm.request", inside), {"step": "list", "as": "all", "only": None}]
    seen = values(*steps, toy=Telling())
    both = [{"family": "subscriber", "name": "a"}, {"family": "llm.request", "name": "a"}]
    assert (seen["all"], seen["inside"]) == (both, [])


def test_the_current_scope_is_what_the_binding_says() -> None:
    inside = {"op": "step", "step": {"step": "current", "as": "inside"}}
    seen = values(register("llm.request", inside), {"step": "current", "as": "outside"}, toy=Telling())
    assert seen["inside"] == seen["outside"] == {"uuid": "u", "name": "n"}


def test_what_is_built_reads_back_what_the_binding_says() -> None:
    assert values(BUILD, toy=Telling()) == {"q": {"request": {"headers": {}}}}


@pytest.mark.parametrize("step", [{"step": "list", "as": "q", "only": None}, {"step": "current", "as": "q"}, BUILD])
def test_a_binding_that_does_not_tell_it_cannot_be_asked(step: Json) -> None:
    with pytest.raises(Unsupported) as caught:
        values(step, toy=Silent())
    assert caught.value.capability == step["step"]
