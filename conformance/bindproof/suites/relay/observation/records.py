"""The records of a log: what an adapter may say it saw, as types.

Enters: the log of an observation, as plain data. Leaves: one typed record for each, or an ObservationError that says
which of them is none. A value that is open to the binding (`given`, `reply`, `value`, `event`) stays as it came.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, get_args

import msgspec
from msgspec import UNSET, Struct, UnsetType

from bindproof.core.model import Json
from bindproof.suite_api import ObservationError

Number: TypeAlias = int


class _OfCallback(Struct, tag_field="fact"):
    """callback: its id. k: how often it had been entered before, counted from 0."""

    callback: str
    k: Number


class Enter(_OfCallback, tag="enter"):
    """A callback was entered."""

    given: Any

    def __post_init__(self) -> None:
        """Refuse what is no object: the form is part of the protocol, what stands in it is the binding's."""
        _must_be_object("given", self.given)


class Leave(_OfCallback, tag="leave"):
    """What a callback handed to the binding, or raised."""

    reply: Any = UNSET
    raised: str | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Refuse both, and neither."""
        _needs_one(reply=self.reply, raised=self.raised)


class Refused(_OfCallback, tag="refused"):
    """The binding's constructor refused what a callback was about to reply."""

    error: Any
    reply: Any = UNSET

    def __post_init__(self) -> None:
        """Refuse an error that is no object."""
        _must_be_object("error", self.error)


class Next(_OfCallback, tag="next"):
    """A callback goes on with what it wraps, with this argument."""

    given: Any


class Answer(_OfCallback, tag="answer"):
    """What going on gave, or the error that it ended with."""

    value: Any = UNSET
    error: Any = UNSET

    def __post_init__(self) -> None:
        """Refuse both, and neither."""
        _needs_one(value=self.value, error=self.error)
        _must_be_error(self.error)


class Wait(_OfCallback, tag="wait"):
    """A callback stands at a latch."""

    latch: str


class Resume(_OfCallback, tag="resume"):
    """A callback that stood at a latch goes on."""


class Cancelled(_OfCallback, tag="cancelled"):
    """A callback is told that the program cancelled its call."""


class Chunk(_OfCallback, tag="chunk"):
    """A callback hands over a chunk."""

    value: Any


class Over(_OfCallback, tag="over"):
    """A callback's stream is over."""

    how: Literal["ended", "closed"] | UnsetType = UNSET
    raised: str | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Refuse both, and neither."""
        _needs_one(how=self.how, raised=self.raised)


class Read(Struct, tag_field="fact", tag="read"):
    """A reader got a chunk."""

    step: str
    value: Any


class Done(Struct, tag_field="fact", tag="done"):
    """A step came back, with a value or an error."""

    step: str
    value: Any = UNSET
    error: Any = UNSET

    def __post_init__(self) -> None:
        """Refuse both, and neither."""
        _needs_one(value=self.value, error=self.error)
        _must_be_error(self.error)


class Event(Struct, tag_field="fact", tag="event"):
    """An event as a subscriber was told it, its keys untouched."""

    subscriber: str
    event: Any

    def __post_init__(self) -> None:
        """Refuse an event that is no object."""
        _must_be_object("event", self.event)


class Measure(Struct, tag_field="fact", tag="measure"):
    """What was counted of the raw step of this name."""

    name: str
    value: Any

    def __post_init__(self) -> None:
        """Refuse a count that is no object."""
        _must_be_object("value", self.value)


class Settled(Struct, tag_field="fact", tag="settled"):
    """All is over; always the last record."""


OfCallback: TypeAlias = Enter | Leave | Refused | Next | Answer | Wait | Resume | Cancelled | Chunk | Over
Record: TypeAlias = OfCallback | Read | Done | Event | Measure | Settled

FACTS = tuple(str(form.__struct_config__.tag) for form in get_args(Record))
"""All facts, by the words that tell them."""

ERROR_KEYS = frozenset({"type", "message", "code", "same_as"})
"""What the error of a `done` and of an `answer` has."""


def decode(log: list[Json]) -> list[Record]:
    """Return the records of a log; raises ObservationError for the first that is none."""
    try:
        return msgspec.convert(log, list[Record])
    except msgspec.ValidationError as error:
        raise ObservationError(_where(str(error), log)) from None


def _where(words: str, log: list[Json]) -> str:
    """Say which record it is, and of which fact: msgspec tells the place as `$[3].callback`."""
    what, _, path = words.partition(" - at `$[")
    index = int(path.partition("]")[0]) if path else 0
    member = path.partition("]")[2].strip(".`")
    record = log[index] if isinstance(log, list) and index < len(log) else None
    fact = record.get("fact") if isinstance(record, dict) else None
    if not isinstance(fact, str) or fact not in FACTS:
        return f"log record {index} states no known fact; known: {', '.join(FACTS)}"
    place = f"log record {index} ({fact})"
    return f"{place}: {what}" + (f", at {member!r}" if member else "")


def _needs_one(**members: Json) -> None:
    if sum(value is not UNSET for value in members.values()) != 1:
        raise ValueError(f"needs one of {' and '.join(map(repr, members))}, and not both")


def _must_be_object(name: str, value: Json) -> None:
    if type(value) is not dict:
        raise ValueError(f"{name!r} is no object")


def _must_be_error(error: Json) -> None:
    if error is UNSET:
        return
    if type(error) is not dict or not error.keys() >= ERROR_KEYS:
        raise ValueError("'error' needs type, message, code and same_as")
    if type(error["message"]) is not str or (error["same_as"] is not None and type(error["same_as"]) is not str):
        raise ValueError("'error' needs a text as message, and a text or null as same_as")
