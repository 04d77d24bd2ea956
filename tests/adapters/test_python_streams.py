"""The Python SDK with streams of a binding of a few lines: what is recorded of chunks, readers and closing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing
from typing import Any

import pytest

from bindproof_adapter import END, Actor, AdapterFault, Callback, Parts, Sink, Source, Unsupported
from bindproof_adapter.recorder import Recorder
from bindproof_adapter.streaming import Finalizer
from tests.adapters.bare import Bare

Json = Any


class Stream:
    """Hands each chunk to the collector and then to its reader, and reads nothing ahead."""

    def __init__(self, chunks: AsyncIterator[Json], parts: Parts) -> None:
        self.chunks, self.parts = chunks, parts

    async def next(self) -> Json:
        try:
            chunk = await anext(self.chunks)
            self.parts.collector.take(chunk)
        except StopAsyncIteration:
            self.parts.finalizer.finish()
            return END
        except Exception:
            await self.close()
            raise
        return chunk

    async def close(self) -> None:
        await self.chunks.aclose()  # type: ignore[attr-defined]
        self.parts.finalizer.finish()

    def drop(self) -> None:
        raise Unsupported("drop", "no toy")


class Toy(Bare):
    """A binding that has streams and their intercepts alone."""

    def __init__(self) -> None:
        self.wrappers: list[Source] = []

    def register(self, step: Json, callback: Callback | Sink) -> Callable[[], object]:
        assert isinstance(callback, Source)
        self.wrappers.append(callback)
        return lambda: None

    async def call_llm(self, step: Json, provider: Callback, decode: Callback | None, encode: Callback | None) -> Json:
        raise NotImplementedError

    async def helper(self, step: Json) -> Json:
        raise NotImplementedError

    async def open_stream(self, step: Json, parts: Parts) -> Stream:
        async def go(rest: list[Source], request: Json) -> AsyncIterator[Json]:
            if not rest:
                return parts.source.open({"request": request})
            return await rest[0].wrap({"request": request}, request, lambda argument: go(rest[1:], argument))

        return Stream(await go(self.wrappers, step["request"]), parts)


def stream(*provider: Json, **more: Json) -> Json:
    """A complete step that makes a stream call."""
    step = {"step": "call", "as": "c", "kind": "llm_stream", "name": "gpt", "request": {"q": 1}, "codec": "none"}
    return {**step, "provider": list(provider), "collector": [], "finalizer": [], "drain": True, **more}


def wrapper(*ops: Json) -> Json:
    return {"step": "register", "as": "i", "family": "llm.stream", "name": "i", "scope": "global", "do": list(ops)}


def hand_over(*chunks: Json) -> Json:
    return {"op": "yield", "chunks": list(chunks)}


def read(n: int | None, name: str = "r") -> Json:
    return {"step": "read", "as": name, "of": "c", "n": n}


BOOM: Json = {"op": "raise", "text": "boom-1!"}
HANG: Json = {"op": "hang"}
CLOSE: Json = {"step": "close", "as": "x", "of": "c", "how": "close"}


@pytest.fixture
def actor() -> Iterator[Actor]:
    with closing(Actor(Toy())) as made:
        yield made


def log_of(actor: Actor, *steps: Json) -> list[Json]:
    log: list[Json] = actor.run("relay", {"steps": list(steps)})["log"]
    return log


def facts(log: list[Json], fact: str) -> list[Json]:
    return [record for record in log if record["fact"] == fact]


def values(log: list[Json], fact: str) -> list[Json]:
    return [record["value"] for record in facts(log, fact)]


def test_a_provider_without_chunks_of_its_own_hands_over_two(actor: Actor) -> None:
    log = log_of(actor, stream())
    assert values(log, "chunk") == values(log, "read") == [{"i": 0}, {"i": 1}]
    assert facts(log, "over") == [{"fact": "over", "callback": "c.source", "k": 0, "how": "ended"}]
    assert facts(log, "done")[-1] == {"fact": "done", "step": "c", "value": None}


def test_what_stands_before_the_first_yield_is_done_when_the_provider_is_called(actor: Actor) -> None:
    log = log_of(actor, stream(BOOM))
    assert [record["fact"] for record in log] == ["enter", "leave", "done", "settled"]
    assert log[2]["error"]["same_as"] == "c.source"


def test_what_stands_behind_it_fails_the_reader(actor: Actor) -> None:
    log = log_of(actor, stream(hand_over(1), BOOM))
    assert values(log, "read") == [1]
    assert facts(log, "over") == [{"fact": "over", "callback": "c.source", "k": 0, "raised": "boom-1!"}]
    assert facts(log, "done")[-1]["error"]["same_as"] == "c.source"


def test_an_intercept_changes_what_it_passes_on_then_does_what_is_behind(actor: Actor) -> None:
    changing = {"op": "edit", "set": {"/a": 1}}
    log = log_of(actor, wrapper(changing, hand_over({"own": 1})), stream(hand_over({"n": 0})))
    assert values(log, "read") == [{"n": 0, "a": 1}, {"own": 1}]
    assert facts(log, "next") == [{"fact": "next", "callback": "i", "k": 0, "given": {"q": 1}}]


def test_an_intercept_goes_on_late_with_another_request(actor: Actor) -> None:
    late = {"op": "next", "edits": [{"set": {"/q": 2}}], "catch": False}
    log = log_of(actor, wrapper(hand_over(), late), stream())
    mine = [record["fact"] for record in log if record.get("callback") == "i"]
    assert mine == ["enter", "leave", "next", "answer", "chunk", "chunk", "over"]
    assert [record["given"] for record in facts(log, "enter")][1] == {"request": {"q": 2}}


@pytest.mark.parametrize("provider", [[BOOM], [hand_over(1), BOOM]])
def test_a_failure_is_caught(actor: Actor, provider: list[Json]) -> None:
    catching = {"op": "next", "edits": [{}], "catch": True}
    log = log_of(actor, wrapper(catching, hand_over(2)), stream(*provider))
    assert values(log, "read")[-1] == 2


def test_a_collector_fails_in_one_entry(actor: Actor) -> None:
    log = log_of(actor, stream(collector=[{"op": "each", "ops": [[], [BOOM]]}]))
    assert values(log, "read") == [{"i": 0}]
    assert facts(log, "done")[-1]["error"]["same_as"] == "c.collector"


def test_what_hands_chunks_over_is_closed_with_the_stream(actor: Actor) -> None:
    log = log_of(actor, wrapper(), stream(hand_over(1, 2), HANG, drain=False), read(1), CLOSE)
    assert values(log, "read") == [1]
    assert {record["callback"]: record["how"] for record in facts(log, "over")} == {"i": "closed", "c.source": "closed"}


def test_reading_says_whether_the_stream_has_ended(actor: Actor) -> None:
    log = log_of(actor, stream(drain=False), read(1), read(None, "r2"), CLOSE)
    assert [record["value"] for record in facts(log, "done")] == [None, {"ended": False}, {"ended": True}, None]


def test_a_stream_that_nobody_opened_is_the_scenarios_mistake(actor: Actor) -> None:
    with pytest.raises(AdapterFault, match="'c' has opened no stream yet"):
        log_of(actor, read(1))


def test_a_binding_without_streams_says_so() -> None:
    class Bare(Toy):
        open_stream = None  # type: ignore[assignment]

    with closing(Actor(Bare())) as actor, pytest.raises(Unsupported):
        actor.run("relay", {"steps": [stream()]})


def test_a_finalizer_has_not_run_before_it_came_to_its_end() -> None:
    seen: list[bool] = []
    step = {"op": "step", "step": {"step": "flush"}}
    finalizer = Finalizer("c.finalizer", [step], Recorder([]), lambda _: seen.append(finalizer.ran))
    finalizer.finish()

    assert (seen, finalizer.ran) == ([False], True)
