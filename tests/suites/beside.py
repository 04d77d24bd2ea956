"""Scenarios with something beside what a planted fault spoils: a scope, another call, a sanitizer, and so on.

Enters: the vectors, each thing that can stand beside. Leaves: scenarios, and what a fault breaks in them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from typing import Any

from bindproof.runner.plans import plans
from bindproof.suites import Prepared
from tests.relay import SUITE, VECTORS, broken, judged, lawful, plain

Json = Any

SETTING = ("0.10", "python")
DIALECT = plain(SETTING[1])
MOST = 2
"""So many of the vectors that a fault finds something in are tried with each thing beside, the smallest first."""


def with_metadata(steps: list[Json]) -> list[Json]:
    """Metadata on each call of the program that has none."""
    return [step | ({"metadata": {"k": 1}} if step.get("metadata", 1) is None else {}) for step in steps]


def in_a_scope(steps: list[Json]) -> list[Json]:
    """A scope around the whole program, but for the subscribers that it begins with: nobody knows an untold scope."""
    begin = {"step": "start", "as": "around", "name": "around", "type": "function"}
    told = list(takewhile(lambda step: step.get("family") == "subscriber", steps))
    return [*told, begin, *steps[len(told) :], {"step": "end", "as": "over", "of": "around"}]


def beside(*more: Json) -> Callable[[list[Json]], list[Json]]:
    """Steps before all others."""
    return lambda steps: [*more, *steps]


def behind(*more: Json) -> Callable[[list[Json]], list[Json]]:
    """Steps after all others."""
    return lambda steps: [*steps, *more]


def idle(family: str) -> Json:
    """A registration that changes nothing."""
    return {"step": "register", "as": f"idle {family.replace('.', ' ')}", "family": family, "name": f"idle {family}"}


PLUGIN: Json = {"step": "install", "as": "idle", "do": [{"op": "step", "step": idle("tool.request")}]}
BESIDE: dict[str, Callable[[list[Json]], list[Json]]] = {
    "metadata": with_metadata,
    "a scope around": in_a_scope,
    "a tool call": beside({"step": "call", "as": "other", "kind": "tool", "name": "other"}),
    "a stream": behind({"step": "call", "as": "other", "kind": "llm_stream", "name": "other"}),
    "a sanitizer and an injector": beside(idle("mark.sanitize"), idle("event.metadata")),
    "a second subscriber": beside(idle("subscriber")),
    "a plugin": beside(PLUGIN),
}


def ready(steps: list[Json]) -> tuple[Json, Prepared] | None:
    """The scenario made ready, or None where the language or the dialect has no such thing."""
    try:
        full = SUITE.complete({"steps": steps})
        prepared = SUITE.prepare(full, *SETTING)
    except ValueError:
        return None
    return None if "inexpressible" in prepared.prediction else (full, prepared)


@cache
def scenarios() -> list[Json]:
    """The vectors, the smallest first."""
    found = [plan.scenario for plan in plans(SUITE, VECTORS, *SETTING)]
    return sorted([one for one in found if ready(one["steps"])], key=lambda one: len(repr(one)))


@dataclass(frozen=True)
class Beside:
    """A scenario with something beside it: complete, ready, a lawful log of it, and what that is seen to keep."""

    full: Json
    prepared: Prepared
    log: list[Json]
    kept: frozenset[str]


@cache
def with_beside(name: str) -> list[Beside]:
    """Every scenario in which this can stand beside the rest."""
    made = [ready(BESIDE[name](scenario["steps"])) for scenario in scenarios()]
    found = []
    for full, prepared in [one for one in made if one is not None]:
        log = lawful(prepared, 1, SETTING[1])
        held = frozenset(one.requirement for one in judged(prepared, log, *SETTING) if one.holds)
        found.append(Beside(full, prepared, log, held))
    return found


def tried(name: str) -> dict[str, list[tuple[Beside, set[str]]]]:
    """By fault: the smallest scenarios with this beside in which it finds something to spoil, and what it then breaks.

    Of each scenario all faults are tried in turn, so that it is read once.
    """
    found: dict[str, list[tuple[Beside, set[str]]]] = {fault: [] for fault in SUITE.faults}
    for one in with_beside(name):
        for fault, planted in SUITE.faults.items():
            if len(found[fault]) < MOST and not one.kept.isdisjoint(planted.breaks):
                spoiled = planted.plant(one.full, one.log, DIALECT, SETTING[0])
                if spoiled is not None:
                    found[fault].append((one, set(broken(judged(one.prepared, spoiled, *SETTING)))))
    return found
