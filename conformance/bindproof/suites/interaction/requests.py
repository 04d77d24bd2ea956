"""Requests of the model layer: their language, what is wrong with each of them, and their logs, read.

Enters: a scenario that is `of` a request, a log. Leaves: the complete scenario, what is wrong, a Requested. Must not
know the requirements, nor the reference.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Struct

from bindproof.suite_api import Json
from bindproof.suites.interaction.language import Failure, Retries, Times
from bindproof.suites.interaction.trying import PASSING

Short = Annotated[str, msgspec.Meta(max_length=8)]
Text = Annotated[str, msgspec.Meta(max_length=32)]
Whole = Annotated[int, msgspec.Meta(ge=-9, le=60)]
Number = Annotated[float, msgspec.Meta(ge=-9, le=9)]
Ability = Literal["chat", "streaming", "tools", "output"]
HOTTEST: Final = 2


class Request(Struct, frozen=True, forbid_unknown_fields=True):
    """One request. tools, output, streams: whether it has a tool, asks for an output, and for a stream.

    fails: how the provider fails; times: so often, and for ever where it is None.
    """

    model: Short = "m1"
    messages: Annotated[list[Text], msgspec.Meta(max_length=3)] = msgspec.field(default_factory=lambda: ["hello"])
    id: Short | None = "ask"
    key: Short | None = "ask"
    most_tokens: Whole | None = None
    timeout: Whole | None = None
    temperature: Number | None = None
    top_p: Number | None = None
    tools: bool = False
    output: bool = False
    streams: bool = False
    fails: Failure | None = None
    times: Times | None = None


class Requests(Struct, frozen=True, forbid_unknown_fields=True):
    """Requests of one layer, one after the other. lacks: what its provider does not support."""

    of: Literal["request"]
    steps: Annotated[list[Request], msgspec.Meta(min_length=1, max_length=6)]
    ceiling: Annotated[int, msgspec.Meta(ge=8, le=200_000)] = 200_000
    lacks: Annotated[list[Ability], msgspec.Meta(max_length=4)] = []
    through: Literal["layer", "client", "bare client"] = "layer"
    idempotent: bool = False
    retries: Retries = 3


WRONGS: Final[dict[str, Callable[[Json], bool]]] = {
    "model": lambda step: not step["model"].strip(),
    "messages": lambda step: not step["messages"],
    "most_tokens": lambda step: step["most_tokens"] is not None and step["most_tokens"] <= 0,
    "timeout": lambda step: step["timeout"] is not None and step["timeout"] <= 0,
    "cold": lambda step: step["temperature"] is not None and step["temperature"] < 0,
    "hot": lambda step: step["temperature"] is not None and step["temperature"] > HOTTEST,
    "top_p": lambda step: step["top_p"] is not None and not 0 < step["top_p"] <= 1,
    "key": lambda step: step["key"] is not None and not step["key"].strip(),
}
"""What may be wrong with a request by itself."""


class Part(Struct, frozen=True):
    """One request as a log has it. number: from 1 on; missing: what its provider lacks."""

    number: int
    step: Json
    wrong: list[str]
    missing: list[str]
    too_long: bool
    tries: int
    """How often the provider is to be asked at most, if it fails and nothing is wrong with the request."""
    calls: list[int]
    """The places where the provider is called."""
    end: int | None
    """The place of what came of it."""

    @property
    def sound(self) -> bool:
        """Tell whether nothing is wrong with it."""
        return not (self.wrong or self.missing or self.too_long)

    @property
    def due(self) -> int:
        """How often the provider is to be asked."""
        times = self.step["times"] or self.tries
        return 1 if self.step["fails"] is None else min(self.tries, times + 1)

    @property
    def answered(self) -> bool:
        """Tell whether the provider answers the last time."""
        fails, times = self.step["fails"], self.step["times"]
        return fails is None or (times is not None and times < self.tries)

    @property
    def named(self) -> bool:
        """Tell whether it has an id that is not blank."""
        return named(self.step)


class Requested(Struct, frozen=True):
    """A log of requests, read."""

    scenario: Json
    log: list[Json]
    parts: list[Part]


def named(step: Json) -> bool:
    """Tell whether a request has an id that is not blank."""
    return bool((step["id"] or "").strip())


def wrongs(step: Json) -> list[str]:
    """Return what is wrong with a request."""
    return [name for name, is_so in WRONGS.items() if is_so(step)]


def missing(scenario: Json, step: Json) -> list[str]:
    """Return what a request needs and the provider does not support."""
    needs = ["chat", *(name for name, asks in _NEEDS.items() if step[asks])]
    return [name for name in needs if name in scenario["lacks"]]


_NEEDS: Final = {"streaming": "streams", "tools": "tools", "output": "output"}


def too_long(scenario: Json, step: Json) -> bool:
    """Tell whether the messages of a request have more characters than the provider may be sent."""
    return bool(sum(len(text) for text in step["messages"]) > scenario["ceiling"])


def tries(scenario: Json, step: Json) -> int:
    """Return how often a request is made at most whose provider fails."""
    again = scenario["idempotent"] and step["key"] is not None and step["fails"] in PASSING
    return scenario["retries"] + 1 if again else 1


def problem(scenario: Json) -> str | None:
    """Say what of the requests breaks the language, or None."""
    for number, step in enumerate(scenario["steps"], 1):
        long = too_long(scenario, step)
        if missing(scenario, step) and (wrongs(step) or long):
            return f"step {number}: it is malformed and unsupported, and nothing says which of the two is told"
        if step["fails"] is not None and step["streams"]:
            return f"step {number}: runs have streams that fail; say `fails` of a request without a stream"
        if scenario["through"] != "layer" and step["streams"]:
            return f"step {number}: nothing says how a client tells why a stream was not opened"
        if scenario["through"] == "bare client" and (
            wrongs(step) or missing(scenario, step) or long or not named(step)
        ):
            return f"step {number}: nobody looks at requests of a bare client; say what is sound, and has an id"
        if long and len(step["messages"]) > 1:
            return f"step {number}: nothing says which of several messages is cut that are too long"
    return None


def requested(scenario: Json, log: list[Json]) -> Requested:
    """Read a log."""
    parts: list[Part] = []
    at = 0
    for number, step in enumerate(scenario["steps"], 1):
        end = next((place for place in range(at, len(log)) if log[place]["fact"] == "ended"), None)
        behind = len(log) if end is None else end
        calls = [place for place in range(at, behind) if log[place]["fact"] == "called"]
        lacks, long = missing(scenario, step), too_long(scenario, step)
        parts.append(Part(number, step, wrongs(step), lacks, long, tries(scenario, step), calls, end))
        at = behind + 1
    return Requested(scenario, log, parts)
