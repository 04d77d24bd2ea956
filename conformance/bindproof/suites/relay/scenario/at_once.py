"""Executions with which an intercept goes on several times at once: by `next` with `at_once`.

Enters: the steps of a complete scenario. Leaves: which calls have such executions; the rules that these keep. Must not
know spelling.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bindproof.core.model import Json
from bindproof.suites.relay.scenario.callbacks import every_op
from bindproof.suites.relay.scenario.families import AROUND

WORD: Final = "at_once"
"""Says among the words of a scenario that there is such an intercept in it."""

MOST: Final = 16
"""So many times at once at the most."""

KINDS: Final = {"llm.execution": "llm", "tool.execution": "tool"}
"""Family of what goes on → the kind of the calls that it wraps."""

BESIDE: Final = frozenset(("background", "storm", "go_on", "mutate"))
"""Words of a scenario: beside them nothing goes on several times at once."""


def goes_on_at_once(step: Json) -> bool:
    """Tell whether a step registers a callback that goes on several times at once."""
    return step["step"] == "register" and any(op.get(WORD) for op in every_op(step["do"]))


def providers_apart(steps: list[Json]) -> frozenset[str]:
    """Return the providers, as callbacks are called, whose entries may be at the same time: each has its own lane."""
    kinds = {KINDS.get(step["family"]) for step in steps if goes_on_at_once(step)}
    return frozenset(f"{step['as']}.provider" for step in steps if step["step"] == "call" and step["kind"] in kinds)


def at_once_misfits(steps: list[Json], said: frozenset[str]) -> Iterator[str]:
    """Say in words which rules the steps break that are about going on several times at once."""
    for step in steps:
        if goes_on_at_once(step):
            yield from _misfit(step, steps)
            if said & BESIDE:
                beside = ", ".join(sorted(said & BESIDE))
                yield f"step {step['as']!r}: nothing goes on several times at once beside {beside}"
    apart = providers_apart(steps)
    for step in steps:
        if f"{step['as']}.provider" in apart:
            yield from _misfit_provider(step)


def _misfit_provider(step: Json) -> Iterator[str]:
    """Yield what a provider does that is not open to several entries at the same time: it answers, and never fails."""
    if any(op["op"] != "edit" for op in step["provider"]):
        yield f"step {step['as']!r}: its provider, which may run several times at once, does nothing but `edit`"
    elif step["kind"] == "tool" and any(not place.startswith("/result") for place in _places(step["provider"])):
        yield f"step {step['as']!r}: its provider, which may run several times at once, sets its `result` alone"


def _places(ops: list[Json]) -> Iterator[str]:
    """Yield the places that edits change; what is taken away with nothing in its place is one outside any."""
    for op in ops:
        yield from (*op["set"], *op["append"])
        yield from ("" if place == "/result" else place for place in op["remove"])


def _misfit(step: Json, steps: list[Json]) -> Iterator[str]:
    name, family = step["as"], step["family"]
    if family not in AROUND:
        yield f"step {name!r}: {family} wraps no execution with which it could go on several times at once"
    others = [other for other in steps if other["step"] == "register" and other["family"] == family]
    if any(other is not step and other["priority"] >= step["priority"] for other in others):
        yield f"step {name!r}: it goes on several times at once, so its `priority` is above each other {family}'s"
    for op in every_op(step["do"]):
        if op.get(WORD) and (op["catch"] or not 2 <= len(op["edits"]) <= MOST):
            yield f"step {name!r}: with `at_once` there are 2 to {MOST} edits, and no `catch`"
