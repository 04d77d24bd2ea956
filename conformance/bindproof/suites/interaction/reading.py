"""A log as the checks read it: its records by step, beside the fate that each step has by the scenario.

Enters: a complete scenario, a log. Leaves: a Reading. Must not know requirements.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Final

from msgspec import Struct

from bindproof.suite_api import Json
from bindproof.suites.interaction.fates import Fate, fates
from bindproof.suites.interaction.trying import fails_at

TERMINAL: Final = ("run_completed", "run_failed", "run_interrupted", "run_cancelled")


class Part(Struct, frozen=True):
    """What was seen of one step. places: the indices of its records."""

    fate: Fate
    places: list[int]
    log: list[Json]

    def of(self, fact: str, name: str | None = None) -> list[int]:
        """Return the places of records of a fact; name: of the event, the phase, the question or the model."""
        return [
            at for at in self.places if self.log[at]["fact"] == fact and (name is None or named(self.log[at]) == name)
        ]

    @property
    def calls(self) -> list[Json]:
        """The calls of models."""
        return [self.log[at] for at in self.of("called")]

    @property
    def taken(self) -> list[tuple[str, list[int]]]:
        """The models that are called, each with the places of the calls that come one after the other."""
        grouped = groupby(self.of("called"), key=lambda at: str(self.log[at]["model"]))
        return [(model, list(places)) for model, places in grouped]

    @property
    def owed(self) -> list[tuple[str, int, list[int]]]:
        """The models that are to be called and are, each with how often it is to be called, and where it first is."""
        due = dict(zip(self.fate.models, self.fate.tries, strict=True))
        seen = dict(reversed(self.taken))
        return [(model, count, seen[model]) for model, count in due.items() if model in seen]

    @property
    def misled(self) -> str | None:
        """The first model whose breaker lets through what it should reject, or rejects what it should let through."""
        called = {model for model, _ in self.taken}
        due = set(self.fate.models)
        return next((model for model in self.fate.breakers if (model in called) != (model in due)), None)

    @property
    def strays(self) -> bool:
        """Tell whether a breaker misleads the step, or a call is made again otherwise than it should."""
        return self.misled is not None or any(
            len(places) < due or (len(places) > due and fails_at(self.fate.step, model, due))
            for model, due, places in self.owed
        )


class Reading(Struct, frozen=True):
    """A log, read."""

    scenario: Json
    log: list[Json]
    fates: list[Fate]
    parts: list[Part]
    """The steps that began and that have a fate, as they came."""
    beyond: list[int]
    """The places at which steps begin that ought not to."""
    begun: int
    """How many steps begin."""
    stray: Part | None
    """The step that strays (see Part.strays). It is not among the parts, and nothing after it is."""

    @property
    def began(self) -> bool:
        """Tell whether the run is one that begins."""
        return self.scenario["stop"] is None

    @property
    def last(self) -> Fate | None:
        """The fate of the step that ends the run; None where a step before it has gone astray."""
        return self.fates[-1] if self.fates and self.stray is None else None

    @property
    def end(self) -> int | None:
        """The place of what came of the run."""
        return next((at for at, record in enumerate(self.log) if record["fact"] == "ended"), None)

    @property
    def met(self) -> list[Part]:
        """The steps that began, with the one that strays."""
        return self.parts if self.stray is None else [*self.parts, self.stray]

    def of(self, fact: str, name: str | None = None) -> list[int]:
        """Return the places of records of a fact, as `Part.of`."""
        return [at for at, one in enumerate(self.log) if one["fact"] == fact and (name is None or named(one) == name)]

    def parts_of(self, *kinds: str) -> Iterator[Part]:
        """Yield the steps that began and have one of these fates."""
        return (part for part in self.parts if part.fate.kind in kinds)


def named(record: Json) -> str | None:
    """Return what tells a record from others of its fact."""
    key = {"event": "type", "checkpoint": "phase", "asked": "what", "called": "model"}.get(record["fact"])
    return None if key is None else record[key]


def reading(scenario: Json, log: list[Json]) -> Reading:
    """Read a log."""
    due = fates(scenario)
    begun = [one for one in due if one.begins]
    places: list[list[int]] = []
    over = False
    for at, record in enumerate(log):
        if record["fact"] == "event" and record["type"] == "step_started" and not over:
            places.append([])
        over = over or (record["fact"] == "event" and record["type"] in TERMINAL) or record["fact"] == "ended"
        if places and not over:
            places[-1].append(at)
    parts = [Part(fate, found, log) for fate, found in zip(begun, places, strict=False)]
    stray = next((at for at, part in enumerate(parts) if part.strays), None)
    beyond = [found[0] for found in places[len(begun) :]]
    kept = parts if stray is None else parts[:stray]
    return Reading(scenario, log, due, kept, beyond, len(places), None if stray is None else parts[stray])
