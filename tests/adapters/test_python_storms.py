"""Programs that begin at the same moment: on threads or as tasks, each on a scope stack of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from threading import Barrier, get_ident
from typing import Any

import pytest

from bindproof_adapter import Inexpressible, Unsupported
from bindproof_adapter.relay import Actor, Provider, at_once
from tests.adapters.toy import Core

Json = Any

SIZE = 8


class Storming(Core):
    """Counts what it is asked, and on which threads."""

    storms: Sequence[str] = ("threads", "tasks")

    def __init__(self) -> None:
        super().__init__()
        self.stacks: list[int] = []
        self.calls: list[int] = []
        self.flushed: list[int] = []

    def own_scope(self) -> None:
        self.stacks.append(get_ident())

    async def flush(self) -> None:
        self.flushed.append(get_ident())

    async def call_llm(self, step: Json, provider: Provider, decode: object, encode: object) -> Json:
        self.calls.append(get_ident())
        return await provider.answer({"request": step["request"]}, {"ok": True})


class Blocking(Storming):
    """Its calls block: each waits until all others are being made."""

    in_flight = blocks = True
    storms = ("threads",)

    def __init__(self) -> None:
        super().__init__()
        self.together = Barrier(SIZE)

    def same_scope(self) -> None: ...

    async def call_llm(self, step: Json, provider: Provider, decode: object, encode: object) -> Json:
        self.together.wait(timeout=10)
        return at_once(provider.answer({"request": step["request"]}, {"ok": True}))


def storm(on: str) -> Json:
    step = {"step": "call", "kind": "llm", "request": {}, "codec": "none", "provider": []}
    programs = [[{**step, "as": f"c{index}", "name": "gpt"}] for index in range(SIZE)]
    return {"step": "storm", "as": "w", "on": on, "programs": programs}


def log_of(binding: Core, on: str) -> list[Json]:
    with closing(Actor(binding)) as actor:
        log: list[Json] = actor.run("relay", {"steps": [storm(on)]})["log"]
    return log


def test_each_thread_has_a_scope_stack_and_flushes_before_its_loop_is_closed() -> None:
    binding = Storming()
    log = log_of(binding, "threads")
    assert [record["step"] for record in log if record["fact"] == "done"][-1] == "w"
    assert Counter(record["fact"] for record in log) == {"enter": SIZE, "leave": SIZE, "done": SIZE + 1, "settled": 1}
    assert get_ident() not in binding.stacks
    assert sorted(binding.stacks) == sorted(binding.calls)
    assert set(binding.stacks) < set(binding.flushed)


def test_tasks_are_of_one_thread_and_each_has_a_scope_stack() -> None:
    binding = Storming()
    log_of(binding, "tasks")
    assert binding.stacks == [get_ident()] * SIZE == binding.calls


def test_calls_that_block_are_made_at_the_same_moment() -> None:
    binding = Blocking()
    log = log_of(binding, "threads")
    assert [record for record in log if "error" in record] == []
    with pytest.raises(Inexpressible, match="blocks its thread"):
        log_of(Blocking(), "tasks")


def test_who_has_no_storms_does_not_support_them() -> None:
    with pytest.raises(Unsupported, match="not built yet"):
        log_of(Core(), "threads")
