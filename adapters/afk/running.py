"""One run of AFK's runner: the script as a model, a policy and answers of people; events and checkpoints as records.

Enters: a complete scenario. Leaves: its log. Nothing waits: the loop's clock moves when nobody has anything to do, and
a run that nothing could wake any more is told as one that hangs.
"""

from __future__ import annotations

import asyncio
from typing import Any

from afk.agents import Agent, FailSafeConfig
from afk.agents.lifecycle import runtime
from afk.agents.policy.engine import PolicyEngine
from afk.agents.types import (
    ApprovalDecision,
    DeferredDecision,
    PolicyDecision,
    UserInputDecision,
)
from afk.core.runner import Runner, RunnerConfig
from afk.memory import InMemoryMemoryStore
from afk.tools import ToolRegistry
from ending import record_end, settle
from idle import Idle, IdleLoop
from providing import probe_that
from scripted import Scripted

Json = Any

PHASES = ("run_started", "step_started", "pre_llm", "post_llm", "paused", "resumed", "runtime_state", "run_terminal")
FIELDS = ("payload", "phase", "run_id", "schema_version", "timestamp_ms")
"""What a checkpoint is documented to have."""

SNAPSHOT = "runtime_state"
"""Recorded where it holds the answer of a model."""

EVENTS = (
    "run_started", "step_started", "policy_decision", "run_paused", "run_resumed", "llm_called", "llm_completed",
    "warning", "run_completed", "run_failed", "run_interrupted", "run_cancelled",
)  # fmt: skip
GATES = {"allow": "allow", "deny": "deny", "approval": "request_approval", "input": "request_user_input"}


def acted(scenario: Json) -> list[Json]:
    """Return the log of one run."""
    log: list[Json] = []
    loop = IdleLoop()
    runtime.time = loop  # the breaker's clock: what a cooldown waits for passes at once
    try:
        loop.run_until_complete(_run(scenario, log))
    except Idle:
        log.append({"fact": "hangs"})
    finally:
        loop.forget()
    return log


async def _run(scenario: Json, log: list[Json]) -> None:
    script = Script(scenario)
    model = Scripted(scenario, script, log)
    runner = Runner(
        memory_store=Memory(log),
        interaction_provider=People(script, log),
        policy_engine=Gate(script),
        config=RunnerConfig(
            interaction_mode="interactive",
            checkpoint_async_writes=False,
            background_tools_enabled=False,
            sanitize_tool_output=scenario["sanitizes"],
        ),
    )
    handle = await runner.run_handle(_agent(scenario, model), user_message="hello")
    model.handle = handle
    if scenario["stop"] is not None:
        await getattr(handle, scenario["stop"])()
    await record_end(handle.await_result(), log)
    await settle()


class Script:
    """The steps of a scenario, and at which of them the run is. What comes after the last one is allowed and ends."""

    def __init__(self, scenario: Json) -> None:
        self._steps = scenario["steps"]

    def at(self, number: int) -> Json:
        """Return a step, counted from 1."""
        if number <= len(self._steps):
            return self._steps[number - 1]
        step: Json = {"gate": "allow", "fails": [], "error": "plain", "times": None, "begun": False, "text": "more"}
        return {**step, "tool": False, "cost": 0, "stop": None, "rests": 0}


def _agent(scenario: Json, model: Scripted) -> Agent:
    limits = {
        key: scenario[name]
        for name, key in (("most_steps", "max_steps"), ("most_calls", "max_llm_calls"))
        if scenario[name] is not None
    }
    cost = scenario["most_cost"]
    safe = FailSafeConfig(
        llm_failure_policy=scenario["on_failure"],
        approval_denial_policy=scenario["on_refusal"],
        fallback_model_chain=list(scenario["fallbacks"]),
        breaker_failure_threshold=scenario["threshold"],
        breaker_cooldown_s=float(scenario["cooldown"]),
        max_total_cost_usd=None if cost is None else float(cost),
        **limits,
    )
    return (Bare if scenario["bare"] else Agent)(
        name="agent",
        model=scenario["model"],
        instructions="be scripted",
        tools=[probe_that(lambda: asyncio.sleep(model.rests))],
        model_resolver=lambda name: model,
        fail_safe=safe,
    )


class Bare(Agent):  # type: ignore[misc]
    """An agent that exports no tool; to any other the runner gives some for files and the like."""

    def build_tool_registry(self, **_: Any) -> ToolRegistry:
        """Return an empty registry."""
        return ToolRegistry()


class Memory(InMemoryMemoryStore):  # type: ignore[misc]
    """Keeps what it is given, and records checkpoints of the phases that the scenario language names."""

    def __init__(self, log: list[Json]) -> None:
        super().__init__()
        self._log = log
        self._last: Json = None

    async def put_state(self, thread_id: str, key: str, value: Json) -> None:
        """Record a checkpoint, which is put twice, the second time as the latest one."""
        kept = key.startswith("checkpoint:") and value["phase"] in PHASES
        if kept and (value["phase"] != SNAPSHOT or value["payload"].get("pending_llm_response") is not None):
            if key != f"checkpoint:{value['run_id']}:latest":
                has = {
                    "run": value["run_id"],
                    "key": key,
                    "latest": False,
                    "has": [one for one in FIELDS if one in value],
                }
                self._log.append({"fact": "checkpoint", "phase": value["phase"], "step": value["step"], **has})
                self._last = value
            elif value == self._last:
                checkpoints = (one for one in reversed(self._log) if one["fact"] == "checkpoint")
                next(checkpoints)["latest"] = True
        await super().put_state(thread_id, key, value)


class Gate(PolicyEngine):  # type: ignore[misc]
    """A policy that decides on model calls as the script says, and allows all else."""

    def __init__(self, script: Script) -> None:
        super().__init__()
        self._script = script

    def evaluate(self, event: Any) -> Any:
        """Decide."""
        found = super().evaluate(event)
        if event.event_type != "llm_before_execute":
            return found
        action = GATES[self._script.at(event.step)["gate"]]
        return type(found)(decision=PolicyDecision(action=action, policy_id="script"))


class People:
    """Answers what is asked of people, at once or later, and hears all events in their order."""

    def __init__(self, script: Script, log: list[Json]) -> None:
        self._script, self._log = script, log
        self._owed: Json = None

    async def request_approval(self, request: Any) -> Any:
        """Answer the question whether to go on."""
        step = self._asked(request.step, "approval")
        return self._answered(step, ApprovalDecision(kind=step["answer"]))

    async def request_user_input(self, request: Any) -> Any:
        """Answer the question what to say."""
        step = self._asked(request.step, "input")
        return self._answered(step, UserInputDecision(kind=step["answer"], value=step["says"]))

    async def await_deferred(self, token: str, *, timeout_s: float) -> Any:
        """Answer what was put off; a step that has no answer never is, so its time runs out."""
        if self._owed is None:
            await asyncio.sleep(timeout_s)
        return self._owed

    async def notify(self, event: Any) -> None:
        """Record an event."""
        if event.type not in EVENTS or event.data.get("event_type", "llm_before_execute") != "llm_before_execute":
            return
        record = {"fact": "event", "type": event.type, "state": event.state}
        self._log.append(record | {"step": event.step} if event.step is not None else record)

    def _asked(self, number: int, what: str) -> Json:
        self._log.append({"fact": "asked", "what": what, "step": number})
        return self._script.at(number)

    def _answered(self, step: Json, decision: Any) -> Any:
        if step["later"]:
            self._owed = None if step["answer"] == "none" else decision
            return DeferredDecision(token="later")  # noqa: S106 - a name, no secret
        return decision
