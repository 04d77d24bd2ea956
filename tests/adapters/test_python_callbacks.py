"""What the callbacks of the Python SDK do by themselves, without a whole scenario around them."""

from __future__ import annotations

import asyncio
from contextlib import closing
from typing import Any

import pytest

from bindproof_adapter import Unsupported, spelled
from bindproof_adapter.relay import Actor
from bindproof_adapter.relay.recorder import Recorder
from bindproof_adapter.relay.streaming import Finalizer, Flows, Source
from tests.adapters.toy import Core, toy

Json = Any


class Older(Core):
    """A release that does not await yet."""

    awaits = False


def test_a_release_that_does_not_await_says_so() -> None:
    promising = {"step": "register", "as": "i", "family": "llm.request", "name": "i", "scope": "global", "async": True}
    with closing(Actor(toy(None, Older))) as actor, pytest.raises(Unsupported, match="before they come back"):
        actor.run("relay", {"steps": [{**promising, "do": []}]})


def test_a_finalizer_has_not_run_before_it_came_to_its_end() -> None:
    seen: list[bool] = []
    step = {"op": "step", "step": {"step": "flush"}}
    finalizer = Finalizer("c.finalizer", [step], Recorder([]), lambda _: seen.append(finalizer.ran))
    finalizer.finish()

    assert (seen, finalizer.ran) == ([False], True)


@pytest.mark.parametrize("lacking", [{"$float": "NaN"}, {"$integer": "18446744073709551616"}, {"$function": True}])
def test_a_chunk_is_handed_over_with_what_json_lacks_and_the_log_spells_it(lacking: Json) -> None:
    recorder = Recorder([])
    source = Source("c.source", [{"op": "yield", "chunks": [[lacking]]}], recorder, lambda _: None, Flows())

    async def taken() -> list[Json]:
        return [chunk async for chunk in source.open({"request": {}})]

    (chunk,) = asyncio.run(taken())
    assert chunk != [lacking]
    assert spelled(chunk) == [lacking]
    assert {"fact": "chunk", "callback": "c.source", "k": 0, "value": [lacking]} in recorder.log
