"""How each step of a scenario has to come out, by the scenario alone: which models it may call, and what ends it.

Enters: a complete scenario. Leaves: fates. Must not know records, nor the reference.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from msgspec import Struct

from bindproof.suite_api import Json
from bindproof.suites.interaction.breakers import SECOND, Breakers, Standing
from bindproof.suites.interaction.trying import tried, waits

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
    breakers: dict[str, Standing]
    """How the breakers stand of the models that are wanted, where that is worth a word."""

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
    """Return the fate of each step, to the one that ends the run; of a run that is stopped before it, none.

    Raises OpenQuestionError where no document says how a breaker stands.
    """
    return [] if scenario["stop"] is not None else list(_fates(scenario))


def _fates(scenario: Json) -> Iterator[Fate]:
    spent = 0
    course = _Course(scenario)
    more: Json = {
        "gate": "allow", "fails": [], "error": "plain", "times": None, "begun": False, "text": "more", "tool": False,
        "cost": 0, "stop": None, "rests": 0,
    }  # fmt: skip
    for number, step in enumerate((*scenario["steps"], more), 1):
        limit = _limited(scenario, number)
        if limit is not None:
            yield Fate(number, limit, step, [], [], spent, {})
            return
        kind, models, tries, breakers = course.met(step)
        spent += step["cost"] if kind in ("goes_on", "completed") else 0
        if kind in ("goes_on", "completed") and scenario["most_cost"] is not None and spent > scenario["most_cost"]:
            kind = "over_cost"
        yield Fate(number, kind, step, models, tries, spent, breakers)
        if kind != "goes_on":
            return


def _limited(scenario: Json, number: int) -> Kind | None:
    if scenario["most_calls"] is not None and number > scenario["most_calls"]:
        return "over_calls"
    return "over_steps" if scenario["most_steps"] is not None and number > scenario["most_steps"] else None


Met = tuple[Kind, list[str], list[int], dict[str, Standing]]


class _Course:
    """What lasts from step to step: the time, and the breakers."""

    def __init__(self, scenario: Json) -> None:
        self._scenario, self._breakers, self._now = scenario, Breakers(scenario), 0

    def met(self, step: Json) -> Met:
        """Return what a step meets, which models it calls and how often, and how their breakers stand."""
        if step["gate"] == "deny":
            return "denied", [], [], {}
        if step["gate"] != "allow" and step["answer"] != "allow":
            return "refused", [], [], {}
        models: list[str] = []
        tries: list[int] = []
        stand: dict[str, Standing] = {}
        for name in candidates(self._scenario):
            standing = self._breakers.asked(name, self._now)
            if standing is not None:
                stand[name] = standing
            if standing == "shut":
                continue
            count, answered = tried(self._scenario, step, name)
            models.append(name)
            tries.append(count)
            self._now += waits(self._scenario, step, count, answered)
            if not answered:
                self._breakers.failed(name, self._now)
                continue
            self._breakers.answered(name)
            if step["stop"] is not None:
                return "stopped", models, tries, stand
            self._now += step["rests"] * SECOND
            return ("goes_on" if step["tool"] else "completed"), models, tries, stand
        return "failed", models, tries, stand
