"""Generated programs that hand over what JSON lacks, or have callbacks that reply with it.

Enters: a source of choices, a dialect, the steps of a program. Leaves: the steps, in some of which one step does so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from bindproof.core.model import Json
from bindproof.suites import Choices
from bindproof.suites.relay.generators.legal import where_legal
from bindproof.suites.relay.scenario.callbacks import every_op

PERCENT: Final = 10
"""Of a hundred programs so many hand over such a value, where the dialect has one to draw."""

FUNCTION: Final[Json] = {"$function": True}
FLOATS: Final = tuple({"$float": name} for name in ("NaN", "Infinity", "-Infinity"))
INTEGERS: Final = tuple({"$integer": str(number)} for number in (2**64, -(2**63) - 1))

VALUES: Final[dict[str | None, tuple[Json, ...]]] = {
    "python": (FUNCTION, *FLOATS, *INTEGERS),
    "node": (FUNCTION, *FLOATS),
    "wasm": (FUNCTION, *FLOATS, *INTEGERS),
    None: (FUNCTION, *FLOATS),
}
"""Dialect → what is drawn: all that a program can hand over, but for what ends a process in Node.js."""

PLACES: Final = {
    "mark": ("data", "metadata"),
    "start": ("data", "metadata"),
    "end": ("metadata", "output"),
    "call llm": ("data", "metadata", "request"),
    "call llm_stream": ("data", "metadata", "request"),
    "call tool": ("data", "metadata", "args"),
}
"""Kind of step, of a call with its kind → the members in which the value may be."""

REPLIES: Final = {
    "llm.request": "/request/content",
    "tool.request": "",
    "llm.execution": "",
    "tool.execution": "/result",
    "call llm": "",
    "call tool": "/result",
}
"""What a callback is of, a family or a call with its kind → where in its reply the value may be."""

WHOLE: Final[Mapping[str, Callable[[Json], Json]]] = {
    "llm.sanitize_request": lambda value: {"headers": {}, "content": value},
    "llm.sanitize_response": lambda value: value,
    "tool.sanitize_request": lambda value: value,
    "tool.sanitize_response": lambda value: [value],
    "mark.sanitize": lambda value: {"data": value},
    "start.sanitize": lambda value: {"metadata": value},
    "end.sanitize": lambda value: {"data": [value]},
    "event.metadata": lambda value: value,
    "finalizer": lambda value: value,
    "decode": lambda value: {"messages": [], "k": value},
    "encode": lambda value: {"headers": {}, "content": value},
}
"""What a callback is of that fails for it, a family or a part of a call → makes its whole reply of an object that has
the value."""

CHUNKS: Final = {"llm.stream": "do", "source": "provider"}
"""What hands chunks over, a family or a part of a call → the member with its ops."""

FATAL: Final = ("decode", "encode", "finalizer", "source")
"""Parts of a call that end the process of Node.js where they reply so, which vectors show."""


def with_no_json(choices: Choices, dialect: str | None, steps: list[Json]) -> list[Json]:
    """Return the steps of a program, rarely with one that fails, as it hands over or is replied what JSON lacks."""
    if dialect not in VALUES or not choices.chance(PERCENT):
        return steps
    if choices.chance(70):
        return _with_a_reply(choices, dialect, steps)
    at = choices.integer(0, len(steps) - 1)
    members = _members(steps[at])
    if not members:
        return steps
    member, value = choices.pick(members), choices.pick(VALUES[dialect])
    within: Json = {"content": {"messages": [], "k": value}} if member == "request" else {"k": [value]}
    return where_legal([*steps[:at], steps[at] | {member: within}, *steps[at + 1 :]], steps)


def _with_a_reply(choices: Choices, dialect: str | None, steps: list[Json]) -> list[Json]:
    left_out = _left_out(dialect, steps)
    places = tuple((at, of) for at, step in enumerate(steps) for of in _of(step) if of not in left_out)
    own = tuple(place for place in places if place[1] in WHOLE or place[1] in CHUNKS)
    places = own if own and choices.chance(50) else places
    if not places:
        return steps
    (at, of), value = choices.pick(places), {"k": [choices.pick(VALUES[dialect])]}
    doing = _handing_over(steps[at], of, value) if of in CHUNKS else _replying(steps[at], of, value)
    return where_legal([*steps[:at], doing, *steps[at + 1 :]], steps)


def _left_out(dialect: str | None, steps: list[Json]) -> tuple[str, ...]:
    """Return what of a program does not reply so, for what it would do to the process of a binding."""
    if dialect in ("node", None):
        return FATAL
    # beside a subscriber that raises, a finalizer of Python's never comes back now and then (docs/findings.md)
    told = [step["do"] for step in steps if step.get("family") == "subscriber" and "do" in step]
    return ("finalizer",) if any(op["op"] == "raise" for ops in told for op in every_op(ops)) else ()


def _of(step: Json) -> tuple[str, ...]:
    """Return what the callbacks of a step are of, as REPLIES and WHOLE have it.

    Those of REPLIES where nothing is said of their reply yet.
    """
    if step["step"] == "register":
        family = step["family"]
        if family in CHUNKS:
            return (family,)
        return (family,) if family in WHOLE or (family in REPLIES and _says_nothing(step.get("do", ()))) else ()
    if step["step"] != "call":
        return ()
    codec = tuple(step["codec"]) if isinstance(step.get("codec"), dict) else ()
    if step.get("kind") == "llm_stream":
        return (*codec, "finalizer", "source") if _yields(step.get("provider", ())) else (*codec, "finalizer")
    return (*codec, f"call {step.get('kind', 'llm')}") if _says_nothing(step.get("provider", ())) else codec


def _yields(ops: Sequence[Json]) -> bool:
    """Tell whether a callback hands over chunks of its own."""
    return any(op["op"] == "yield" and op.get("chunks") for op in ops)


def _handing_over(step: Json, of: str, value: Json) -> Json:
    """Return a step of which the callback that is of this hands one chunk more over, last of the first that it does.

    One that has no chunks of its own puts that in the place of each that it passes on.
    """
    member = CHUNKS[of]
    ops = step.get(member, [])
    if not _yields(ops):
        return step | {member: [*ops, {"op": "edit", "set": {"": value}}]}
    at = next(at for at, op in enumerate(ops) if op["op"] == "yield" and op.get("chunks"))
    more = ops[at] | {"chunks": [*ops[at]["chunks"], value]}
    return step | {member: [*ops[:at], more, *ops[at + 1 :]]}


def _replying(step: Json, of: str, value: Json) -> Json:
    """Return a step of which the callback that is of this sets one thing more in its reply."""
    op = {"op": "edit", "set": {"": WHOLE[of](value)} if of in WHOLE else {REPLIES[of]: value}}
    if of in ("decode", "encode"):
        return step | {"codec": step["codec"] | {of: [*step["codec"][of], op]}}
    member = "do" if step["step"] == "register" else "finalizer" if of == "finalizer" else "provider"
    return step | {member: [*step.get(member, ()), op]}


def _says_nothing(ops: Sequence[Json]) -> bool:
    """Tell whether nothing is said of a callback's reply, so that it has all that it has by itself."""
    return all(op["op"] in ("step", "wait", "next", "mutate") for op in ops)


def _members(step: Json) -> tuple[str, ...]:
    kind = step["step"]
    return PLACES.get(f"call {step.get('kind', 'llm')}" if kind == "call" else kind, ())
