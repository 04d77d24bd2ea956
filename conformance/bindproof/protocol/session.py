"""One session with one adapter process: bytes in, events out, requests encoded, and no IO at all.

Enters: what the harness wants to send, and the bytes that were read. Leaves: request lines and events.
Must not know processes, clocks, or whom to blame. Which move is legal when is `MOVES` and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from msgspec import Struct

from bindproof.core.model import TargetInfo
from bindproof.protocol import messages
from bindproof.protocol.messages import LocalError, RemoteError, RunReply

State: TypeAlias = Literal["new", "initializing", "ready", "draining", "closed"]
Move: TypeAlias = Literal[
    "send initialize",
    "receive initialize reply",
    "send run",
    "receive run reply",
    "send shutdown",
    "receive shutdown reply",
    "end",
]

MOVES: Mapping[tuple[State, Move], State] = MappingProxyType(
    {
        ("new", "send initialize"): "initializing",
        ("initializing", "receive initialize reply"): "ready",
        ("ready", "send run"): "ready",
        ("ready", "receive run reply"): "ready",
        ("ready", "send shutdown"): "draining",
        ("draining", "receive run reply"): "draining",
        ("draining", "receive shutdown reply"): "closed",
        ("new", "end"): "closed",
        ("initializing", "end"): "closed",
        ("ready", "end"): "closed",
        ("draining", "end"): "closed",
        ("closed", "end"): "closed",
    }
)
"""Every legal move and the state it leads to. A move that is not here is a LocalError when it is ours (`send`), a
RemoteError when it is theirs (`receive`). A fault of theirs closes the session."""

Token = TypeVar("Token")
"""What the caller wants back with the reply to a run."""


class Initialized(Struct, frozen=True):
    """The adapter said who it is."""

    info: TargetInfo


class Replied(Struct, Generic[Token], frozen=True, gc=False):
    """A run was answered."""

    token: Token
    """As given with the request."""
    reply: RunReply
    line: bytes
    """The whole reply without its newline."""


class ShutdownAcknowledged(Struct, frozen=True):
    """The adapter answered `shutdown`; whatever it writes or does from here on counts for nothing."""


class Session(Generic[Token]):
    """The harness's side of one session.

    line_limit: the longest line in bytes, without its newline, that may come or go. reply_limit: the longest reply to a
    run that is read; without it, any. recall: given a run's token and
    the result that answers it (see `messages.result_of`), what is known of one just like it; None where it has to be
    read.
    """

    def __init__(
        self,
        line_limit: int,
        recall: Callable[[Token, bytes], Any] | None = None,
        reply_limit: int | None = None,
    ) -> None:
        self.state: State = "new"
        self.pending: dict[int, Token] = {}
        self._line_limit = line_limit
        self._reply_limit = line_limit if reply_limit is None else reply_limit
        self._recall = recall
        self._next_id = 1
        self._pieces: list[bytes] = []
        self._held = 0

    def initialize(self, harness_version: str) -> bytes:
        """The line that opens the session. Raises LocalError when it is open already."""
        self._sent("send initialize")
        return messages.initialize_request(self._new_id(), harness_version)

    def run(self, params: bytes, token: Token) -> bytes:
        """The line that asks for a scenario; `token` comes back with its reply.

        Raises LocalError when the session is not ready, or the line would be illegal or longer than the limit.
        """
        if self.state != "ready":
            self._sent("send run")
        request_id = self._next_id
        line = messages.run_request(request_id, params)
        if len(line) > self._line_limit:
            raise LocalError(f"the request has {len(line)} bytes, the line limit is {self._line_limit}")
        self._next_id = request_id + 1
        self.pending[request_id] = token
        return line

    def shutdown(self) -> bytes:
        """The line that asks the adapter to end. Raises LocalError when the session is not ready."""
        self._sent("send shutdown")
        return messages.shutdown_request(self._new_id())

    def receive(self, data: bytes) -> Iterator[Initialized | Replied[Token] | ShutdownAcknowledged]:
        """The events in the bytes that were read; an incomplete last line waits for the next call.

        Lines end at `\\n` alone. The iterator must be exhausted. Raises RemoteError at the first fault, after the
        events before it; the session is closed then.
        """
        first, *others = data.split(b"\n")
        self._hold(first)
        if not others:
            return
        others[:0] = [b"".join(self._pieces)]
        rest = others.pop()
        self._pieces.clear()
        self._held = 0
        for line in others:
            yield self._read(line)
        self._hold(rest)

    def end(self) -> bytes:
        """The adapter's output ended. Gives the unfinished line it left behind, mostly empty."""
        self.state = MOVES[self.state, "end"]
        rest = b"".join(self._pieces)
        self._pieces.clear()
        return rest

    def _hold(self, piece: bytes) -> None:
        if not piece:
            return
        self._pieces.append(piece)
        self._held += len(piece)
        if self._held > self._line_limit:
            raise self._fault(self._too_long(b"".join(self._pieces)))

    def _read(self, line: bytes) -> Initialized | Replied[Token] | ShutdownAcknowledged:
        if len(line) > self._line_limit:
            raise self._fault(self._too_long(line))
        try:
            if self.state == "ready":
                return self._answered(self._recalled(line) or self._run_reply(line), line)
            if self.state == "draining":
                return self._draining_reply(line)
            if self.state == "initializing":
                info = messages.read_initialize_reply(line, self._next_id - 1)
                self.state = MOVES[self.state, "receive initialize reply"]
                return Initialized(info)
        except RemoteError:
            self.end()
            raise
        raise self._fault(RemoteError(f"the adapter spoke in state {self.state}", line))

    def _run_reply(self, line: bytes) -> RunReply:
        if len(line) > self._reply_limit:
            return messages.unread_run_reply(line, self._reply_limit)
        return messages.read_run_reply(line)

    def _recalled(self, line: bytes) -> RunReply | None:
        """Return the reply to the run that is due, where it is known without being read."""
        if self._recall is None or not self.pending:
            return None
        due, token = next(iter(self.pending.items()))
        result = messages.result_of(line, due)
        known = None if result is None else self._recall(token, result)
        return None if known is None else RunReply(due, "observation", None, "", known)

    def _answered(self, reply: RunReply, line: bytes) -> Replied[Token]:
        if reply.id not in self.pending:
            if 1 < reply.id < self._next_id:
                raise RemoteError(f"a second reply to request {reply.id}", line, reply.id)
            raise RemoteError(f"a reply with unknown id {reply.id}", line)
        first = next(iter(self.pending))
        if reply.id != first:
            raise RemoteError(f"a reply to request {reply.id} before that to request {first}", line)
        return Replied(self.pending.pop(reply.id), reply, line)

    def _draining_reply(self, line: bytes) -> Replied[Token] | ShutdownAcknowledged:
        reply = self._run_reply(line)
        if reply.id != self._next_id - 1:
            return self._answered(reply, line)
        if self.pending:
            raise RemoteError(f"shutdown was answered before {len(self.pending)} runs were", line)
        messages.read_shutdown_reply(line, reply.id)
        self.state = MOVES[self.state, "receive shutdown reply"]
        return ShutdownAcknowledged()

    def _too_long(self, line: bytes) -> RemoteError:
        return RemoteError(f"a line longer than {self._line_limit} bytes", line)

    def _fault(self, error: RemoteError) -> RemoteError:
        self.end()
        return error

    def _sent(self, move: Move) -> None:
        state = MOVES.get((self.state, move))
        if state is None:
            raise LocalError(f"cannot {move} in state {self.state}")
        self.state = state

    def _new_id(self) -> int:
        self._next_id += 1
        return self._next_id - 1
