"""What the Python SDK does where a flush fails, or does not come back."""

from __future__ import annotations

import asyncio
from contextlib import closing
from typing import Any

import pytest

from bindproof_adapter.relay import Actor, flushing
from tests.adapters.test_python_sdk import Toy

Json = Any

FLUSHES = [{"step": "flush", "as": "f"}, {"step": "flush", "as": "g"}]


class Sticking(Toy):
    """Its flushes do what they are told to, one after the other, and then nothing."""

    def __init__(self, *told: str) -> None:
        super().__init__()
        self._told = list(told)
        self.flushed = 0

    async def flush(self) -> None:
        self.flushed += 1
        match self._told.pop(0) if self._told else "":
            case "hang":
                await asyncio.Event().wait()
            case "fail":
                raise RuntimeError("no flush")


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flushing, "PATIENCE_S", 0.05)


def observed(binding: Sticking) -> Json:
    with closing(Actor(binding)) as actor:
        return actor.run("relay", {"steps": FLUSHES})


def errors(observation: Json) -> dict[str, str]:
    return {one["step"]: one["error"]["type"] for one in observation["log"] if "error" in one}


def test_a_flush_that_does_not_come_back_is_a_step_that_fails_and_nothing_waits_for_it_again() -> None:
    binding = Sticking("hang")

    observation = observed(binding)

    assert errors(observation) == {"f": "TimeoutError", "g": "TimeoutError"}
    assert observation["log"][-1] == {"fact": "settled"}
    assert binding.flushed == 1


def test_it_is_left_so_that_the_next_scenario_has_another_process() -> None:
    assert observed(Sticking("hang"))["left"] == [{"family": "flush", "name": "did not come back"}]
    assert observed(Sticking())["left"] == []


def test_a_flush_that_fails_is_a_step_that_fails_and_the_next_one_is_made() -> None:
    binding = Sticking("fail", "", "fail")

    observation = observed(binding)

    assert errors(observation) == {"f": "RuntimeError"}
    assert observation["left"] == []
    assert binding.flushed == 3


def test_where_no_step_has_failed_a_flush_at_the_end_has_to_succeed() -> None:
    with pytest.raises(RuntimeError, match="no flush"):
        observed(Sticking("", "", "fail"))


class Storming(Sticking):
    """Its programs run on threads."""

    storms = ("threads",)

    def own_scope(self) -> None: ...


def test_what_the_flush_of_a_thread_raises_is_raised_by_the_storm() -> None:
    steps = [{"step": "storm", "as": "w", "on": "threads", "programs": [[], []]}]
    with closing(Actor(Storming("", "fail"))) as actor:
        observation = actor.run("relay", {"steps": steps})

    assert errors(observation) == {"w": "RuntimeError"}


def test_it_flushes_once_more_where_something_may_be_at_work_behind_the_program() -> None:
    binding = Storming()
    with closing(Actor(binding)) as actor:
        actor.run("relay", {"steps": []})
        assert binding.flushed == 1
        actor.run("relay", {"steps": [{"step": "storm", "as": "w", "on": "threads", "programs": [[]]}]})
    assert binding.flushed == 1 + 3
