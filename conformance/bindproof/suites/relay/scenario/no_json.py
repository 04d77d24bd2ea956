"""Values that JSON lacks, such as `{"$float": "NaN"}`: a program hands them over, and its callbacks reply with them.

Enters: the steps of a complete scenario. Leaves: which of them hand such a value over; the rules that these keep. Must
not know spelling.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from bindproof.core.model import Json
from bindproof.suites.relay.scenario.at_once import goes_on_at_once
from bindproof.suites.relay.scenario.callbacks import every_op
from bindproof.suites.relay.scenario.families import QUEUED, STREAMING

WORD: Final = "no_json"
"""Says among the words of a scenario that there is such a value in it."""

MEMBERS: Final = ("data", "metadata", "args", "request", "input", "output")
"""Members of a step that are handed over as JSON, and so may have a value that is none."""

STEPS: Final = ("call", "helper", "start", "end", "mark")
"""Kinds of steps that hand something over."""

REPLYING: Final = ("llm.request", "tool.request", "llm.execution", "tool.execution")
"""Families whose callbacks may reply with such a value, as the providers of calls may that are no streams."""

FAILING: Final = frozenset((*QUEUED, "decode", "encode", "finalizer"))
"""Families, and parts of a call, of which a callback that replies so counts as one that fails (DLC-014)."""

NAMING: Final = ("of", "parent", "scope")
"""Members of a step that name what another one started."""


def _is_wide(digits: Json) -> bool:
    """Tell whether 64 bits, with a sign or without, hold no such whole number."""
    return isinstance(digits, str) and bool(re.fullmatch("-?[0-9]+", digits)) and not -(2**63) <= int(digits) < 2**64


MEANING: Final[Mapping[str, Callable[[Json], bool]]] = {
    "$float": lambda told: told in ("NaN", "Infinity", "-Infinity"),
    "$integer": _is_wide,
    "$function": lambda told: told is True,
}
"""The only key of an object that is such a value → whether what stands there means one."""


def hands_over_no_json(step: Json) -> bool:
    """Tell whether a step hands a value over that JSON lacks."""
    return step["step"] in STEPS and any(lacks_json(step[member]) for member in MEMBERS if step.get(member))


def lacks_json(value: Json) -> bool:
    """Tell whether a value has something in it that JSON lacks, or is it."""
    return next(_lacking(value), None) is not None


def as_null(step: Json) -> Json:
    """Return a step that hands null over in place of what JSON lacks."""
    return {key: null_for(value) if key in MEMBERS else value for key, value in step.items()}


def null_for(value: Json) -> Json:
    """Return a value with null in place of what JSON lacks."""
    if isinstance(value, dict):
        return {key: null_for(item) for key, item in value.items()} if MEANING.keys().isdisjoint(value) else None
    return list(map(null_for, value)) if isinstance(value, list) else value


def is_said(text: str) -> bool:
    """Tell whether steps, as Python prints them, may have such a value; a glance, which most have no more than."""
    return any(f"'{word}'" in text for word in MEANING)


def no_json_misfits(steps: list[Json], _said: frozenset[str]) -> Iterator[str]:
    """Say in words which rules the steps break that are about such values, wherever one stands."""
    for step in steps:
        yield from _misplaced(step)
    for step in steps:
        if hands_over_no_json(step):
            yield from _failing(step, steps)
        if replies_no_json(step):
            yield from _replying(step, steps)


def _failing(step: Json, steps: list[Json]) -> Iterator[str]:
    """Yield what is asked for that cannot be, as this step fails at once."""
    name = step["as"]
    if "/" in name:
        yield f"step {name!r}: no callback hands over what JSON lacks"
    if step.get("background") or step.get("drain") is False:
        yield f"step {name!r}: it fails at once, so nothing of it goes on: leave out `background`, and `drain` it"
    for other in steps:
        if name in [other.get(member) for member in NAMING] or f"'$get': '{name}" in str(other):
            yield f"step {other['as']!r}: it goes by {name!r}, which fails, as JSON lacks what that hands over"


def replies_no_json(step: Json) -> bool:
    """Tell whether a callback of a step may reply with a value that JSON lacks."""
    return any(map(lacks_json, _replied(step)))


def _replied(step: Json) -> list[Json]:
    """Return what a step's callbacks set in their replies, or hand over, and may be what JSON lacks."""
    return [*_refused(step), *_failing_replies(step), *_chunks(step)]


def _chunks(step: Json) -> list[Json]:
    """Return the chunks that a step's callback hands over, and what it sets in those that it passes on."""
    wraps = step["step"] == "register" and step["family"] == STREAMING
    provides = step["step"] == "call" and step["kind"] == "llm_stream"
    ops = step["do"] if wraps else step["provider"] if provides else []
    own = [chunk for op in every_op(ops) if op["op"] == "yield" for chunk in op["chunks"]]
    return [*own, *_sets(ops)] if wraps else own


def _refused(step: Json) -> list[Json]:
    """Return what a step's callback sets in its reply of which the call fails."""
    if step["step"] == "register":
        return _sets(step["do"]) if step["family"] in REPLYING else []
    return _sets(step["provider"]) if step["step"] == "call" and step["kind"] != "llm_stream" else []


def _failing_replies(step: Json) -> list[Json]:
    """Return what a step's callbacks set in their replies that count as failures of their own."""
    if step["step"] == "register":
        return _sets(step["do"]) if step["family"] in FAILING else []
    if step["step"] != "call":
        return []
    codec = step["codec"] if isinstance(step.get("codec"), dict) else {}
    scripts = [*codec.values(), step.get("finalizer", [])]
    return [found for ops in scripts for found in _sets(ops)]


def _sets(ops: list[Json]) -> list[Json]:
    return [op["set"] for op in every_op(ops) if op["op"] == "edit"]


def _replying(step: Json, steps: list[Json]) -> Iterator[str]:
    """Yield what is asked for beside such a reply and cannot be: where it is refused its call fails, or what it is
    of."""
    name = step["as"]
    beside = [one for one in steps if one.get("background")]
    beside += [one for one in steps if one["step"] == "register" and goes_on_at_once(one)]
    beside += [one for one in steps if any(op.get("catch") for op in every_op(one.get("do") or []))]
    if beside:
        yield (
            f"step {name!r}: a callback of it replies with what JSON lacks: beside that nothing is in the background, "
            f"caught or gone on with several times at once, as in step {beside[0]['as']!r}"
        )
    failing = [found for found in _failing_replies(step) if lacks_json(found)]
    if failing or any(map(lacks_json, _chunks(step))):
        yield from _seen_beside(name, failing, steps)


def _seen_beside(name: str, replied: list[Json], steps: list[Json]) -> Iterator[str]:
    """Yield what is asked for and cannot be beside a reply that counts as a failure of its own, or a chunk: whether it
    was taken is seen by what is told, or read."""
    for other in [one for one in steps if one["step"] == "storm" or one.get("drain") is False][:1]:
        yield f"step {name!r}: beside its reply there is no storm, and each stream is drained, unlike {other['as']!r}"
    values = [value for one in replied for value in one.values() if isinstance(value, dict)]
    if not all(map(MEANING.keys().isdisjoint, values)):
        yield f"step {name!r}: what JSON lacks stands in an object or a list that its callback sets, not for all of it"
    if len({str(value) for value in _lacking(steps)}) > 1:
        yield f"step {name!r}: beside its reply nothing else that JSON lacks is replied or handed over"


def _misplaced(step: Json) -> Iterator[str]:
    """Yield what a step has of such values where none can be, or which mean nothing."""
    may = MEMBERS if step["step"] in STEPS else ()
    said = {key: value for key, value in step.items() if key not in may}
    if sum(1 for _ in _lacking(said)) > sum(1 for _ in _lacking(_replied(step))):
        where = f"{', '.join(MEMBERS)} of a {', '.join(STEPS)}"
        replies = "chunks, what a callback sets in its reply, but for a conditional's and what hands over chunks"
        yield f"step {step['as']!r}: what JSON lacks stands in {where}, in {replies}, and nowhere else"
    for value in _lacking(step):
        word = next(iter(value))
        if len(value) > 1 or not MEANING[word](value[word]):
            yield f"step {step['as']!r}: {value!r} means nothing; the scenario language has a table of values"


def _lacking(value: Json) -> Iterator[Json]:
    """Yield the objects in a value, at any depth, that are spelled as what JSON lacks."""
    if isinstance(value, dict):
        if not MEANING.keys().isdisjoint(value):
            yield value
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from _lacking(part)
