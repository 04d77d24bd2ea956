"""Whether each planted fault is named beside something else: `python -m benchmarks.beside`, from the repository's root.

Enters: the vectors, each thing that can stand beside what a fault spoils. Leaves: the faults that break none of what
they name there, though all of that is kept; and how many were tried.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from bindproof.runner.plans import plans
from bindproof.suites import Prepared
from tests.relay import SUITE, VECTORS, broken, judged, lawful, plain

Json = Any

SETTING = ("0.10", "python")
MOST = 3
"""So many of the vectors that a fault finds something in are tried with each thing beside, the smallest first."""


def with_metadata(steps: list[Json]) -> list[Json]:
    """Metadata on each call of the program that has none."""
    return [step | ({"metadata": {"k": 1}} if step.get("metadata", 1) is None else {}) for step in steps]


def in_a_scope(steps: list[Json]) -> list[Json]:
    """A scope around the whole program."""
    begin = {"step": "start", "as": "around", "name": "around", "type": "function"}
    return [begin, *steps, {"step": "end", "as": "over", "of": "around"}]


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


def kept(prepared: Prepared, log: list[Json]) -> set[str]:
    """The requirements that a log is seen to keep."""
    return {one.requirement for one in judged(prepared, log, *SETTING) if one.holds}


def unnamed(fault: str) -> Iterator[str]:
    """What stands beside, where the fault then breaks none of what it names though all of that is kept there."""
    planted = SUITE.faults[fault]
    named = set(planted.breaks) | set(planted.also)
    for name, put in BESIDE.items():
        tried = 0
        for scenario in scenarios():
            found = ready(put(scenario["steps"])) if tried < MOST else None
            if found is None:
                continue
            full, prepared = found
            log = lawful(prepared, 1, SETTING[1])
            spoiled = planted.plant(full, log, plain(SETTING[1]), SETTING[0])
            if spoiled is None or not set(planted.breaks) & kept(prepared, log):
                continue
            tried += 1
            if not named & set(broken(judged(prepared, spoiled, *SETTING))):
                yield f"{name}: {SUITE.brief(scenario)}"


def main() -> None:
    """Print a line for each fault and each thing beside it where it is not named."""
    missed = 0
    for number, fault in enumerate(sorted(SUITE.faults), 1):
        for line in unnamed(fault):
            missed += 1
            print(f"{fault} beside {line}")
        print(f"{number} of {len(SUITE.faults)} faults", end="\r", file=sys.stderr)
    print(f"{len(SUITE.faults)} faults, {len(BESIDE)} things beside: {missed} not named")


if __name__ == "__main__":
    main()
