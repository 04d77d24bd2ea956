"""The callbacks that the steps of a scenario bring, by their ids.

An id tells without doubt what a callback belongs to. A step's id has no `.`, but for one that the language gives to a
step inside a callback, which ends with `/#` and a number. So what follows the last `.` of a callback's id, where it is
one of PARTS, is the part of the step that the callback is; else the id is the step's own.

Enters: a complete step. Leaves: its callbacks, their ops, and the steps inside them. Must not know spelling.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from bindproof.core.model import Json
from bindproof.suites.relay.scenario.families import QUEUED

PARTS = frozenset(("provider", "source", "collector", "finalizer", "decode", "encode", "sanitize", "inject", "told"))
"""What a step may call besides itself, as the last part of a callback's id."""

BESIDE = frozenset(("source", "collector", "finalizer"))
"""Parts of a stream call that run beside the program."""

PUBLISHED = frozenset(("sanitize", "inject"))
"""Parts of registrations that run when an event is published."""

TOLD = "told"
"""The part of a subscriber that does what its ops say, at an event that it is told."""

HOLDING = PUBLISHED | {TOLD}
"""Parts that hold up what is told where they wait, and not the program."""

SANITIZED = ".sanitize/#"
"""What the id of a step has that a sanitizer's callback does."""

TAKEN = frozenset(("program", "publication", "*"))
"""Words that mean something else where the id of a step stands."""

_ID = re.compile(r"[^.]+|.*/#\d+", re.DOTALL)


class Callback(NamedTuple):
    """What a callback belongs to: the id of its step, and which of PARTS it is, "" for what the step registers."""

    step: str
    part: str


@lru_cache(maxsize=4096)
def callback_named(name: str) -> Callback:
    """Return what a callback of this id belongs to; the same few are asked for again and again."""
    step, _, part = name.rpartition(".")
    return Callback(step, part) if part in PARTS else Callback(name, "")


def is_of_sanitizer(step: str) -> bool:
    """Tell whether a step of this id is one that a sanitizer's callback does, when an event is published."""
    return SANITIZED in step


def is_id(name: str) -> bool:
    """Tell whether a step may have this id."""
    return name not in TAKEN and _ID.fullmatch(name) is not None


def scripts(step: Json) -> list[tuple[str, list[Json]]]:
    """Return the callbacks that a complete step brings, each with its ops: `[(callback id, ops)]`."""
    if step["step"] == "register":
        return [(callback_of(step), step["do"])]
    if step["step"] == "install":
        return [(step["as"], step["do"])]
    return [(f"{step['as']}.{part}", ops) for part, ops in _parts(step)]


def callback_of(step: Json) -> str:
    """Return the id of a registration's callback: the step's, or one that says when it runs beside the program."""
    if step["family"] == "subscriber":
        return f"{step['as']}.{TOLD}"
    if step["family"] not in QUEUED:
        return str(step["as"])
    return f"{step['as']}.{'inject' if step['family'] == 'event.metadata' else 'sanitize'}"


def inner_steps(step: Json) -> list[Json]:
    """Return the steps that a complete step's callbacks do themselves, and those of a storm's programs."""
    if step["step"] == "storm":
        return [one for program in step["programs"] for one in program]
    lists = [step["do"]] if step["step"] in ("register", "install") else [ops for _, ops in _parts(step)]
    return [op["step"] for ops in lists for op in every_op(ops) if op["op"] == "step"]


def every_op(ops: list[Json]) -> list[Json]:
    """Return the ops of a callback, and behind them what it does in some entry only, by `each`."""
    return ops + [inner for op in ops if op["op"] == "each" for entry in op["ops"] for inner in entry]


def latches(ops: list[Json]) -> list[str]:
    """Return the latches at which a callback waits."""
    return [op["latch"] for op in ops if op["op"] == "wait"]


def raisers(steps: list[Json]) -> list[tuple[str, str]]:
    """Return the texts that the callbacks of steps may raise: `[(callback id, text)]`."""
    pairs = [pair for step in steps for pair in scripts(step)]
    return [(name, op["text"]) for name, ops in pairs for op in every_op(ops) if op["op"] == "raise"]


def steps_of_entry(ops: list[Json], k: int) -> list[str]:
    """Return the ids of the steps that a callback with these ops does in its entry `k`, in order."""
    return [op["step"]["as"] for op in ops_of_entry(ops, k) if op["op"] == "step"]


def ops_of_entry(ops: list[Json], k: int) -> list[Json]:
    """Return what a callback with these ops does in its entry `k`, in order."""
    found: list[Json] = []
    for op in ops:
        found += op["ops"][min(k, len(op["ops"]) - 1)] if op["op"] == "each" else [op]
    return found


def provider_of(step: Json) -> str:
    """Return the id of the callback that does a call's work."""
    return f"{step['as']}.{'source' if step['kind'] == 'llm_stream' else 'provider'}"


def _parts(step: Json) -> list[tuple[str, list[Json]]]:
    """Return what a complete step calls itself, by the last part of its id."""
    if step["step"] != "call":
        return []
    if step["kind"] == "llm_stream":
        found = [("source", step["provider"]), ("collector", step["collector"]), ("finalizer", step["finalizer"])]
    else:
        found = [("provider", step["provider"])]
    codec = step.get("codec")
    return [*found, ("decode", codec["decode"]), ("encode", codec["encode"])] if isinstance(codec, dict) else found
