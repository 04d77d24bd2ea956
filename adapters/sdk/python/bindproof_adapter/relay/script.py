"""What a scripted callback does to its natural reply: the ops, one after the other.

Enters: ops, the natural reply, what is known by name, and how to act a step. Leaves: the reply. Must not know the log.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bindproof_adapter.relay import pointer, values
from bindproof_adapter.signals import AdapterFault

Json = Any


class ScriptedError(Exception):
    """What the op `raise` raises inside a callback; its text is the scenario's own marker."""


def of_entry(ops: Sequence[Json], k: int) -> list[Json]:
    """Return what a callback does in entry `k`: of `each` the list of that entry, or the last one."""
    found: list[Json] = []
    for op in ops:
        found += op["ops"][min(k, len(op["ops"]) - 1)] if op["op"] == "each" else (op,)
    return found


def perform(
    callback: str, ops: Sequence[Json], reply: Json, known: Mapping[str, Json], act: Callable[[Json], None]
) -> Json:
    """Return `reply` as the ops of `callback` leave it.

    Raises ScriptedError for the op `raise`, and AdapterFault, naming callback, op and pointer, for an op that cannot be
    carried out.
    """
    for index, op in enumerate(ops):
        reply = apply(op, reply, known, act, f"callback {callback!r}, op {index}")
    return reply


def apply(op: Json, reply: Json, known: Mapping[str, Json], act: Callable[[Json], None], where: str) -> Json:
    """Return `reply` as one op leaves it; `where` names the op. Raises what `perform` raises."""
    kind = op.get("op")
    if kind == "edit":
        return edit(op, reply, known, where)
    if kind == "raise":
        raise ScriptedError(op["text"])
    if kind == "mutate":
        edit({"set": {op["at"]: op["text"]}}, known["given"], known, where)
        return reply
    if kind != "step":
        raise AdapterFault(f"{where}: unknown op {kind!r}")
    act(op["step"])
    return reply


def edit(op: Json, reply: Json, known: Mapping[str, Json], where: str) -> Json:
    """Return `reply` with what `op` sets, removes and appends; `where` names the op."""
    place = ""
    try:
        for place, value in op.get("set", {}).items():
            reply = pointer.put(reply, place, values.resolve(value, known))
        for place in op.get("remove", []):
            pointer.cut(reply, place)
        for place, items in op.get("append", {}).items():
            pointer.extend(reply, place, values.resolve(items, known))
    except pointer.PlaceError as missing:
        raise AdapterFault(f"{where}, pointer {place!r}: {missing}") from None
    return reply


def mutates(step: Json) -> bool:
    """Tell whether a callback of a step changes what it is given, also one of a step inside it."""
    ops = step.get("do") or step.get("provider") or []
    return any(op["op"] == "mutate" or (op["op"] == "step" and mutates(op["step"])) for op in ops)


def goes_on_at_once(step: Json) -> bool:
    """Tell whether a callback of a step goes on several times at once."""
    entries = [entry for op in step.get("do") or [] for entry in (op["ops"] if op["op"] == "each" else [[op]])]
    ops = [op for entry in entries for op in entry]
    return any(op.get("at_once") or (op["op"] == "step" and goes_on_at_once(op["step"])) for op in ops)


def waits(ops: Sequence[Json]) -> bool:
    """Tell whether a callback waits at a latch."""
    return any(op["op"] == "wait" for op in ops)
