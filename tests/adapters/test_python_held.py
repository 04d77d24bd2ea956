"""Latches at which what runs when an event is published stands."""

from __future__ import annotations

import asyncio
from threading import Thread
from typing import Any

import pytest

from bindproof_adapter.relay import held as module
from bindproof_adapter.relay.callback import Sink
from bindproof_adapter.relay.flight import Tasks, Threads, at_once
from bindproof_adapter.relay.held import Held
from bindproof_adapter.relay.recorder import Recorder

Json = Any

STEP: Json = {"family": "mark.sanitize", "do": [{"op": "wait", "latch": "x"}]}


def _facts(recorder: Recorder) -> list[str]:
    return [record["fact"] for record in recorder.log]


def test_who_opens_a_latch_waits_until_someone_stands_there() -> None:
    recorder = Recorder([])

    async def program() -> None:
        held = Held(recorder, Tasks())
        held.expect(STEP)
        standing = asyncio.create_task(_late(held))
        await held.open("x")
        await standing
        await held.wait("z.sanitize", 1, "x")

    async def _late(held: Held) -> None:
        await asyncio.sleep(0.01)
        await held.wait("z.sanitize", 0, "x")

    asyncio.run(program())
    assert recorder.log == [
        {"fact": "wait", "callback": "z.sanitize", "k": 0, "latch": "x"},
        {"fact": "resume", "callback": "z.sanitize", "k": 0},
    ]


def test_a_callback_that_blocks_stands_on_its_own_thread() -> None:
    recorder = Recorder([])
    held = Held(recorder, Threads())
    held.expect(STEP)
    publishing = Thread(target=lambda: at_once(held.wait("z.sanitize", 0, "x")))
    publishing.start()
    at_once(held.open("x"))
    publishing.join()
    assert _facts(recorder) == ["wait", "resume"]


@pytest.mark.parametrize("beside", [Tasks, Threads])
def test_a_subscriber_stands_on_the_thread_that_tells_it(beside: type[Tasks | Threads]) -> None:
    recorder = Recorder([])

    async def program() -> None:
        held = Held(recorder, beside())
        step = {**STEP, "family": "subscriber"}
        held.expect(step)
        sink = Sink("s", step["do"], recorder, held.stand)
        telling = Thread(target=sink.put, args=({},))
        telling.start()
        await held.open("x")
        telling.join()
        sink.put({})

    asyncio.run(program())
    assert _facts(recorder) == ["event", "wait", "resume", "event"]


def test_where_nobody_comes_or_nobody_opens_it_does_not_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LONGEST", 0.01)
    recorder = Recorder([])

    async def program() -> None:
        unopened, unused = Held(recorder, Tasks()), Held(recorder, Tasks())
        await unopened.wait("z.sanitize", 0, "x")
        await unused.open("x")
        unused.open_all()

    asyncio.run(program())
    assert _facts(recorder) == ["wait", "resume"]


def test_only_what_is_published_stands_there() -> None:
    held = Held(Recorder([]), Tasks())
    held.expect({**STEP, "family": "llm.request"})
    assert not held.latches
    held.expect(STEP)
    assert held.latches == {"x"}
