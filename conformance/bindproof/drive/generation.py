"""One generation of an adapter: a process, the session with it, and its pipes in the selector.

Enters: requests to send, readiness of pipes. Leaves: session events, and how the process ended.
Must not know jobs, deadlines or blame.
"""

from __future__ import annotations

import selectors
from collections.abc import Iterator
from typing import Any, Literal, TypeAlias

from bindproof.core.model import AdapterCommand
from bindproof.drive.docket import Sent
from bindproof.drive.values import Limits
from bindproof.protocol.process import AdapterProcess
from bindproof.protocol.session import Initialized, Replied, Session, ShutdownAcknowledged

Role: TypeAlias = Literal["stdin", "stdout", "stderr"]


class OutputEndedError(Exception):
    """The process will say no more. rest: the unfinished line it left behind."""

    def __init__(self, rest: bytes) -> None:
        super().__init__("the output ended")
        self.rest = rest


class Generation:
    """A started process. Raises StartError when it cannot be started.

    owner: comes back in the selector's data, as (owner, this generation, role).
    """

    def __init__(
        self, command: AdapterCommand, limits: Limits, selector: selectors.BaseSelector, owner: object
    ) -> None:
        self.session: Session[Sent] = Session(limits.line, _recall, limits.reply)
        self._process = AdapterProcess(command, limits.stderr)
        self._selector = selector
        self._owner = owner
        self._writing = False
        self._register(self._process.stdout, selectors.EVENT_READ, "stdout")
        self._register(self._process.stderr, selectors.EVENT_READ, "stderr")

    def send(self, lines: list[bytes]) -> None:
        """Write lines; what the pipe does not take now goes when it is ready."""
        waits = not self._process.send(lines)
        if waits and not self._writing:
            self._register(self._process.stdin, selectors.EVENT_WRITE, "stdin")
        elif self._writing and not waits:
            self._selector.unregister(self._process.stdin)
        self._writing = waits

    def receive(self) -> Iterator[Initialized | Replied[Sent] | ShutdownAcknowledged]:
        """The events that stdout has now; to be exhausted. Raises RemoteError, OutputEndedError or StartError."""
        data = self._process.read()
        if data is None:
            return iter(())
        if not data:
            raise OutputEndedError(self.session.end())
        return self.session.receive(data)

    def read_stderr(self) -> None:
        """Keep what stderr has now."""
        if not self._process.read_stderr():
            self._selector.unregister(self._process.stderr)

    def stderr_tail(self) -> str:
        """The last of what the process wrote to stderr."""
        return self._process.stderr_tail()

    def stop(self, grace: float) -> str:
        """End the process with its children, after `grace` seconds by force, and say how it ended."""
        registered = self._selector.get_map()
        for descriptor in (self._process.stdin, self._process.stdout, self._process.stderr):
            if descriptor in registered:
                self._selector.unregister(descriptor)
        return self._process.end(grace)

    def _register(self, descriptor: int, events: int, role: Role) -> None:
        self._selector.register(descriptor, events, (self._owner, self, role))


def _recall(sent: Sent, result: bytes) -> Any:
    return None if sent.job.recall is None else sent.job.recall(result)
