"""The scenario language of `interceptors`, as a model: steps, and the layers of a stack.

Enters: nothing. Leaves: the structs. What they cannot say, `scenario` checks.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from bindproof.suites.interceptors.forms import Closed, Text, Whole

MOST_RUNS = 512
"""A call may run its operation this often at most, whatever its layers and results are."""

Milliseconds = Annotated[float, msgspec.Meta(ge=0, le=10**9)]
"""A time in milliseconds, with up to three digits after the point."""

Factor = float | Literal["NaN", "Infinity", "-Infinity"]
Attempts = Annotated[int, msgspec.Meta(ge=0, le=MOST_RUNS)]


class Did(Closed, frozen=True):
    """What an operation does when it is run: it takes so many milliseconds, then gives a result."""

    after: Whole = 0
    gives: Any = None


class Record(Closed, frozen=True, tag_field="layer", tag="record", rename={"as_": "as"}):
    """A layer of the scenario: runs the rest so often, with another input if it has one.

    It answers with `gives`, or with what the last run gave.
    """

    as_: Text
    times: Annotated[int, msgspec.Meta(ge=0, le=16)] = 1
    input: Any = None
    gives: Any = None


class Shared(Closed, frozen=True, tag_field="layer", tag="shared"):
    """The instance that a `share` step made; it passes everything on."""

    of: Text


class Retry(Closed, frozen=True, tag_field="layer", tag="retry"):
    """The library's retry: with its defaults when no member is given, else all four are."""

    max_attempts: Attempts | None = None
    initial_delay: Milliseconds | None = None
    max_delay: Milliseconds | None = None
    multiplier: Factor | None = None


class Timeout(Closed, frozen=True, tag_field="layer", tag="timeout"):
    """The library's timeout."""

    duration: Milliseconds


class Approval(Closed, frozen=True, tag_field="layer", tag="approval", rename={"as_": "as"}):
    """The library's approval gate; its check takes the decisions in turn, the last one for ever."""

    as_: Text
    decisions: Annotated[list[Any], msgspec.Meta(min_length=1)] = msgspec.field(default_factory=lambda: ["allow"])


class Logging(Closed, frozen=True, tag_field="layer", tag="logging"):
    """The library's logging: with its default level when none is given."""

    level: Literal["info", "debug", "trace"] | None = None


class NoOp(Closed, frozen=True, tag_field="layer", tag="noop"):
    """The library's layer that does nothing."""


Layer = Record | Shared | Retry | Timeout | Approval | Logging | NoOp


class ToolRetry(Closed, frozen=True):
    """A tool's own retry: with the library's defaults when no number is given, else all five are.

    only_if: errors in whose message this text does not stand are not tried again.
    """

    max_retries: Attempts | None = None
    initial_backoff: Milliseconds | None = None
    max_backoff: Milliseconds | None = None
    backoff_multiplier: Annotated[float, msgspec.Meta(ge=0, le=10**9)] | None = None
    jitter: Annotated[float, msgspec.Meta(ge=0, le=1)] | None = None
    only_if: str | None = None


class Tool(Closed, frozen=True):
    """A tool of a registry. schema: of its arguments; does: what its handler does, in turn, the last one for ever."""

    name: Text = "t"
    schema: dict[str, Any] = msgspec.field(default_factory=dict)
    retry: ToolRetry | None = None
    does: Annotated[list[Did], msgspec.Meta(min_length=1)] = msgspec.field(default_factory=lambda: [Did()])


class Stack(Closed, frozen=True, tag_field="step", tag="stack", rename={"as_": "as"}):
    """Build a stack, its outermost layer first."""

    as_: Text | None = None
    domain: Literal["llm", "tool"] = "llm"
    layers: list[Layer] = msgspec.field(default_factory=list)


class Registry(Closed, frozen=True, tag_field="step", tag="registry", rename={"as_": "as"}):
    """Build a tool registry around a stack of these layers."""

    as_: Text | None = None
    layers: list[Layer] = msgspec.field(default_factory=list)
    tools: list[Tool] = msgspec.field(default_factory=lambda: [Tool()])


class Derive(Closed, frozen=True, tag_field="step", tag="derive", rename={"as_": "as"}):
    """Make another of a stack or a registry: a clone, or a registry with `only` or `without` some tools."""

    of: Text
    as_: Text | None = None
    only: list[str] | None = None
    without: list[str] | None = None


class Share(Closed, frozen=True, tag_field="step", tag="share", rename={"as_": "as"}):
    """Make one instance of a layer that several stacks may hold. It counts how often it is entered."""

    as_: Text


class CallStep(Closed, frozen=True, tag_field="step", tag="call", rename={"as_": "as"}):
    """Call a stack or a registry. does: what a stack's operation does, in turn, the last one for ever."""

    as_: Text | None = None
    on: Text | None = None
    input: Any = None
    does: Annotated[list[Did], msgspec.Meta(min_length=1)] = msgspec.field(default_factory=lambda: [Did()])


class All(Closed, frozen=True, tag_field="step", tag="all", rename={"as_": "as"}):
    """Make several calls on a registry at once, one after the other or in parallel."""

    inputs: Annotated[list[Any], msgspec.Meta(min_length=1)]
    as_: Text | None = None
    on: Text | None = None
    parallel: bool = False


class Scenario(Closed, frozen=True):
    """A portable program: steps, one after the other."""

    steps: Annotated[list[Stack | Registry | Derive | Share | CallStep | All], msgspec.Meta(min_length=1)]
