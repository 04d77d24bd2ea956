"""The scenario language of `cells` as a typed model: sessions, cells and their programs, observations; and connections.

Enters: plain JSON. Leaves: structs. Which order of steps leaves something to chance is the reference's to refuse.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

Name = Annotated[str, msgspec.Meta(pattern=r"^[a-z][a-z0-9]{0,15}$")]
"""What a scenario calls a session, a cell, an observation or a call; names have one meaning in a scenario."""

Deadline = Annotated[int, msgspec.Meta(ge=0, le=50)]
"""The time of an observation, in milliseconds: it is over while the cell stands. Without one it is never over."""

Plain = Annotated[str, msgspec.Meta(max_length=64)]


class Closed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A record that holds no member which it does not name."""


class Text(Closed, frozen=True, tag_field="do", tag="text"):
    """Put a text out."""

    text: Plain


class Image(Closed, frozen=True, tag_field="do", tag="image"):
    """Put an image out; with a detail, or without one."""

    url: Literal["data:image/png;base64,AAAA", "data:image/png;base64,BBBB"] = "data:image/png;base64,AAAA"
    detail: Literal["auto", "low", "high", "original"] | None = None


class CallTool(Closed, frozen=True, tag_field="do", tag="call"):
    """Call a tool that answers at once with what it is given, and put that out; or that fails."""

    name: Name
    input: Plain = "ping"
    fails: bool = False


class Latch(Closed, frozen=True, tag_field="do", tag="latch"):
    """Call a tool that answers when a step `release` says so."""

    name: Name


class Leave(Closed, frozen=True, tag_field="do", tag="leave"):
    """Call a tool that never answers, and do not wait for it."""

    name: Name


class Notify(Closed, frozen=True, tag_field="do", tag="notify"):
    """Send a notification, by which it is told from others."""

    name: Name


class Store(Closed, frozen=True, tag_field="do", tag="store"):
    """Store a value."""

    key: Name
    value: Plain


class Load(Closed, frozen=True, tag_field="do", tag="load"):
    """Put a stored value out, or `(absent)`."""

    key: Name


class Yield(Closed, frozen=True, tag_field="do", tag="yield"):
    """Yield to whoever observes."""


class Throw(Closed, frozen=True, tag_field="do", tag="throw"):
    """Throw an error with this message."""

    message: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


class Busy(Closed, frozen=True, tag_field="do", tag="busy"):
    """Compute for ever."""


Statement = Text | Image | CallTool | Latch | Leave | Notify | Store | Load | Yield | Throw | Busy


class Open(Closed, frozen=True, tag_field="step", tag="open"):
    """Open a session."""

    session: Name = "s"


class Create(Closed, frozen=True, tag_field="step", tag="create", rename={"as_": "as"}):
    """Create a cell and observe it for the first time: that observation has the cell's name."""

    as_: Name
    program: list[Statement]
    session: Name = "s"
    within: Deadline | None = None


class Observe(Closed, frozen=True, tag_field="step", tag="observe", rename={"as_": "as"}):
    """Begin to observe a cell. count: so many at once, of which all but one have to be refused."""

    cell: Name
    as_: Name
    session: Name | None = None
    within: Deadline | None = None
    count: Annotated[int, msgspec.Meta(ge=1, le=5)] = 1


class Await(Closed, frozen=True, tag_field="step", tag="await"):
    """Wait until an observation has come back."""

    of: Name


class Reach(Closed, frozen=True, tag_field="step", tag="reach"):
    """Wait until a cell has made a call."""

    cell: Name
    call: Name


class Release(Closed, frozen=True, tag_field="step", tag="release"):
    """Answer a latch."""

    cell: Name
    latch: Name


class Lost(Closed, frozen=True, tag_field="step", tag="lost"):
    """Wait until a call has been cancelled."""

    cell: Name
    call: Name


class Cancel(Closed, frozen=True, tag_field="step", tag="cancel"):
    """Cancel an observation."""

    of: Name


class Nudge(Closed, frozen=True, tag_field="step", tag="yield"):
    """Have an observation yield."""

    of: Name


class Terminate(Closed, frozen=True, tag_field="step", tag="terminate"):
    """Terminate a cell, and wait for the outcome."""

    cell: Name
    session: Name | None = None


class Shutdown(Closed, frozen=True, tag_field="step", tag="shutdown"):
    """Shut a session down."""

    session: Name = "s"


Step = Open | Create | Observe | Await | Reach | Release | Lost | Cancel | Nudge | Terminate | Shutdown


class Hello(Closed, frozen=True, tag_field="frame", tag="hello"):
    """The handshake's first message."""

    versions: list[Annotated[int, msgspec.Meta(ge=1, le=9)]] = msgspec.field(default_factory=lambda: [1])
    required: list[Name] = []
    optional: list[Name] = []


class Request(Closed, frozen=True, tag_field="frame", tag="request"):
    """A request that opens a session."""

    id: Annotated[int, msgspec.Meta(ge=0, le=10**9)] = 1
    session: Name = "s"


class Stray(Closed, frozen=True, tag_field="frame", tag="stray"):
    """A message about a request that nobody made."""

    about: Literal["cancel", "yield"] = "cancel"
    id: Annotated[int, msgspec.Meta(ge=0, le=10**9)] = 77


class Broken(Closed, frozen=True, tag_field="frame", tag="broken"):
    """A frame that is none."""

    how: Literal[
        "short_head", "short_body", "oversized", "empty", "not_json", "unknown_field", "unknown_member",
        "unknown_type", "unknown_method",
    ]  # fmt: skip


Number = Annotated[int, msgspec.Meta(ge=0, le=9)]


class AskOpen(Closed, frozen=True, tag_field="ask", tag="open"):
    """Open the session."""


class AskCreate(Closed, frozen=True, tag_field="ask", tag="create", rename={"as_": "as"}):
    """Create a cell, by a key, or by an id that the client has chosen: its name."""

    as_: Name
    program: list[Text | Yield]
    key: Name | None = None
    chosen: bool = False


class AskObserve(Closed, frozen=True, tag_field="ask", tag="observe"):
    """Observe a cell, by a key, or by a number."""

    cell: Name
    key: Name | None = None
    number: Number | None = None


class AskTerminate(Closed, frozen=True, tag_field="ask", tag="terminate"):
    """Terminate a cell."""

    cell: Name


Ask = AskOpen | AskCreate | AskObserve | AskTerminate


class Scenario(Closed, frozen=True):
    """A portable program: steps about cells, the frames of one connection, or asks, each waited for."""

    steps: Annotated[list[Step], msgspec.Meta(min_length=1)] | None = None
    asks: Annotated[list[Ask], msgspec.Meta(min_length=1, max_length=20)] | None = None
    frames: Annotated[list[Hello | Request | Stray | Broken], msgspec.Meta(min_length=1)] | None = None
