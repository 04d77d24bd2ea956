"""How a scripted callback arrives at its reply: the natural reply, then ops in order (scenario language).

Enters: ops, the natural reply, what `$get` may name. Leaves: a reply, or the text that was raised.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bindproof_reference.relay.values import Json, PointerError, child, copy, get, tokens


class ScenarioError(ValueError):
    """The scenario asks for something that its language does not allow; the message names the callback and the op."""


@dataclass(frozen=True, slots=True)
class Replied:
    """The callback returned `reply`."""

    reply: Json


@dataclass(frozen=True, slots=True)
class Raised:
    """The callback raised an error whose text is `text`."""

    text: str


def of_entry(ops: Sequence[Json], k: int) -> list[Json]:
    """Return what a callback does when it is entered for the time `k`: the last list of `each` holds on."""
    found: list[Json] = []
    for op in ops:
        found += op["ops"][min(k, len(op["ops"]) - 1)] if op["op"] == "each" else [op]
    return found


def run(
    callback: str,
    ops: Sequence[Json],
    natural: Json,
    names: Mapping[str, Json],
    act: Callable[[Json], None],
    wait: Callable[[str], None] | None = None,
) -> Replied | Raised:
    """Act out `ops` on a copy of `natural`.

    names: what a `$get` may start with (`given`, ids of finished steps) and its value. act: does a step inside the
    callback. wait: stands at a latch. Raises ScenarioError when an op cannot be done.
    """
    return go(callback, ops, copy(natural), names, act, wait=wait)


def go(
    callback: str,
    ops: Sequence[Json],
    reply: Json,
    names: Mapping[str, Json],
    act: Callable[[Json], None],
    ask: Callable[[Json, Json], Json] | None = None,
    wait: Callable[[str], None] | None = None,
) -> Replied | Raised:
    """Act out `ops` on a reply, which may be changed. ask: does the op `next`, given op and reply; returns the reply.

    What `ask` raises passes through.
    """
    for index, op in enumerate(ops):
        try:
            match op["op"]:
                case "raise":
                    return Raised(op["text"])
                case "step":
                    act(op["step"])
                case "edit":
                    reply = edit(reply, op, names)
                case "mutate" if ask is None:
                    _set(copy(names["given"]), op["at"], op["text"])  # nobody else sees it (MID-016)
                case "next" if ask is not None:
                    reply = ask(op, reply)
                case "wait" if wait is not None:
                    wait(op["latch"])
                case other:
                    raise ScenarioError(f"callback {callback}, op {index}: {other!r} is not an op")
        except PointerError as error:
            raise ScenarioError(f"callback {callback}, op {index}: {error}") from None
    return Replied(reply)


def edit(reply: Json, op: Json, names: Mapping[str, Json]) -> Json:
    """Do one `edit`: set, then remove, then append; returns the new reply and may change the given one."""
    for pointer, value in op.get("set", {}).items():
        reply = _set(reply, pointer, fill(value, names))
    for pointer in op.get("remove", []):
        _remove(reply, pointer)
    for pointer, values in op.get("append", {}).items():
        target = get(reply, pointer)
        if not isinstance(target, list):
            raise PointerError(f"{pointer!r} is no list to append to")
        target.extend(fill(values, names))
    return reply


def fill(value: Json, names: Mapping[str, Json]) -> Json:
    """Replace every `{"$get": "<name>/…"}` inside a value; raises PointerError when it names nothing."""
    if isinstance(value, dict):
        if value.keys() == {"$get"}:
            if not isinstance(value["$get"], str):
                raise PointerError(f"$get {value['$get']!r}: write a text, such as given/request/content")
            name, _, rest = value["$get"].partition("/")
            if name not in names:
                raise PointerError(f"$get {value['$get']!r}: nothing is called {name!r} here")
            return copy(get(names[name], "/" + rest if rest else ""))
        return {key: fill(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [fill(item, names) for item in value]
    return value


def _parent(reply: Json, pointer: str) -> tuple[Json, str]:
    *path, last = tokens(pointer)
    for token in path:
        reply = child(reply, token, pointer)
    if not isinstance(reply, dict | list):
        raise PointerError(f"{pointer!r} has no parent to edit")
    return reply, last


def _set(reply: Json, pointer: str, value: Json) -> Json:
    if pointer == "":
        return value
    parent, last = _parent(reply, pointer)
    if isinstance(parent, list):
        child(parent, last, pointer)
        parent[int(last)] = value
    else:
        parent[last] = value
    return reply


def _remove(reply: Json, pointer: str) -> None:
    parent, last = _parent(reply, pointer)
    child(parent, last, pointer)
    del parent[int(last) if isinstance(parent, list) else last]
