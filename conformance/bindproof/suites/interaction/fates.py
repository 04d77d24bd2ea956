"""How each step of a scenario has to come out, by the scenario alone: which models it may call, and what ends it.

Enters: a complete scenario. Leaves: fates. Must not know records, nor the reference.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from msgspec import Struct

from bindproof.suite_api import Json
from bindproof.suites.interaction.trying import tried

FAILING: Final = ("retry_then_fail", "fail_fast", "fail_run")
"""The policies under which a run fails that lacks an answer."""

Kind = Literal[
    "goes_on", "completed", "denied", "refused", "failed", "stopped", "over_cost", "over_calls", "over_steps"
]  # fmt: skip


class Fate(Struct, frozen=True):
    """What a step comes to."""

    number: int
    """From 1 on."""
    kind: Kind
    step: Json
    """What the scenario says of it."""
    models: list[str]
    """The models that it calls, in order."""
    tries: list[int]
    """How often it calls each of them, one time after the other."""
    spent: int
    """The cost of all answers, with this one's."""

    @property
    def begins(self) -> bool:
        """Tell whether the step begins: one for which there is no budget does not."""
        return self.kind not in ("over_calls", "over_steps")

    @property
    def answered(self) -> bool:
        """Tell whether the run takes an answer."""
        return self.kind in ("goes_on", "completed")


def candidates(scenario: Json) -> list[str]:
    """Return the primary model and those of the chain, each once."""
    found = [scenario["model"]]
    for name in scenario["fallbacks"]:
        if name.strip() and name.strip() not in found:
            found.append(name.strip())
    return found


def fates(scenario: Json) -> list[Fate]:
    """Return the fate of each step, to the one that ends the run; of a run that is stopped before it, none."""
    return [] if scenario["stop"] is not None else list(_fates(scenario))


def _fates(scenario: Json) -> Iterator[Fate]:
    spent = 0
    more: Json = {
        "gate": "allow", "fails": [], "error": "plain", "times": None, "text": "more", "tool": False, "cost": 0,
        "stop": None,
    }  # fmt: skip
    for number, step in enumerate((*scenario["steps"], more), 1):
        limit = _limited(scenario, number)
        if limit is not None:
            yield Fate(number, limit, step, [], [], spent)
            return
        kind, models, tries = _met(scenario, step)
        spent += step["cost"] if kind in ("goes_on", "completed") else 0
        if kind in ("goes_on", "completed") and scenario["most_cost"] is not None and spent > scenario["most_cost"]:
            kind = "over_cost"
        yield Fate(number, kind, step, models, tries, spent)
        if kind != "goes_on":
            return


def _limited(scenario: Json, number: int) -> Kind | None:
    if scenario["most_calls"] is not None and number > scenario["most_calls"]:
        return "over_calls"
    return "over_steps" if scenario["most_steps"] is not None and number > scenario["most_steps"] else None


def _met(scenario: Json, step: Json) -> tuple[Kind, list[str], list[int]]:
    if step["gate"] == "deny":
        return "denied", [], []
    if step["gate"] != "allow" and step["answer"] != "allow":
        return "refused", [], []
    models: list[str] = []
    tries: list[int] = []
    for name in candidates(scenario):
        count, answered = tried(scenario, step, name)
        models.append(name)
        tries.append(count)
        if answered and step["stop"] is not None:
            return "stopped", models, tries
        if answered:
            return ("goes_on" if step["tool"] else "completed"), models, tries
    return "failed", models, tries
