"""What emits events: scopes, marks, guardrails, calls. It takes the registrations of the moment, then publishes.

Enters: events. Leaves: nothing but what `publication` records.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from bindproof_reference.relay.callbacks import ScenarioError
from bindproof_reference.relay.events import Emitted, of_edition
from bindproof_reference.relay.levels import Levels
from bindproof_reference.relay.publication import Chains, publish
from bindproof_reference.relay.run import Run
from bindproof_reference.relay.scopes import Captured, Scope, Stack
from bindproof_reference.relay.values import Json

UNHEARD = "unheard"
"""What `Run.accepted` has where a managed call rewrites its events while it runs, though nobody is told (EVT-026)."""


@dataclass
class World:
    """A run with what it has registered, opened and started; identities, and streams left to read, by step."""

    run: Run
    levels: Levels = field(default_factory=Levels)
    stack: Stack = field(default_factory=Stack)
    started: dict[str, Json] = field(default_factory=dict)
    captured: dict[str, Captured] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    streams: dict[str, Any] = field(default_factory=dict)

    def identity(self, name: str) -> str:
        """Return an identity for what a step makes now: the step's own name, but for what it made before."""
        count = self.counts[name] = self.counts.get(name, 0) + 1
        return name if count == 1 else f"{name}~{count}"

    def chain(self, family: str) -> list[Json]:
        """Return the effective chain of a family now."""
        return self.levels.chain(family, self.stack.levels())

    def audience(self) -> tuple[str, ...]:
        """Return the subscribers that are registered now."""
        return self.levels.subscribers(self.stack.levels())

    def settled(self) -> tuple[str, ...] | None:
        """Return who is told of all events of a call that begins now; None where each event asks anew."""
        return self.audience() if self.run.rules.subscribers_settled else None

    def around(self, step: Json) -> Scope:
        """Return the scope that a step's events are in: the one that it names, else the innermost open one.

        Their root is that of the innermost one all the same.
        """
        parent, top = step.get("parent"), self.stack.top()
        if parent is None:
            return top
        if "scope" not in self.started.get(parent, {}):
            raise ScenarioError(f"step {step['as']}: {parent!r} has started no scope yet")
        named: Scope = self.started[parent]["scope"]
        return named if step["step"] == "start" and step["kind"] == "scope" else replace(named, root=top.root)

    def emit(self, event: Emitted, audience: Sequence[str] | None = None, *, if_heard: bool = False) -> None:
        """Publish an event to the subscribers of now, or to those that were noted before.

        if_heard: where nobody is told, nothing rewrites it in any case: it is of a guardrail, or of a call that has
        come back.
        """
        chains = Chains(self.chain("event.metadata"), self.chain(f"{event.phase()}.sanitize"))
        told = self.audience() if audience is None else audience
        heard = bool(told) or (audience is not None and not if_heard and UNHEARD in self.run.accepted)
        if heard or not self.run.rules.sanitizers_fail_closed:  # EVT-026
            publish(self.run, of_edition(event, self.run.rules), chains, told)

    def emit_failed(self, event: Emitted, audience: Sequence[str] | None) -> None:
        """Publish the end of a call that failed; of one that the program cancels in lanes of its own: when, is open
        (FLT-011).
        """
        if event.fixed["name"] in self.run.cancels:
            self.emit_cancelled(event, audience)
        else:
            self.emit(event, audience)

    def emit_cancelled(self, event: Emitted, audience: Sequence[str] | None, *, if_heard: bool = False) -> None:
        """Publish an end, of a call or of its guardrail, that is told some time after its call was cancelled."""
        self.run.aside = f".cancelled.{event.fixed['name']}"
        self.emit(event, audience, if_heard=if_heard)
        self.run.aside = ""
