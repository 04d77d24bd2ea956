"""Generated programs that hand over what JSON lacks, or have callbacks that reply with it.

Enters: a source of choices, a dialect, the steps of a program. Leaves: the steps, in some of which one step does so.
"""

from __future__ import annotations

from typing import Final

from bindproof.core.model import Json
from bindproof.suites import Choices
from bindproof.suites.relay.generators.legal import where_legal

PERCENT: Final = 10
"""Of a hundred programs so many hand over such a value, where the dialect has one to draw."""

FUNCTION: Final[Json] = {"$function": True}
FLOATS: Final = tuple({"$float": name} for name in ("NaN", "Infinity", "-Infinity"))
INTEGERS: Final = tuple({"$integer": str(number)} for number in (2**64, -(2**63) - 1))

VALUES: Final[dict[str | None, tuple[Json, ...]]] = {
    "python": (FUNCTION, *FLOATS, *INTEGERS),
    "node": (FUNCTION, *FLOATS),
    "wasm": (FUNCTION, *FLOATS, *INTEGERS),
    None: (FUNCTION, *FLOATS, *INTEGERS),
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


def with_no_json(choices: Choices, dialect: str | None, steps: list[Json]) -> list[Json]:
    """Return the steps of a program, rarely with one that fails, as it hands over or is replied what JSON lacks."""
    if dialect not in VALUES or not choices.chance(PERCENT):
        return steps
    if choices.chance(50):
        return _with_a_reply(choices, dialect, steps)
    at = choices.integer(0, len(steps) - 1)
    members = _members(steps[at])
    if not members:
        return steps
    member, value = choices.pick(members), choices.pick(VALUES[dialect])
    within: Json = {"content": {"messages": [], "k": value}} if member == "request" else {"k": [value]}
    return where_legal([*steps[:at], steps[at] | {member: within}, *steps[at + 1 :]], steps)


def _with_a_reply(choices: Choices, dialect: str | None, steps: list[Json]) -> list[Json]:
    places = [at for at, step in enumerate(steps) if _of(step) in REPLIES and _says_nothing(step)]
    if not places:
        return steps
    at, value = choices.pick(tuple(places)), choices.pick(VALUES[dialect])
    op, member = {"op": "edit", "set": {REPLIES[_of(steps[at])]: {"k": [value]}}}, _script(steps[at])
    return where_legal([*steps[:at], steps[at] | {member: [*steps[at].get(member, ()), op]}, *steps[at + 1 :]], steps)


def _of(step: Json) -> str:
    """Return what the callback of a step is of, as REPLIES has it."""
    if step["step"] == "register":
        return str(step["family"])
    return f"call {step.get('kind', 'llm')}" if step["step"] == "call" else ""


def _script(step: Json) -> str:
    return "do" if step["step"] == "register" else "provider"


def _says_nothing(step: Json) -> bool:
    """Tell whether nothing is said of a callback's reply, so that it has all that it has by itself."""
    return all(op["op"] in ("step", "wait", "next", "mutate") for op in step.get(_script(step), ()))


def _members(step: Json) -> tuple[str, ...]:
    kind = step["step"]
    return PLACES.get(f"call {step.get('kind', 'llm')}" if kind == "call" else kind, ())
