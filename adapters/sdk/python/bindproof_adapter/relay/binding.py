"""What the SDK asks of one binding of the `relay` suite: its API calls, and nothing else.

Enters: steps in the binding's own spelling, callbacks to hand on. Leaves: what the binding gave, as JSON. Whatever a
method raises is what the binding gave its caller. Must not know scenarios or logs.
"""

from __future__ import annotations

import contextvars
from collections.abc import Awaitable, Sequence
from collections.abc import Callable as Function
from typing import Any, Protocol, runtime_checkable

from bindproof_adapter.relay.callback import Callback, Provider, Sink
from bindproof_adapter.relay.families import Listed
from bindproof_adapter.relay.streaming import Parts, Reader

Json = Any
Undo = Function[[], object]
Put = Function[[Json, Callback | Sink], object]
"""Registers the callback of a step, through a plugin's context."""


class Binding(Protocol):
    """The API calls that every binding has. Where a step names another one, it holds what that one made.

    `scope` of a registration is None or the handle of the scope that owns it, `parent` None or a scope's handle, and
    `of` the handle of what is to be ended.
    """

    def describe(self) -> Json:
        """Return `target` and `suites` of the answer to `initialize`."""

    def fresh_scope(self) -> None:
        """Begin on a new scope stack; called in the scenario's own context."""

    def registered(self) -> Sequence[tuple[str, str]]:
        """Return (family, name) of everything registered now, from the binding's own listing."""

    async def flush(self) -> None:
        """Wait until every event so far is delivered."""

    def register(self, step: Json, callback: Callback | Sink) -> Undo:
        """Register what the step's family says: a Sink for a subscriber, an Around where an execution is wrapped.

        Returns what deregisters it and returns the binding's answer to that. Raises Unsupported for other families.
        """

    async def call_llm(self, step: Json, provider: Provider, decode: Callback | None, encode: Callback | None) -> Json:
        """Make a managed LLM call; return what the caller gets. Without a codec, decode and encode are None."""

    async def helper(self, step: Json) -> Json:
        """Run the standalone helper of a family; return what it gives as JSON."""


@runtime_checkable
class Lifecycles(Protocol):
    """What a binding has besides that has tools, scopes and the manual API."""

    async def call_tool(self, step: Json, provider: Provider) -> Json:
        """Make a managed tool call; return what the caller gets: `result` and `annotation`."""

    def start(self, step: Json) -> Any:
        """Start a scope, or a manual call, as the step's `kind` says; return its handle."""

    def end(self, step: Json) -> None:
        """End what was started; `kind` is that of the start."""

    def mark(self, step: Json) -> None:
        """Emit a mark."""


@runtime_checkable
class Measuring(Protocol):
    """What a binding has besides that emits metrics."""

    def metric(self, step: Json) -> None:
        """Emit a mark whose `measurements` is a group of them; raises Unsupported where this release has none."""


SetUp = Function[[str, Put], None]
"""What a plugin of a name does when it is asked to register, given what registers through its context."""


@runtime_checkable
class Installing(Protocol):
    """What a binding has besides that lets a program install plugins."""

    async def install(self, plugins: Sequence[str], set_up: SetUp) -> Function[[], Awaitable[None]]:
        """Install plugins of these names in one configuration, in this order; return what takes all of them back.

        When a plugin is asked to register, `set_up` is called once with its name, and with what registers through the
        context that it is handed. What `set_up` raises the plugin raises. A name that stands twice is of one plugin
        that is configured twice. Raises Unsupported where this release takes no plugins.
        """


Decide = Function[[Sequence[str], str], str | None]
"""Decides for a gate, given its families and a name: returns a reason against what is registered so, or None."""


@runtime_checkable
class Gating(Protocol):
    """What a binding has besides that lets a program register gates."""

    def gate(self, step: Json, decide: Decide) -> Undo:
        """Register a gate of the step's name, about its `families` and `target`, that calls `decide` whenever it is
        asked, and lets pass what that raises; return what takes it back and returns the binding's answer to that.

        Raises Unsupported where this release has no gates.
        """


@runtime_checkable
class Listing(Protocol):
    """What a binding has besides that lets a program ask what is registered."""

    def listed(self, family: str | None) -> Sequence[Listed]:
        """Return what is registered now, of one family or of all, as the binding lists it.

        Raises Unsupported where this release has no listing.
        """


@runtime_checkable
class Scoped(Protocol):
    """What a binding has besides that says which scope is the current one."""

    def current(self) -> Json:
        """Return `uuid` and `name` of the current scope."""


Leave = Function[[BaseException | None], object]
"""Ends a block: with what was raised in it, or None. What it raises itself has passed out of the block."""


@runtime_checkable
class Blocks(Protocol):
    """What a binding has besides whose language keeps a scope open for a block of code."""

    def block(self, step: Json, ends_at: int | None) -> tuple[Any, Leave]:
        """Start a scope as `start` does; return its handle, and what ends it, at the given time where there is one."""


Back = Function[[], object]
"""Goes back to the scope stack that was the current one before."""


@runtime_checkable
class Isolating(Protocol):
    """What a binding has besides whose programs can have several scope stacks."""

    def context(self) -> tuple[contextvars.Context, Back]:
        """Begin a context with a scope stack of its own; return what its steps are done in, and what leaves it.

        A binding whose stack goes by the thread, and not by Python's context, returns the current context, copied.
        """


@runtime_checkable
class Propagating(Protocol):
    """What a binding has besides whose programs can tell another process where they stand, and go on from there."""

    def capture(self, step: Json) -> Json:
        """Return what another process is told, as JSON with the names that the wire has.

        `what` of the step says which function is asked: `usual`, `rootless`, `rooted`, whose `root` is the handle of
        a scope, or `traceparent`, which gives a text.
        """

    def received(self, captured: Json) -> tuple[contextvars.Context, Back]:
        """Begin a context, as `context` of Isolating does, whose scope stack is made of what `capture` gave."""


@runtime_checkable
class Telling(Protocol):
    """What a binding has besides whose handles say what was started."""

    def handle(self, step: Json) -> Json:
        """Return what the handle `of` says, whose kind is `kind`: each member that the binding's handles of it have.

        They are `uuid`, `parent_uuid`, `name`, `attributes` (names, in alphabetical order), `data`, `metadata`, and a
        scope's `type`.
        """


@runtime_checkable
class Building(Protocol):
    """What a binding has besides that has objects which programs build."""

    def build(self, step: Json) -> Json:
        """Build the object that the step names of its `value`; return what its own members say, each by its name.

        Raises Unsupported where this release has no such object.
        """


@runtime_checkable
class Coding(Protocol):
    """What a binding has besides whose codecs can be asked.

    The codec of a step is a built-in one, or `own`: that which the sanitizer gets whose callback does the step, with
    what this was given as payload. Both answer None where such a sanitizer gets none. They raise Unsupported where this
    release has no such codec (`codec.builtin`), or lets nobody ask it (`codec.asked`).
    """

    def decode(self, step: Json) -> Json:
        """Return what the codec reads of the payload of the step's `side`, a request or a response."""

    def encode(self, step: Json) -> Json:
        """Return the request that the codec makes of the payload and the step's annotation."""


@runtime_checkable
class Handing(Protocol):
    """One that hands objects to callbacks, and not only what the adapter reads into objects of its own.

    What is played is given those very objects, inside the one that the adapter makes of them.
    """

    hands_objects: bool


@runtime_checkable
class Awaiting(Protocol):
    """One that takes asynchronous callbacks where it takes plain ones: what is played for one has to be awaited."""

    awaits: bool
    """Whether this release does."""


@runtime_checkable
class Untyped(Protocol):
    """One that takes anything from a program.

    Where a step says `odd`, it registers what that says; where it hands over what JSON lacks, that is handed over.
    """

    takes_anything: bool
    """It does: True."""


@runtime_checkable
class InFlight(Protocol):
    """What a binding has besides that can have several calls at a time.

    Each `call_llm` and `call_tool` runs in a task of its own. Their providers are Providers, which are awaited.
    """

    in_flight: bool


@runtime_checkable
class Blocking(InFlight, Protocol):
    """One whose calls block, and so do its callbacks: each call in flight is on a thread of its own."""

    blocks: bool

    def same_scope(self) -> None:
        """Bring the thread that this is called on to the scenario's scope stack; each call in flight begins so."""


@runtime_checkable
class Cancelling(InFlight, Protocol):
    """One whose calls in flight can be cancelled.

    To cancel the task of one cancels the call; what waits in its callbacks hears of it by `asyncio.CancelledError`.
    """

    cancels: bool


@runtime_checkable
class Storming(Binding, Protocol):
    """One whose programs may run at once, in the ways that a storm names: on `threads`, or as `tasks`.

    A thread has an event loop of its own, but where calls block. Nothing here takes turns then: what a binding keeps
    of one call is that call's alone.
    """

    storms: Sequence[str]

    def own_scope(self) -> None:
        """Begin on a new scope stack that is this program's alone; called on its thread, in its context."""


@runtime_checkable
class BuiltInCodecs(Protocol):
    """What a binding has besides that brings codecs along: a call's step names one of them in `codec`."""

    def codecs(self) -> Sequence[str]:
        """Return the names of those that this release has; raise Unsupported where there is more to say."""


@runtime_checkable
class ResponseCodecs(Protocol):
    """What a binding has besides that can be told what reads an answer: a call's step names one in `response_codec`."""

    def response_codecs(self) -> Sequence[str]:
        """Return the names of those that this release has."""


@runtime_checkable
class Streaming(Protocol):
    """What a binding has besides that has streams. It registers a Source for `llm.stream`."""

    async def open_stream(self, step: Json, parts: Parts) -> Reader:
        """Make a managed stream call; return the stream that its caller gets."""


@runtime_checkable
class Boundary(Protocol):
    """What a binding has besides whose functions can be called with any bytes."""

    def raw(self, step: Json) -> tuple[Json, Undo | None]:
        """Act a raw step; return its value, and what undoes it."""

    def measured(self) -> Sequence[tuple[str, Json]]:
        """Return what was counted of each raw step since this was last asked; empty where there was none."""
