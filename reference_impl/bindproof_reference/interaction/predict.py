"""What the contract allows to be seen of a run: one lane of events, checkpoints, questions and calls, in their order.

Enters: a complete scenario, an edition's name, the dialect as plain data. Leaves: a prediction
`{"lanes": {"program": [record]}, "after": []}`. Nothing waits: the model is the scenario's, and time is virtual.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from bindproof_reference.interaction.budgets import budgeted
from bindproof_reference.interaction.defaults import unset
from bindproof_reference.interaction.handles import handled
from bindproof_reference.interaction.names import resolved
from bindproof_reference.interaction.outputs import asked
from bindproof_reference.interaction.policies import decided
from bindproof_reference.interaction.records import ANY, HELLO, RETRYABLE, refusal
from bindproof_reference.interaction.requests import requested
from bindproof_reference.interaction.resuming import resumed
from bindproof_reference.interaction.states import moved
from bindproof_reference.interaction.stops import stopped

Json = Any

EDITIONS: Final = ("0.1",)
TERMINAL: Final = {"completed": "run_completed", "degraded": "run_completed", "failed": "run_failed"}
DEGRADING: Final = ("retry_then_degrade", "continue", "continue_with_error", "retry_then_continue", "skip_action")
"""The policies under which a run that lacks an answer ends with what it has; the others let it fail."""

OWN: Final = "AgentExecutionError"
"""What an error of a model becomes that a run fails with (CND-017)."""

FIELDS: Final = ("payload", "phase", "run_id", "schema_version", "timestamp_ms")
"""What each checkpoint has (RUN-017)."""

METADATA: Final[Json] = {
    "thread": "thread", "agent": "agent",
    "channels": {"system": "trusted_system", "tool": "untrusted_tool_output"},
}  # fmt: skip
"""What each request says of where it comes from (CND-014 to CND-016), beside what its runner was set to."""

TOOLS: Final[Json] = {False: {"tools": True, "choice": "auto"}, True: {"tools": False, "choice": None}}
"""What a request has of tools, by whether its agent is bare (CND-009, CND-019)."""

PATIENCE: Final = 30_000
"""So many milliseconds a call may take."""

PAST_THE_END: Final[Json] = {
    "gate": "allow", "fails": [], "error": "plain", "times": None, "begun": False, "text": "more", "tool": False,
    "cost": 0, "session": None, "checkpoint": None, "stop": None, "rests": 0,
}  # fmt: skip
"""The step of a run that goes on after its script."""


_FORMS: Final = {
    "output": asked, "resume": resumed, "request": requested, "policy": decided, "names": resolved, "budget": budgeted,
    "stop": stopped, "states": moved, "defaults": unset,
}  # fmt: skip
"""What foretells the records of scenarios that are no runs, and have one lane."""


def predict(scenario: Json, edition: str, dialect: Json) -> Json:
    """Return the prediction of one scenario; raises ValueError for an edition that nobody knows."""
    if edition not in EDITIONS:
        raise ValueError(f"the reference knows no edition {edition!r}; it knows {', '.join(EDITIONS)}")
    if scenario["of"] == "stream":
        return {"lanes": handled(scenario), "after": []}
    if scenario["of"] in _FORMS:
        return {"lanes": {"program": _FORMS[scenario["of"]](scenario)}, "after": []}
    run = Run(scenario)
    run.act()
    return {"lanes": {"program": run.log}, "after": []}


class Over(Exception):  # noqa: N818 - how a run ends, not a programming error
    """The run is over. state: the one that it ends in. error: what it fails with, or None for a value."""

    def __init__(self, state: str, error: Json = None, text: Json = ANY) -> None:
        super().__init__(state)
        self.state, self.error, self.text = state, error, text


@dataclass
class Run:
    """One run of a scenario."""

    scenario: Json
    log: list[Json] = field(default_factory=list)
    number: int = 0
    spent: int = 0
    messages: list[Json] = field(default_factory=lambda: [HELLO])
    now: int = 0
    idle: int = 0
    """How many milliseconds have passed since the last call."""
    rows: dict[str, int] = field(default_factory=dict)
    """How often each model has failed in a row."""
    opened: dict[str, int] = field(default_factory=dict)
    """When the breakers opened that did."""
    tokens: dict[str, str | None] = field(default_factory=lambda: {"session": None, "checkpoint": None})

    def act(self) -> None:
        """Act the run out, to its end."""
        if self.scenario["stop"] is not None:
            self._ended(_stopped(self.scenario["stop"]))
            return
        self._event("run_started", "running")
        self._checkpoint("run_started")
        try:
            while True:
                self._step()
        except Over as over:
            event = _STOPS[over.state] if over.state in _STOPS else TERMINAL[over.state]
            state = "cancelled" if over.state in _STOPS else over.state
            # RUN-004: what a run completes with is of the run, and not of a step
            self._event(event, state, of_step=event != "run_completed")
            self._checkpoint("run_terminal")
            self._ended(over)

    def _step(self) -> None:
        self.number += 1
        self._within_limits()
        step = self._script()
        self._event("step_started", "running", of_step=True)
        self._checkpoint("step_started")
        self._checkpoint("pre_llm")
        self._event("policy_decision", "running", of_step=True)
        self._gate(step)
        self._event("llm_called", "running", of_step=True)
        self._ask_models(step)
        self._take(step)

    def _script(self) -> Json:
        steps = self.scenario["steps"]
        return steps[self.number - 1] if self.number <= len(steps) else PAST_THE_END

    def _within_limits(self) -> None:
        calls, steps = self.scenario["most_calls"], self.scenario["most_steps"]
        if calls is not None and self.number > calls:  # LIM-001: each step so far has called
            raise Over("failed", refusal("over_budget"))
        if steps is not None and self.number > steps:  # LIM-003
            raise Over("failed", refusal("over_steps"))

    def _gate(self, step: Json) -> None:
        if step["gate"] == "deny":
            raise self._without(self.scenario["on_failure"], refusal("denied"))
        if step["gate"] == "allow":
            return
        self.log.append({"fact": "asked", "what": step["gate"], "step": self.number})
        if step["later"]:
            self._event("run_paused", "paused", of_step=True)
            self._checkpoint("paused")
            self._event("run_resumed", "running", of_step=True)
            self._checkpoint("resumed")
        if step["answer"] != "allow":
            raise self._without(self.scenario["on_refusal"], refusal("refused"))
        if step["gate"] == "input" and step["says"]:
            self.messages.append({"role": "user", "text": step["says"]})

    def _ask_models(self, step: Json) -> None:
        for model in candidates(self.scenario):
            if self._rejects(model) or not self._answers(model, step):
                continue
            if step["stop"] is not None:
                raise _stopped(step["stop"])
            return
        # The last of a chain is never rejected: where it failed before, its run was over. A model that gives no answer
        # at all has no words of its own.
        last = None if step["error"] == "slow" else f"[{candidates(self.scenario)[-1]} fails]"
        over = self._without(self.scenario["on_failure"], refusal("failed", last, OWN))
        if over.state == "degraded":
            self._event("warning", "degraded", of_step=True)
        raise over

    def _rejects(self, model: str) -> bool:
        """Tell whether the breaker of a model is open (BRK-001, BRK-003)."""
        return model in self.opened and self.now - self.opened[model] < self.scenario["cooldown"] * 1000

    def _answers(self, model: str, step: Json) -> bool:
        """Call a model until it answers or may not be called again; tell whether it answers."""
        again = self.scenario["idempotent"] and step["error"] in RETRYABLE and not step["begun"]
        left = self.scenario["retries"] if again else 0  # AGN-007: what has begun is not begun anew
        failures = 0
        while True:
            self._called(model, 0 if failures == 0 else self.scenario["jitter"])
            if model not in step["fails"] or failures == step["times"]:
                self.rows.pop(model, None)
                self.opened.pop(model, None)
                return True
            self.now += PATIENCE if step["error"] == "slow" else 0
            if failures == left:
                break
            self._pass(self.scenario["base"] * 2**failures)
            failures += 1
        self.rows[model] = self.rows.get(model, 0) + 1
        if self.rows[model] >= self.scenario["threshold"]:
            self.opened[model] = self.now
        return False

    def _pass(self, milliseconds: int) -> None:
        self.now += milliseconds
        self.idle += milliseconds

    def _take(self, step: Json) -> None:
        """Take the answer of the model that gave one."""
        self.spent += step["cost"]
        most = self.scenario["most_cost"]
        if most is not None and self.spent > most:  # LIM-005: the answer is not kept
            raise Over("failed", refusal("over_budget"))
        self.tokens = {name: step[name] or self.tokens[name] for name in self.tokens}
        self._checkpoint("post_llm")
        self._checkpoint("runtime_state")
        self._event("llm_completed", "running", of_step=True)
        if step["text"]:
            self.messages.append({"role": "assistant", "text": step["text"]})
        if not step["tool"]:
            raise Over("completed", text=step["text"])
        self.messages.append({"role": "tool"})
        self._pass(step["rests"] * 1000)

    def _without(self, policy: str, error: Json) -> Over:
        """Return how a run ends that has no answer, under a policy."""
        return Over("degraded") if policy in DEGRADING else Over("failed", error)

    # -- records ------------------------------------------------------------------------------------------------------

    def _event(self, kind: str, state: str, *, of_step: bool = False) -> None:
        record = {"fact": "event", "type": kind, "state": state}
        self.log.append(record | {"step": self.number} if of_step else record)

    def _checkpoint(self, phase: str) -> None:
        key = f"checkpoint:run:{self.number}:{phase}"
        kept = {"run": "run", "key": key, "latest": True, "has": list(FIELDS)}
        self.log.append({"fact": "checkpoint", "phase": phase, "step": self.number, **kept})

    def _called(self, model: str, jitter: int) -> None:
        name = f"run:step:{self.number}"
        told = {"model": model, "run": "run", "request": name, "key": name, "messages": list(self.messages)}
        pause: Json = {"$one_of": list(range(self.idle, self.idle + jitter + 1))} if jitter else self.idle
        self.idle = 0
        about = {**METADATA, "sanitized": self.scenario["sanitizes"]}  # CND-018
        more = {**TOOLS[self.scenario["bare"]], **self.tokens, "waited": pause, "metadata": about}
        self.log.append({"fact": "called", **told, **more})

    def _ended(self, over: Over) -> None:
        if over.error is not None:
            self.log.append({"fact": "ended", "error": over.error})
        elif over.state in _STOPS:
            self.log.append({"fact": "ended", "value": None})
        else:
            self.log.append({"fact": "ended", "value": {"state": over.state, "text": over.text}})


_STOPS: Final = {"cancel": "run_cancelled", "interrupt": "run_interrupted"}


def _stopped(how: str) -> Over:
    return Over(how, refusal("interrupted") if how == "interrupt" else None)


def candidates(scenario: Json) -> list[str]:
    """Return the models of a step, in the order in which they are called: each once, blank names left out."""
    names = [scenario["model"], *(name.strip() for name in scenario["fallbacks"])]
    return list(dict.fromkeys(name for name in names if name))
