"""A run of AFK's runner whose process dies, and that another runner takes up from what the memory has.

Enters: a complete scenario that is `of` a resume. Leaves: its log. A process that dies is a run that never gets on: it
waits in the checkpoint, the model or the tool in which it is, and writes nothing any more.
"""

from __future__ import annotations

import asyncio
from typing import Any

from afk.agents import Agent
from afk.agents.policy.engine import PolicyEngine
from afk.core.runner import Runner, RunnerConfig
from afk.llms.types import LLMCapabilities, LLMRequest, LLMResponse, ToolCall
from afk.memory import InMemoryMemoryStore
from ending import record_end
from idle import Idle, IdleLoop
from providing import Provided, probe_that
from scripted import config_of, told

Json = Any

THREAD = "thread"


def taken_up(scenario: Json) -> list[Json]:
    """Return the log of one run."""
    log: list[Json] = []
    loop = IdleLoop()
    try:
        loop.run_until_complete(_run(scenario, log))
    except Idle:
        log.append({"fact": "hangs"})
    seen = list(log)  # what tasks do that are cancelled with the loop is no part of the run
    loop.forget()
    return seen


async def _run(scenario: Json, log: list[Json]) -> None:
    life = Life(scenario, log)
    memory = Memory(life, log)
    model = Answering(scenario, life, log)
    first = await _runner(memory, log).run_handle(_agent(model, life), user_message="hello", thread_id=THREAD)
    await life.ended.wait()
    log.append({"fact": "died"})
    life.over = True
    del first
    await record_end(_runner(memory, log).resume(_agent(model, life), run_id=life.run, thread_id=THREAD), log)


class Life:
    """The first process: where it dies, and whether it has."""

    def __init__(self, scenario: Json, log: list[Json]) -> None:
        self._dies, self._step = scenario["dies"], scenario["step"]
        self.ended = asyncio.Event()
        self.over = False
        self.run = ""

    async def reaches(self, place: str, step: int) -> None:
        """Die, where this is the place."""
        if not self.over and (place, step) == (self._dies, self._step):
            self.ended.set()
            await asyncio.Event().wait()


def _runner(memory: Memory, log: list[Json]) -> Runner:
    config = RunnerConfig(interaction_mode="interactive", checkpoint_async_writes=False, background_tools_enabled=False)
    return Runner(memory_store=memory, interaction_provider=Hearing(log), policy_engine=PolicyEngine(), config=config)


class Hearing:
    """Is told events, and records that the policy has decided on a call."""

    def __init__(self, log: list[Json]) -> None:
        self._log = log

    async def notify(self, event: Any) -> None:
        """Record an event."""
        if event.type == "policy_decision" and event.data.get("event_type") == "llm_before_execute":
            self._log.append({"fact": "event", "type": event.type, "state": event.state, "step": event.step})


def _agent(model: Answering, life: Life) -> Agent:
    return Agent(
        name="agent",
        model="m1",
        instructions="be scripted",
        tools=[probe_that(lambda: life.reaches("tool", model.answered))],
        model_resolver=lambda name: model,
    )


class Memory(InMemoryMemoryStore):  # type: ignore[misc]
    """Keeps what it is given, until the process dies that gives it."""

    def __init__(self, life: Life, log: list[Json]) -> None:
        super().__init__()
        self._life, self._log = life, log

    async def put_state(self, thread_id: str, key: str, value: Json) -> None:
        """Keep a checkpoint; it is put twice, and the process dies when it has been as the latest one too."""
        await super().put_state(thread_id, key, value)
        if not key.startswith("checkpoint:") or not key.endswith(":latest"):
            return
        self._life.run = value["run_id"]
        if value["phase"] == "pre_llm":
            self._log.append({"fact": "checkpoint", "phase": "pre_llm", "step": value["step"]})
        answer = value["phase"] != "runtime_state" or value["payload"].get("pending_llm_response") is not None
        if answer:
            await self._life.reaches(value["phase"], value["step"])


class Answering(Provided):  # type: ignore[misc]
    """A model that answers as the script says, and calls the tool in all steps but the last."""

    answered = 0
    """The step that it answered last."""

    def __init__(self, scenario: Json, life: Life, log: list[Json]) -> None:
        super().__init__(config=config_of("m1"))
        self._steps, self._life, self._log = scenario["steps"], life, log

    @property
    def capabilities(self) -> LLMCapabilities:
        """It calls tools."""
        return LLMCapabilities(tool_calling=True)

    async def _chat_core(self, req: LLMRequest, *, response_model: Any = None) -> LLMResponse:
        number = self.answered + 1  # by the script, whatever the run calls its steps
        self._log.append({"fact": "called", **told(req), "waited": 0})
        await self._life.reaches("called", number)
        self.answered = number
        step = self._steps[number - 1] if number <= len(self._steps) else {"text": "more"}
        calls = [ToolCall(id=f"call-{number}", tool_name="probe", arguments={})] if number < len(self._steps) else []
        return LLMResponse(
            text=step["text"],
            tool_calls=calls,
            model=req.model,
            session_token=step.get("session"),
            checkpoint_token=step.get("checkpoint"),
        )
