"""Steps `worker`: a managed call whose only request intercept is a worker's, with the answer byte by byte.

Enters: steps `worker`, complete. Leaves: which of them make sense, and the bytes that they state. Must not know checks.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from bindproof.core.model import Json
from bindproof.suites.relay.scenario.boundaries import OUTCOME_SCHEMA
from bindproof.suites.relay.scenario.raw import DEEPEST, MisfitError, depth, octets

REQUEST: Json = {"headers": {}, "content": {"messages": []}}
"""What each of these calls is made with."""

AS_GIVEN = json.dumps({"request": REQUEST}, separators=(",", ":")).encode()
"""The outcome that changes nothing."""

LIMIT = 2**22
"""What a host's reader of messages takes at most, in bytes, unless it is told otherwise."""

NEAR = 2**12
"""How close to the limit no outcome may be: what else is in the message counts too."""


def sent(step: Json) -> bytes:
    """Return the bytes in an outcome's envelope."""
    found = octets(step["outcome"])
    return AS_GIVEN if found is None else found


def read(text: bytes) -> Json:
    """Return the one JSON value that a text is; raises ValueError where it is none, or no text in UTF-8."""
    return json.loads(text.decode(), parse_constant=_no_number)


def states_twice(text: bytes) -> bool:
    """Tell whether an outcome, its request or a mark in it states a member of its own twice.

    Of such an object nobody can say what it states. Of headers, a content or data everybody takes the last one.
    """
    outcome = json.loads(text, object_pairs_hook=tuple)
    return any(map(_is_doubled, _parts(outcome)))


def _parts(outcome: Json) -> Iterator[Json]:
    """Yield the objects whose members are known, as pairs."""
    yield outcome
    for name, value in outcome if isinstance(outcome, tuple) else ():
        if name == "request":
            yield value
        elif name == "pending_marks" and isinstance(value, list):
            yield from value


def _is_doubled(part: Json) -> bool:
    names = [name for name, _ in part] if isinstance(part, tuple) else []
    return any(name in _KNOWN and names.count(name) > 1 for name in names)


_KNOWN = frozenset(
    ("request", "annotated_request", "pending_marks", "headers", "content", "name", "category", "category_profile")
)


def _no_number(word: str) -> Json:
    raise ValueError(f"{word} is no number of JSON's")


def check_workers(steps: list[Json]) -> None:
    """Raise MisfitError for a step `worker` among others, or with what its result does not have."""
    own = [step for step in steps if step["step"] == "worker"]
    if own and len(own) != len(steps):
        raise MisfitError("steps `worker` and others are in one scenario: a worker's calls are all that there is")
    for step in own:
        _check(step)


def _check(step: Json) -> None:
    name = f"step {step['as']!r}"
    if step["result"] != "outcome" and (step["schema"] != OUTCOME_SCHEMA or step["outcome"] is not None):
        raise MisfitError(f"{name}: `schema` and `outcome` are those of the result `outcome`")
    if bool(step["message"]) is not (step["result"] == "error"):
        raise MisfitError(f"{name}: `message` is that of the result `error`, which has one")
    try:
        found = sent(step)
    except ValueError:
        raise MisfitError(f"{name}: `outcome` is neither UTF-8 text nor bytes in hex") from None
    if depth(found) > DEEPEST:
        raise MisfitError(f"{name}: `outcome` is nested deeper than {DEEPEST} lists and objects; make it flatter")
    if abs(len(found) - LIMIT) < NEAR:
        raise MisfitError(f"{name}: `outcome` is about as large as a message may be; make it smaller, or larger")
