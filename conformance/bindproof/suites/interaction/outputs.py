"""Calls of a model for structured output: their language, how they have to come out, and their logs, read.

Enters: a scenario that is `of` an output, a log. Leaves: the complete scenario, its Fate, an Asked. Must not know the
requirements, nor the reference.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Struct

from bindproof.suite_api import Json

Says = Literal["payload", "text", "fenced", "bad payload", "bad text", "words", "slow"]
VALID: Final = ("payload", "text", "fenced")
"""Answers in which an output is found that satisfies the schema."""


class Answer(Struct, frozen=True, forbid_unknown_fields=True):
    """What the model says to one request."""

    says: Says = "text"


class Output(Struct, frozen=True, forbid_unknown_fields=True):
    """One call of a model for an output of the one schema, with what it and its repairs are answered."""

    of: Literal["output"]
    steps: Annotated[list[Answer], msgspec.Meta(min_length=1, max_length=6)]
    repairs: Annotated[int, msgspec.Meta(ge=0, le=3)] = 2


Kind = Literal["output", "invalid", "silent"]


class Fate(Struct, frozen=True):
    """How a call comes out. calls: how many requests it takes."""

    kind: Kind
    calls: int


class Asked(Struct, frozen=True):
    """A log of such a call, read. places: of the requests."""

    scenario: Json
    log: list[Json]
    fate: Fate
    places: list[int]

    @property
    def end(self) -> Json:
        """The record of what came of the call, or None where it hangs."""
        return next((record for record in self.log if record["fact"] == "ended"), None)

    @property
    def guessed(self) -> Json:
        """The output that was taken from the text beside a payload that is none, or None."""
        value = (self.end or {}).get("value")
        found = value.get("output") if isinstance(value, dict) else None
        bad = [nth for nth in range(1, self.fate.calls + 1) if self.says(nth) == "bad payload"]
        return found if found in [output(nth) for nth in bad] else None

    def says(self, nth: int) -> str:
        """Return what the nth request is answered, counted from 1."""
        return said(self.scenario, nth)


def said(scenario: Json, nth: int) -> str:
    """Return what the nth request of a scenario is answered; what comes after the last answer is a text."""
    steps = scenario["steps"]
    return str(steps[nth - 1]["says"]) if nth <= len(steps) else "text"


def fate(scenario: Json) -> Fate:
    """Return how a call comes out."""
    for nth in range(1, scenario["repairs"] + 2):
        if said(scenario, nth) == "slow":
            return Fate("silent", nth)
        if said(scenario, nth) in VALID:
            return Fate("output", nth)
    return Fate("invalid", scenario["repairs"] + 1)


def asked(scenario: Json, log: list[Json]) -> Asked:
    """Read a log."""
    places = [at for at, record in enumerate(log) if record["fact"] == "called"]
    return Asked(scenario, log, fate(scenario), places)


def output(nth: int) -> Json:
    """Return the output that the nth answer has, where it has one."""
    return {"name": f"[{nth}]", "count": nth}
