"""A run of AFK's runner whose call is decided on by an engine of rules and by roles; what they decide, as records.

Enters: a complete scenario that is `of` a policy. Leaves: its log. Nothing waits, as in `running`.
"""

from __future__ import annotations

from typing import Any

from afk.agents import Agent, PolicyDecision, PolicyEngine, PolicyRule, PolicyRuleCondition
from afk.agents.types import ApprovalDecision, UserInputDecision
from afk.core.runner import Runner, RunnerConfig
from afk.llms.types import LLMCapabilities, LLMRequest, LLMResponse
from afk.memory import InMemoryMemoryStore
from ending import ended
from idle import log_of
from providing import Provided
from scripted import config_of, told

Json = Any

CALL = "llm_before_execute"
ACTIONS = {
    "allow": "allow", "deny": "deny", "defer": "defer", "approval": "request_approval", "input": "request_user_input",
}  # fmt: skip
NAMES = {theirs: ours for ours, theirs in ACTIONS.items()}
CONDITIONS = {
    "always": PolicyRuleCondition(),
    "call": PolicyRuleCondition(event_type=CALL),
    "tool": PolicyRuleCondition(event_type="tool_before_execute"),
    "function": lambda event: event.event_type == CALL,
    "function of a tool": lambda event: event.tool_name is not None,
}
SUBJECTS = {"any": "any", "call": "llm_call", "tool": "tool_call"}


def decided(scenario: Json) -> list[Json]:
    """Return the log of one run."""
    log: list[Json] = log_of(lambda kept: _run(scenario, kept))
    return log


async def _run(scenario: Json, log: list[Json]) -> None:
    runner = Runner(
        memory_store=InMemoryMemoryStore(),
        interaction_provider=People(log),
        config=RunnerConfig(
            interaction_mode="interactive", checkpoint_async_writes=False, background_tools_enabled=False
        ),
    )
    model = Answering(log)
    agent = Agent(
        name="agent",
        model="m1",
        instructions="be scripted",
        model_resolver=lambda name: model,
        policy_engine=PolicyEngine(rules=[_rule(one) for one in scenario["steps"]]),
        policy_roles=[_role(number, says, log) for number, says in enumerate(scenario["roles"], 1)],
    )
    await ended(runner, agent, log)


def _rule(rule: Json) -> Any:
    return PolicyRule(
        rule_id=rule["id"],
        action=ACTIONS[rule["action"]],
        priority=rule["priority"],
        enabled=rule["enabled"],
        subjects=[SUBJECTS[rule["subject"]]],
        condition=CONDITIONS[rule["when"]],
    )


def _role(number: int, says: str, log: list[Json]) -> Any:
    """Return a role; every second one is asynchronous."""

    def decide(event: Any) -> Any:
        if event.event_type != CALL:
            return PolicyDecision(action="allow")
        log.append({"fact": "consulted", "role": number})
        if says == "crash":
            raise RuntimeError(f"[role {number} crashes]")
        return None if says == "nothing" else PolicyDecision(action=ACTIONS[says])

    async def decide_later(event: Any) -> Any:
        return decide(event)

    return decide_later if number % 2 == 0 else decide


class People:
    """Allow whatever they are asked, and hear what was decided."""

    def __init__(self, log: list[Json]) -> None:
        self._log = log

    async def request_approval(self, request: Any) -> Any:
        """Say yes."""
        self._log.append({"fact": "asked", "what": "approval", "step": request.step})
        return ApprovalDecision(kind="allow")

    async def request_user_input(self, request: Any) -> Any:
        """Say something."""
        self._log.append({"fact": "asked", "what": "input", "step": request.step})
        return UserInputDecision(kind="allow", value="go")

    async def await_deferred(self, token: str, *, timeout_s: float) -> Any:
        """Nothing is put off."""
        raise NotImplementedError

    async def notify(self, event: Any) -> None:
        """Record a decision."""
        if event.type == "policy_decision" and event.data["event_type"] == CALL:
            action = NAMES.get(event.data["action"], event.data["action"])
            self._log.append({"fact": "decided", "action": action, "rule": event.data["policy_id"]})


class Answering(Provided):  # type: ignore[misc]
    """A model that says that it is done."""

    def __init__(self, log: list[Json]) -> None:
        super().__init__(config=config_of("m1"))
        self._log = log

    @property
    def capabilities(self) -> LLMCapabilities:
        """It calls tools, of which agents have some."""
        return LLMCapabilities(tool_calling=True)

    async def _chat_core(self, req: LLMRequest, *, response_model: Any = None) -> LLMResponse:
        self._log.append({"fact": "called", **told(req), "waited": 0})
        return LLMResponse(text="done", model=req.model)
