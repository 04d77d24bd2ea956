"""What a scenario has to keep that has calls in flight, so that it never hangs and what may be seen of it is known.

A callback waits at a latch until the program opens it. So whoever waits must not keep the program from going on: a call
that the program waits for itself never comes to a latch that is closed. Latches that the program leaves closed are
opened when it is over.

Enters: the steps of a complete scenario. Leaves: the rules that they break, in words. Must not know spelling.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bindproof.core.model import Json
from bindproof.suites.relay.scenario.callbacks import inner_steps, latches
from bindproof.suites.relay.scenario.families import AROUND, BEFORE
from bindproof.suites.relay.scenario.rules.cancelling import cancel_misfits, ops_of
from bindproof.suites.relay.scenario.rules.held import is_held

COMES: Final[dict[str, str]] = {family: family.partition(".")[0] for family in (*AROUND, *BEFORE)}
"""Family whose callbacks may wait → the kind of the calls that come to them."""


def flight_misfits(steps: list[Json]) -> Iterator[str]:
    """Say in words which rules the steps break, those inside callbacks too."""
    calls = [step for step in steps if step["step"] == "call"]
    for step in calls:
        if latches(step["provider"]) and not step.get("background"):
            yield f"step {step['as']!r}: the program waits for this call, so its provider waits at no latch"
    for step in steps:
        if step["step"] == "register" and latches(step["do"]) and not is_held(step):
            yield from _misfit_intercept(step, steps)
    yield from _misfit_flush(steps)
    if any(step["step"] == "cancel" for step in steps):
        yield from cancel_misfits(steps)
    named = {latch for step in steps for latch in latches(ops_of(step))}
    for step in steps:
        if step["step"] == "open" and step["latch"] not in named:
            yield f"step {step['as']!r}: nothing waits at a latch {step['latch']!r}"
    if any(step.get("background") for step in steps) and any(step["kind"] == "llm_stream" for step in calls):
        yield "where a call is in the background there are no streams: both run beside the program"


def _misfit_flush(steps: list[Json]) -> Iterator[str]:
    """A call in the background may stand at the latches of its provider, and of what was registered before it, until it
    is cancelled."""
    wraps: set[str] = set()
    opened: set[str] = set()
    comes: dict[str, set[str]] = {}
    for step in steps:
        if step["step"] == "register":
            wraps |= set(latches(step["do"]))
        elif step["step"] == "open":
            opened.add(step["latch"])
        elif step.get("background"):
            comes[step["as"]] = wraps | set(latches(step["provider"]))
        elif step["step"] == "cancel":
            comes.pop(step["of"], None)
        elif step["step"] == "flush" and (closed := set().union(*comes.values()) - opened):
            names = ", ".join(sorted(closed))
            yield f"step {step['as']!r}: a flush waits for the calls in flight, so first open {names}"


def _misfit_intercept(intercept: Json, steps: list[Json]) -> Iterator[str]:
    name, family = intercept["as"], intercept["family"]
    if family not in (*AROUND, *BEFORE):
        yield f"step {name!r}: {family} waits at no latch: only what wraps an execution or runs before it can"
        return
    if any(inner is intercept for step in steps for inner in inner_steps(step)):
        yield f"step {name!r}: what waits at a latch is registered by the program, not inside a callback"
    opened: set[str] = set()
    there = False
    for step in steps:
        there = there or step is intercept
        closed = [latch for latch in latches(intercept["do"]) if latch not in opened]
        if step["step"] == "open":
            opened.add(step["latch"])
        elif there and closed and _is_waited_for(step, family):
            yield (
                f"step {step['as']!r}: the program waits for this {step['step']}, and what {name!r} registered waits"
                f" at {closed[0]!r}, which is opened later or never: it would never come back"
            )
            return


def _is_waited_for(step: Json, family: str) -> bool:
    """Tell whether a program waits for a step that comes to what is registered in a family."""
    if step["step"] == "helper":
        return bool(step["kind"] == family)
    return step["step"] == "call" and step["kind"] == COMES[family] and not step.get("background")
