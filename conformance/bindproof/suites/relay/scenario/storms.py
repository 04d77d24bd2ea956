"""A step `storm`: programs that begin at the same moment, and what lets their records be told apart.

Nobody knows which of them is first in what. So each program says who it is in all that it does: what it starts and
marks has a name of its own, its call has that name in its argument and in its answer, and what is registered before
leaves it where it is.

Enters: the steps of a complete scenario. Leaves: which of them make sense, and the programs. Must not know checks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from bindproof.core.model import Json, same
from bindproof.suites.relay.scenario.raw import MisfitError

OWN = "call"
"""The member of a call's argument, of its answer and of a mark's data that says which call it is of."""

OWNER: Json = {"$get": "given/name"}
"""What a pending mark says in place of a name: that of the call whose intercept states it."""

_MEMBER = rf"/(?!{OWN}$|{OWN}/)[^/]+"
"""A pointer to a member that is not OWN."""

_PLACES = {
    "subscriber": None,
    "llm.request": rf"/request/headers/[^/]+|/request/content{_MEMBER}",
    "llm.execution": _MEMBER,
    "llm.sanitize_request": rf"/headers/[^/]+|/content{_MEMBER}",
    "llm.sanitize_response": _MEMBER,
    "tool.request": _MEMBER,
    "tool.execution": rf"/result{_MEMBER}",
    "tool.sanitize_request": _MEMBER,
    "tool.sanitize_response": _MEMBER,
    "mark.sanitize": "/metadata",
    "start.sanitize": "/metadata",
    "end.sanitize": "/metadata",
    "event.metadata": "/[^/]+",
}
"""Family that is registered before → where its callbacks may set something; None: nowhere."""

ANSWERS = ("llm.sanitize_response", "tool.sanitize_response")
"""Families whose callbacks are given an answer, and so cannot change one that a call does not have."""


class Program(Struct, frozen=True):
    """One of the programs."""

    steps: list[Json]

    @property
    def scope(self) -> Json:
        """The step that starts its scope."""
        return self.steps[0]

    @property
    def call(self) -> Json:
        """Its call."""
        return next(step for step in self.steps if step["step"] == "call")

    @property
    def name(self) -> str:
        """That of its call, which says who it is."""
        return str(self.call["name"])

    @property
    def raises(self) -> str | None:
        """What its provider raises, or None where that answers."""
        return next((str(op["text"]) for op in self.call["provider"] if op["op"] == "raise"), None)


def storm_of(full: Json) -> Json | None:
    """Return the step of a scenario that is a storm, or None."""
    last: Json = full["steps"][-1] if full["steps"] else {}
    return last if last.get("step") == "storm" else None


def programs_of(storm: Json) -> list[Program]:
    """Return the programs of a storm."""
    return [Program(steps) for steps in storm["programs"]]


def marks_before(full: Json) -> list[str]:
    """Return the names of the marks that intercepts state in every LLM call, in no order."""
    ops = [op for step in full["steps"] if step.get("family") == "llm.request" for op in step["do"]]
    return [str(mark["name"]) for op in ops for mark in op["append"].get("/pending_marks", ())]


def check_storms(steps: list[Json]) -> None:
    """Raise MisfitError for a storm among other steps, or programs that cannot be told apart."""
    storms = [step for step in steps if step["step"] == "storm"]
    if not storms:
        return
    problem = next(_misfits(steps, storms[0]), None)
    if problem is not None:
        raise MisfitError(problem)


def _misfits(steps: list[Json], storm: Json) -> Iterator[str]:
    before = steps[:-1]
    if storm is not steps[-1] or any(step["step"] != "register" for step in before):
        yield f"step {storm['as']!r}: a storm is the last step, and before it there is nothing but `register`"
    for step in before:
        yield from _unfit(step)
    for steps_of_one in storm["programs"]:
        yield from _misformed(storm["as"], steps_of_one)
    programs = programs_of(storm)
    names = [str(step["name"]) for one in programs for step in one.steps if "name" in step]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"step {storm['as']!r}: {name!r} is the name of two things: in a storm each has one of its own"
    for one in programs:
        yield from _nameless(one)
    if any(one.raises for one in programs):
        for step in before:
            if step["family"] in ANSWERS and step["do"]:
                yield f"step {step['as']!r}: beside a provider that raises there is not always an answer to change"


def _unfit(step: Json) -> Iterator[str]:
    name, family = step["as"], step["family"]
    if family not in _PLACES or step["async"] or step["odd"] or step["break_chain"] or step["scope"] != "global":
        yield f"step {name!r}: before a storm there are plain global registrations alone, and of {family} perhaps none"
        return
    for op in step["do"]:
        if op["op"] != "edit" or op["remove"] or op["as_is"]:
            yield f"step {name!r}: before a storm callbacks do nothing but `edit`, and remove nothing"
            return
        places = _PLACES[family]
        for at in op["set"]:
            if places is None or re.fullmatch(places, at) is None:
                yield f"step {name!r}: what sets {at!r} could hide which call something is of"
        for at, marks in op["append"].items():
            if family != "llm.request" or at != "/pending_marks" or not all(map(_is_owned, marks)):
                yield f"step {name!r}: what is appended is a pending mark with {{{OWN!r}: {OWNER}}} as its data"


def _is_owned(mark: Json) -> bool:
    return isinstance(mark, dict) and isinstance(mark.get("name"), str) and same(mark.get("data"), {OWN: OWNER})


def _misformed(storm: str, steps: list[Json]) -> Iterator[str]:
    """Yield what a program is not that starts a scope, makes a call and ends the scope."""
    kinds = [step["step"] for step in steps]
    first, last = steps[0] if steps else {}, steps[-1] if steps else {}
    whole = kinds[:1] == ["start"] and kinds[-1:] == ["end"] and kinds.count("call") == 1
    if not whole or set(kinds[1:-1]) - {"call", "mark"} or last["of"] != first["as"] or first["kind"] != "scope":
        yield f"step {storm!r}: a program starts a scope, makes one call, marks what it likes, and ends the scope"
        return
    for step in steps:
        if any(step.get(member) for member in ("parent", "timestamp", "block", "background", "raises")):
            yield f"step {step['as']!r}: in a storm all is in the program's own scope, and is when it is"
        if step["step"] == "call" and (step["kind"] == "llm_stream" or step.get("codec", "none") != "none"):
            yield f"step {step['as']!r}: the call of a storm is an LLM's or a tool's, without a codec"
        if step.get("response_codec") is not None:
            yield f"step {step['as']!r}: the call of a storm is an LLM's or a tool's, without a codec"


def _nameless(program: Program) -> Iterator[str]:
    """Yield where a program does not say who it is."""
    call, name = program.call, program.name
    argument = call["request"]["content"] if call["kind"] == "llm" else call["args"]
    if not isinstance(argument, dict) or argument.get(OWN) != name:
        yield f"step {call['as']!r}: its argument says which call it is of: {{{OWN!r}: {name!r}}}"
    ops, at = call["provider"], f"/{OWN}" if call["kind"] == "llm" else f"/result/{OWN}"
    answers = [op for op in ops if op["op"] == "edit" and same(op["set"], {at: name}) and not op["remove"]]
    if len(ops) != 1 or not (answers or program.raises):
        yield f"step {call['as']!r}: its provider says which call it is of, {{'set': {{{at!r}: {name!r}}}}}, or raises"
