"""Policies of several rules and roles: their language, what they have to decide, and logs of it, read.

Enters: a scenario that is `of` a policy, a log. Leaves: the complete scenario, its Course, a Decided. Must not know the
requirements, nor the reference.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Struct

from bindproof.suite_api import Json
from bindproof.suites.interaction.own_log import LogOfItsOwn

Action = Literal["allow", "deny", "defer", "approval", "input"]
When = Literal["always", "call", "tool", "function", "function of a tool"]
"""Of which events a condition is true: of all; of a model's call, or a tool's, by its type or by a function."""

Subject = Literal["any", "call", "tool"]
Role = Literal["allow", "nothing", "deny", "defer", "approval", "input", "crash"]
FUNCTIONS: Final = ("function", "function of a tool")


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    """A rule of the engine."""

    id: Annotated[str, msgspec.Meta(pattern=r"^[a-z][0-9]?$")]
    action: Action
    priority: Annotated[int, msgspec.Meta(ge=0, le=999)] = 100
    enabled: bool = True
    subject: Subject = "any"
    when: When = "always"


class Policy(Struct, frozen=True, forbid_unknown_fields=True):
    """A run of one call. steps: the rules of its engine; roles: what each of them says."""

    of: Literal["policy"]
    steps: Annotated[list[Rule], msgspec.Meta(max_length=6)]
    roles: Annotated[list[Role], msgspec.Meta(max_length=4)] = []


class Course(Struct, frozen=True):
    """What a policy has to decide of the call.

    matching: the rules that apply, the deciding one first; action: None where a role crashes; consulted: the roles that
    are asked, from 1 on.
    """

    matching: list[Json]
    action: str | None
    consulted: list[int]

    @property
    def engine(self) -> str:
        """What the engine decides by itself."""
        return str(self.matching[0]["action"]) if self.matching else "allow"


class Decided(LogOfItsOwn, frozen=True):
    """A log of such a run, read."""

    course: Course

    @property
    def decision(self) -> Json:
        """The first record of a decision, or None."""
        return next(iter(self.of("decided")), None)

    @property
    def end(self) -> Json:
        """The record of what came of the run, or None."""
        return next(iter(self.of("ended")), None)

    @property
    def fails(self) -> bool:
        """Tell whether the run failed before anything was decided, or any role asked."""
        failed = self.end is not None and "error" in self.end
        return failed and self.decision is None and not self.of("consulted")

    @property
    def decider(self) -> Json:
        """The rule that is told to have decided, or None where it is none of the engine's."""
        name = None if self.decision is None else self.decision["rule"]
        return next((rule for rule in self.scenario["steps"] if rule["id"] == name), None)


def problem(scenario: Json) -> str | None:
    """Say what of a policy breaks the language, or None."""
    names = [rule["id"] for rule in scenario["steps"]]
    twice = next((name for name in names if names.count(name) > 1), None)
    return None if twice is None else f"two rules are called {twice}, and nothing says which of them comes first"


def applies(rule: Json) -> bool:
    """Tell whether a rule applies to a call of a model."""
    return bool(rule["enabled"] and rule["subject"] != "tool" and rule["when"] in ("always", "call", "function"))


def course(scenario: Json) -> Course:
    """Return what a policy has to decide."""
    matching = sorted(filter(applies, scenario["steps"]), key=lambda rule: (-rule["priority"], rule["id"]))
    if matching and matching[0]["action"] != "allow":
        return Course(matching, matching[0]["action"], [])
    for number, says in enumerate(scenario["roles"], 1):
        if says not in ("allow", "nothing"):
            return Course(matching, None if says == "crash" else says, list(range(1, number + 1)))
    return Course(matching, "allow", list(range(1, len(scenario["roles"]) + 1)))


def decided(scenario: Json, log: list[Json]) -> Decided:
    """Read a log."""
    return Decided(scenario, log, course(scenario))
