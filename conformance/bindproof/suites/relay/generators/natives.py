"""Generated scenarios of a native plugin: how it is loaded, and calls that it answers with any bytes, or fails in.

Enters: a source of choices. Leaves: a scenario of steps `load` and `native`.
"""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites import Choices
from bindproof.suites.relay.generators.workers import outcome

DOUBTS: tuple[tuple[str, Json], ...] = (
    ("range", "earlier"),
    ("range", "later"),
    ("range", "unstated"),
    ("digest", "other"),
    ("digest", "unstated"),
    ("policy", "signature_if_present"),
    ("policy", "signature_required"),
    ("policy", "unstated"),
    ("signature", "other"),
    ("signature", "own"),
    ("enabled", True),
    ("abi", "other"),
    ("register", "error"),
    ("register", "panic"),
)
"""What may be said of a plugin; nearly each is a reason to refuse it, some beside another."""


def native_scenario(choices: Choices) -> Json:
    """Return a scenario of a native plugin."""
    load = [_load(choices)] if choices.chance(60) else []
    return {"steps": [*load, *(_call(choices, f"n{index}") for index in range(choices.integer(1, 4)))]}


def _load(choices: Choices) -> Json:
    doubts = dict(choices.pick(DOUBTS) for _ in range(choices.integer(0, 2)))
    return {"step": "load", "as": "l"} | doubts


def _call(choices: Choices, name: str) -> Json:
    step: Json = {"step": "native", "as": name}
    if choices.chance(20):
        result = choices.pick(("error", "panic", "status"))
        failed = step | {"result": result, "message": choices.pick(("boom-1!", "boom-2!"))}
        beside = result == "status" and choices.chance(50)
        return failed | {"outcome": outcome(choices)} if beside else failed
    if choices.chance(20):
        return step | {"result": choices.pick(("typed", "nothing"))}
    return step | ({"outcome": outcome(choices)} if choices.chance(80) else {})
