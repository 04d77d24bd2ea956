"""One run of AFK's runner that is stopped wherever the script says.

Enters: a complete scenario that is `of` a stop. Leaves: its log. Where the run is to be stopped it waits for what never
comes, and another task stops it meanwhile.
"""

from __future__ import annotations

import asyncio
from typing import Any

from afk.agents import Agent, FailSafeConfig
from afk.agents.policy.engine import PolicyEngine, PolicyRule
from afk.agents.types import ApprovalDecision, PolicyDecision
from afk.core.runner import Runner, RunnerConfig
from afk.llms.types import LLMRequest, LLMResponse, ToolCall
from afk.memory import InMemoryMemoryStore
from ending import record_end, settle
from idle import log_of
from providing import Calling, probe_that
from scripted import config_of, step_of, told

Json = Any

KEPT = ("pre_llm", "post_llm", "runtime_state")
TOLD = ("step_started", "llm_called", "llm_completed")
OVER = ("run_completed", "run_failed", "run_interrupted", "run_cancelled")


def stopped(scenario: Json) -> list[Json]:
    """Return the log of one run."""
    log: list[Json] = log_of(lambda kept: _run(scenario, kept))
    return log


async def _run(scenario: Json, log: list[Json]) -> None:
    place = Place(scenario)
    model = Answering(scenario, place, log)
    rules = [PolicyRule(rule_id="a", action="request_approval", subjects=["llm_call"])]
    agent = Agent(
        name="agent",
        model="m1",
        instructions="be scripted",
        tools=[probe_that(model.use)],
        model_resolver=lambda name: model,
        policy_engine=PolicyEngine(rules=rules if scenario["at"] == "asked" else []),
        policy_roles=[place.role],
        fail_safe=FailSafeConfig(fallback_model_chain=["m2"]),
    )
    runner = Runner(
        memory_store=Memory(place),
        interaction_provider=People(place, log),
        config=RunnerConfig(
            interaction_mode="interactive", checkpoint_async_writes=False, background_tools_enabled=False
        ),
    )
    handle = await runner.run_handle(agent, user_message="hello")
    place.handle = handle
    await record_end(handle.await_result(), log)
    await settle()


class Place:
    """Where the run is to be stopped."""

    handle: Any = None

    def __init__(self, scenario: Json) -> None:
        self._how, self._at, self._step = scenario["how"], scenario["at"], scenario["step"]
        self._stops: set[Any] = set()

    async def reached(self, at: str, step: int | None) -> None:
        """Stop the run, where this is the place."""
        if (at, step) == (self._at, self._step) and not self._stops:
            self._stops.add(asyncio.ensure_future(getattr(self.handle, self._how)()))
            await asyncio.Event().wait()

    async def role(self, event: Any) -> PolicyDecision | None:
        """Say nothing of a call, as a role that the policy asks."""
        if event.event_type == "llm_before_execute":
            await self.reached("policy", event.step)
        return None


class Memory(InMemoryMemoryStore):  # type: ignore[misc]
    """Keeps what it is given, and is where some runs are stopped."""

    def __init__(self, place: Place) -> None:
        super().__init__()
        self._place = place

    async def put_state(self, thread_id: str, key: str, value: Json) -> None:
        """Keep a checkpoint; it is put twice, and is kept when it has been as the latest one too."""
        await super().put_state(thread_id, key, value)
        if not key.startswith("checkpoint:") or not key.endswith(":latest") or value["phase"] not in KEPT:
            return
        if value["phase"] != "runtime_state" or value["payload"].get("pending_llm_response") is not None:
            await self._place.reached(value["phase"], value["step"])


class People:
    """Is told events, and asked."""

    def __init__(self, place: Place, log: list[Json]) -> None:
        self._place, self._log = place, log

    async def notify(self, event: Any) -> None:
        """Record that the run is over."""
        if event.type in OVER:
            record = {"fact": "event", "type": event.type, "state": event.state}
            self._log.append(record | {"step": event.step} if event.step is not None else record)
        if event.type in TOLD:
            await self._place.reached(event.type, event.step)

    async def request_approval(self, request: Any) -> Any:
        """Allow the call."""
        await self._place.reached("asked", request.step)
        return ApprovalDecision(kind="allow")


class Answering(Calling):  # type: ignore[misc]
    """A model that answers as the script says, and calls the tool in all steps but the last."""

    def __init__(self, scenario: Json, place: Place, log: list[Json]) -> None:
        super().__init__(config=config_of("m1"))
        self._steps, self._place, self._log, self._number = scenario["steps"], place, log, 0

    async def use(self) -> None:
        """Do what the tool does."""
        self._log.append({"fact": "used", "step": self._number})
        await self._place.reached("tool", self._number)

    async def _chat_core(self, req: LLMRequest, *, response_model: Any = None) -> LLMResponse:
        self._number = step_of(req)
        self._log.append({"fact": "called", **told(req), "waited": 0})
        await self._place.reached("called", self._number)
        more = self._number < len(self._steps)
        calls = [ToolCall(id=f"call-{self._number}", tool_name="probe", arguments={})] if more else []
        text = self._steps[self._number - 1]["text"] if self._number <= len(self._steps) else "more"
        return LLMResponse(text=text, tool_calls=calls, model=req.model)
