"""What a scripted callback does to its natural reply: the ops, one after the other.

Enters: ops, the natural reply, what is known by name, and how to act a step. Leaves: the reply. Must not know the log.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bindproof_adapter import pointer, values
from bindproof_adapter.signals import AdapterFault, ScriptedError

Json = Any


def perform(
    callback: str, ops: Sequence[Json], reply: Json, known: Mapping[str, Json], act: Callable[[Json], None]
) -> Json:
    """Return `reply` as the ops of `callback` leave it.

    Raises ScriptedError for the op `raise`, and AdapterFault, naming callback, op and pointer, for an op that cannot be
    carried out.
    """
    for index, op in enumerate(ops):
        kind = op.get("op")
        if kind == "edit":
            reply = _edit(op, reply, known, f"callback {callback!r}, op {index}")
        elif kind == "raise":
            raise ScriptedError(op["text"])
        elif kind == "step":
            act(op["step"])
        else:
            raise AdapterFault(f"callback {callback!r}, op {index}: unknown op {kind!r}")
    return reply


def _edit(op: Json, reply: Json, known: Mapping[str, Json], where: str) -> Json:
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
