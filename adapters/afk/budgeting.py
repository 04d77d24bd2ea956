"""One run of AFK's runner with budgets of tools and of time.

Enters: a complete scenario that is `of` a budget. Leaves: its log. The runner's clock is the loop's, so that time
passes at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from afk.agents import Agent, FailSafeConfig
from afk.agents.lifecycle import runtime
from afk.core.runner import Runner, RunnerConfig, execution, internals
from afk.llms.types import LLMRequest, LLMResponse, ToolCall
from afk.memory import InMemoryMemoryStore
from ending import ended
from idle import log_of
from providing import Calling, probe_that
from scripted import config_of, failed, step_of, told

Json = Any

CLOCKED = (runtime, execution, internals)
"""The modules of AFK that ask what time it is."""

MORE: Json = {"silent": 0, "tools": 0, "rests": 0, "text": "more"}


def budgeted(scenario: Json) -> list[Json]:
    """Return the log of one run."""
    log: list[Json] = log_of(lambda kept: _run(scenario, kept))
    return log


@contextmanager
def clocked(loop: Any) -> Iterator[None]:
    """Have the runner ask a loop what time it is."""
    before = [module.time for module in CLOCKED]
    for module in CLOCKED:
        module.time = loop
    try:
        yield
    finally:
        for module, clock in zip(CLOCKED, before, strict=True):
            module.time = clock


async def _run(scenario: Json, log: list[Json]) -> None:
    model = Spending(scenario, log)
    limits = {
        key: kind(scenario[name])
        for name, key, kind in (("most_tools", "max_tool_calls", int), ("most_time", "max_wall_time_s", float))
        if scenario[name] is not None
    }
    agent = Agent(
        name="agent",
        model="m1",
        instructions="be scripted",
        tools=[probe_that(model.rest)],
        model_resolver=lambda name: model,
        fail_safe=FailSafeConfig(fallback_model_chain=["m2", "m3"], **limits),
    )
    config = RunnerConfig(checkpoint_async_writes=False, background_tools_enabled=False)
    with clocked(asyncio.get_running_loop()):
        await ended(Runner(memory_store=InMemoryMemoryStore(), config=config), agent, log)


class Spending(Calling):  # type: ignore[misc]
    """Models of which some give no answer, and the next one calls as many tools as the script says."""

    def __init__(self, scenario: Json, log: list[Json]) -> None:
        super().__init__(config=config_of("m1"))
        self._steps, self._log, self._number = scenario["steps"], log, 0

    async def rest(self) -> None:
        """Do what the tool does."""
        self._log.append({"fact": "used", "step": self._number})
        await asyncio.sleep(self._step["rests"])

    @property
    def _step(self) -> Json:
        return self._steps[self._number - 1] if self._number <= len(self._steps) else MORE

    async def _chat_core(self, req: LLMRequest, *, response_model: Any = None) -> LLMResponse:
        self._number = step_of(req)
        self._log.append({"fact": "called", **told(req), "waited": 0})
        if int(str(req.model)[1:]) <= self._step["silent"]:
            await failed("slow", "")
        calls = [
            ToolCall(id=f"call-{self._number}-{nth}", tool_name="probe", arguments={})
            for nth in range(self._step["tools"])
        ]
        return LLMResponse(text=self._step["text"], tool_calls=calls, model=req.model)
