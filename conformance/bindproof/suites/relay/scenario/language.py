"""The scenario language of `relay` as a model: steps, ops, and what each may state.

Enters: the families. Leaves: structs, and which kinds there are. `scenario` completes, checks and spells
scenarios; `spec/relay/scenario.schema.json` is made from it. Must not know processes or verdicts.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from bindproof.suites.relay.scenario.asking import Current, Handle
from bindproof.suites.relay.scenario.boundaries import Load, Native, Raw, Text, Worker
from bindproof.suites.relay.scenario.building import Build
from bindproof.suites.relay.scenario.coding import BuiltIn, Decode, Encode
from bindproof.suites.relay.scenario.contexts import Turn
from bindproof.suites.relay.scenario.families import Family
from bindproof.suites.relay.scenario.gating import Gate, Ungate
from bindproof.suites.relay.scenario.going_on import GoOn
from bindproof.suites.relay.scenario.installing import Plugins
from bindproof.suites.relay.scenario.metrics import DataSchema, Measurement


class Closed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What has no members besides those that it names."""


class Change(Closed, frozen=True):
    """What `edit` does, to the argument that `next` goes on with."""

    set: dict[str, Any] = {}
    remove: list[str] = []
    append: dict[str, list[Any]] = {}


class Edit(Closed, frozen=True, tag_field="op", tag="edit"):
    """Change the reply so far: set, then remove, then append. `as_is`: pointers and values are sent untranslated."""

    set: dict[str, Any] = {}
    remove: list[str] = []
    append: dict[str, list[Any]] = {}
    as_is: bool = False


class Raise(Closed, frozen=True, tag_field="op", tag="raise"):
    """Raise an error with this text: a marker that occurs nowhere else, such as `boom-17!`."""

    text: Text


class Mutate(Closed, frozen=True, tag_field="op", tag="mutate"):
    """Put this text at a place of what was given, in place, and not into the reply: a marker, as for `raise`."""

    at: Text
    text: Text


class Next(Closed, frozen=True, tag_field="op", tag="next"):
    """Go on with the execution once for each edit, one after the other; the reply becomes the last answer.

    An edit changes a copy of the argument that was given. `catch`: a failure is swallowed, and the reply stays.
    `at_once`: none is waited for before all are asked."""

    edits: list[Change] = msgspec.field(default_factory=lambda: [Change()])
    catch: bool = False
    at_once: bool = False


class Yield(Closed, frozen=True, tag_field="op", tag="yield"):
    """Hand over these chunks. The ops before the first `yield` are done when the callback is called, the others when
    its stream is read."""

    chunks: list[Any] = []


class Hang(Closed, frozen=True, tag_field="op", tag="hang"):
    """Hand over nothing more, and do not end either, until the stream is closed."""


class Wait(Closed, frozen=True, tag_field="op", tag="wait"):
    """Wait at this latch until the program opens it; where it is open already, go on at once."""

    latch: Text


class Register(Closed, frozen=True, tag_field="step", tag="register", rename={"as_": "as", "async_": "async"}):
    """Register a subscriber or a callback; `do` is what the callback does to its natural reply.

    `scope`: `global`, or the id of a step that started a scope, which then owns the registration. `async`: the
    callback is an asynchronous one, of a family whose callbacks may be either. `odd`: what is registered cannot be
    called: it is no function, or a function without parameters.
    """

    family: Family
    name: str
    as_: Text | None = None
    scope: Text = "global"
    priority: Annotated[int, msgspec.Meta(ge=-(2**31), le=2**31 - 1)] = 0
    break_chain: bool = False
    async_: bool = False
    odd: Literal["no_function", "no_parameters"] | None = None
    do: list[Edit | Raise | Mutate | Next | StepOp | Yield | Wait | Each] = []


class Deregister(Closed, frozen=True, tag_field="step", tag="deregister", rename={"as_": "as"}):
    """Take back the registration that the step `of` made, by its family, level and name."""

    of: Text
    as_: Text | None = None


class List(Closed, frozen=True, tag_field="step", tag="list", rename={"as_": "as"}):
    """Ask the binding what is registered: of the family `only`, or with null of all."""

    only: Family | None = None
    as_: Text | None = None


class Request(Closed, frozen=True):
    """An LLM request: headers and body."""

    headers: dict[str, Any] = {}
    content: Any = msgspec.field(default_factory=lambda: {"messages": []})


Attribute = Literal["parallel", "relocatable", "stateful", "streaming", "remote"]
"""What may be said of a scope (the first two), of an LLM's call (the next two), of a tool's."""

Moment = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
"""A time in microseconds since 1970, in UTC."""


class Start(Closed, frozen=True, tag_field="step", tag="start", rename={"as_": "as"}):
    """Start a scope, or a manual LLM or tool call. `type` and `input` are a scope's, `request` and `model` an LLM's,
    `args` and `tool_call_id` a tool's. `parent`: the scope that it is in, null for the innermost open one. `timestamp`:
    when it has started, null for now. `data`: the program's own. `block`: a language's form for a block of code."""

    name: str
    kind: Literal["scope", "llm", "tool"] = "scope"
    as_: Text | None = None
    type: Literal[
        "agent",
        "function",
        "tool",
        "llm",
        "retriever",
        "embedder",
        "reranker",
        "guardrail",
        "evaluator",
        "custom",
        "unknown",
    ] = "function"
    input: Any = None
    request: Request = Request()
    model: str | None = None
    args: Any = msgspec.field(default_factory=dict)
    tool_call_id: str | None = None
    attributes: list[Attribute] = []
    data: Any = None
    metadata: Any = None
    parent: Text | None = None
    timestamp: Moment | None = None
    block: bool = False


class End(Closed, frozen=True, tag_field="step", tag="end", rename={"as_": "as"}):
    """End what the step `of` started. `output`: a scope's output, an LLM's response, a tool's result.

    `annotation` is of an LLM's response or a tool's result, `response_codec` an LLM's, `data` a call's. `timestamp`:
    when it has ended, null for now. `raises`: the text of an error that ends a block; it passes out of the block, and
    the program goes on.
    """

    of: Text
    as_: Text | None = None
    output: Any = None
    annotation: Any = None
    response_codec: BuiltIn | None = None
    data: Any = None
    metadata: Any = None
    timestamp: Moment | None = None
    raises: Text | None = None


class Mark(Closed, frozen=True, tag_field="step", tag="mark", rename={"as_": "as"}):
    """Emit a mark. `parent`: the scope that it is in, null for the innermost open one. `timestamp`: when it was, null
    for now. `measurements`: it is a group of them, emitted as the language's own form for metrics has it."""

    name: str
    as_: Text | None = None
    data: Any = None
    metadata: Any = None
    data_schema: DataSchema | None = None
    severity: Literal["trace", "debug", "info", "warn", "error"] | None = None
    parent: Text | None = None
    timestamp: Moment | None = None
    measurements: list[Measurement] | None = None


class StepOp(Closed, frozen=True, tag_field="op", tag="step"):
    """Do a step inside the callback."""

    step: Register | Deregister | List | Current | Handle | Decode | Encode | Start | End | Mark


class EachInstalled(Closed, frozen=True, tag_field="op", tag="each"):
    """`each` of plugins that are installed together: a list for each of them."""

    ops: Annotated[list[list[StepOp | Raise]], msgspec.Meta(min_length=1)]


class Install(Closed, frozen=True, tag_field="step", tag="install", rename={"as_": "as"}):
    """Install plugins of these names, together; `do` is what their callback does, which is called once for each.

    What they register, they register through their context, and globally.
    """

    as_: Text | None = None
    plugins: Plugins = msgspec.field(default_factory=lambda: ["p"])
    do: list[StepOp | Raise | EachInstalled] = []


class Uninstall(Closed, frozen=True, tag_field="step", tag="uninstall", rename={"as_": "as"}):
    """Take back the plugins that the step `of` installed, and all that they have registered."""

    of: Text
    as_: Text | None = None


class Each(Closed, frozen=True, tag_field="op", tag="each"):
    """Do other ops in each entry, as if they stood here: the first list in the first, the last in all later ones."""

    ops: Annotated[list[list[Edit | Raise | Next | StepOp]], msgspec.Meta(min_length=1)]


class EachProvided(Closed, frozen=True, tag_field="op", tag="each"):
    """`each` of a provider, which wraps nothing."""

    ops: Annotated[list[list[Edit | Raise | StepOp]], msgspec.Meta(min_length=1)]


class Collected(Closed, frozen=True):
    """A `raise` that stands where no other op may: a tag alone would be taken for granted there."""

    op: Literal["raise"]
    text: Text


class EachCollected(Closed, frozen=True, tag_field="op", tag="each"):
    """`each` of a collector, which replies nothing."""

    ops: Annotated[list[list[Collected]], msgspec.Meta(min_length=1)]


class Codec(Closed, frozen=True):
    """A scripted request codec."""

    decode: list[Edit | Raise] = []
    encode: list[Edit | Raise] = []


class CallStep(Closed, frozen=True, tag_field="step", tag="call", rename={"as_": "as"}):
    """A managed call. `provider`: what the callback that does the work does to its natural answer.

    `request`, `model`, `codec` and `response_codec` are an LLM's, `args` and `tool_call_id` a tool's. `parent`: as for
    `start`. `data`: the program's own, null where none is handed over.
    `collector`, `finalizer` and `drain` are a stream's: without `drain` it is opened, and other steps read and close
    it. `background`: the program goes on as soon as one of the call's callbacks waits at a latch.
    """

    name: str
    kind: Literal["llm", "llm_stream", "tool"] = "llm"
    as_: Text | None = None
    request: Request = Request()
    model: str | None = None
    codec: Literal["none"] | BuiltIn | Codec = "none"
    response_codec: BuiltIn | None = None
    args: Any = msgspec.field(default_factory=dict)
    tool_call_id: str | None = None
    attributes: list[Attribute] = []
    data: Any = None
    metadata: Any = None
    parent: Text | None = None
    provider: list[Edit | Raise | Mutate | StepOp | Yield | Hang | Wait | EachProvided] = []
    collector: list[Raise | EachCollected] = []
    finalizer: list[Edit | Raise] = []
    drain: bool = True
    background: bool = False


class Open(Closed, frozen=True, tag_field="step", tag="open", rename={"as_": "as"}):
    """Open a latch. The callbacks that wait at it go on one after the other, in the order in which they came, each
    until its call waits again or is done; then the program goes on."""

    latch: Text
    as_: Text | None = None


class Cancel(Closed, frozen=True, tag_field="step", tag="cancel", rename={"as_": "as"}):
    """Cancel the call in the background that the step `of` made, as a program of the language does; one that is over
    already stays as it is."""

    of: Text
    as_: Text | None = None


class Read(Closed, frozen=True, tag_field="step", tag="read", rename={"as_": "as"}):
    """Read `n` chunks of the stream that the step `of` opened, or with null all until it ends."""

    of: Text
    n: Annotated[int, msgspec.Meta(ge=1)] | None = None
    as_: Text | None = None


class Close(Closed, frozen=True, tag_field="step", tag="close", rename={"as_": "as"}):
    """Be done with the stream that the step `of` opened: close it, or drop it as a program does that forgets it."""

    of: Text
    how: Literal["close", "drop"] = "close"
    as_: Text | None = None


class Helper(Closed, frozen=True, tag_field="step", tag="helper", rename={"as_": "as"}):
    """A standalone helper: runs the callbacks of one family, without a call, and returns what they came to."""

    name: str
    kind: Literal["llm.request", "llm.conditional", "tool.request", "tool.conditional"] = "llm.request"
    as_: Text | None = None
    request: Request = Request()
    args: Any = msgspec.field(default_factory=dict)


class Flush(Closed, frozen=True, tag_field="step", tag="flush", rename={"as_": "as"}):
    """Wait until every event so far has been delivered."""

    as_: Text | None = None


class Storm(Closed, frozen=True, tag_field="step", tag="storm", rename={"as_": "as"}):
    """Act programs at the same moment, on threads or as tasks, each on a scope stack of its own (see `storms`).

    `on` is `own` where it is to be as the language has it: on threads, or as tasks where there are no threads.
    """

    programs: Annotated[list[list[Start | Mark | CallStep | End]], msgspec.Meta(min_length=2, max_length=64)]
    on: Literal["threads", "tasks", "own"] = "threads"
    as_: Text | None = None


class Scenario(Closed, frozen=True):
    """A portable program: steps, one after the other."""

    steps: Annotated[
        list[
            Register
            | Deregister
            | Install
            | Uninstall
            | Gate
            | Ungate
            | List
            | Current
            | Turn
            | Handle
            | Build
            | Decode
            | Encode
            | Start
            | End
            | Mark
            | CallStep
            | GoOn
            | Open
            | Cancel
            | Read
            | Close
            | Helper
            | Flush
            | Raw
            | Worker
            | Load
            | Native
            | Storm
        ],
        msgspec.Meta(min_length=1),
    ]
