"""Lines of adapters, changed: each is a message, or names what is wrong with it; and what a message says can be logged.

Enters: a stream of random numbers. Leaves: nothing, or an AssertionError.
"""

from __future__ import annotations

import json
import random
from functools import cache
from typing import Any

import msgspec

from bindproof.core.model import AdapterCommand
from bindproof.core.request import RunRequest
from bindproof.protocol import messages
from bindproof.results import AdapterLine, Line, encode
from bindproof.runner.adapter_lines import ready_line
from bindproof.runner.inputs import Inputs, read_inputs
from bindproof.runner.setting import settings
from tests.fuzz.changes import changed, changed_bytes

Json = Any

LEFT = {"family": "subscriber", "name": "s"}
RESULTS: tuple[Json, ...] = (
    {"observation": {"log": [{"fact": "settled"}], "left": [LEFT], "stray": [{"fact": "settled"}]}},
    {"unsupported": {"capability": "streams", "reason": "there are none"}},
    {"inexpressible": {"path": "/steps/0", "reason": "no such type"}},
)
TARGET = {"name": "nemo-relay", "version": "0.9.4", "language": "python", "runtime": "python 3.11"}
INITIALIZED: Json = {
    "protocol_version": 1,
    "adapter": {"name": "a", "version": "1"},
    "target": TARGET,
    "suites": {
        "relay": {"dialect": "python", "capabilities": ["x"], "edition": "0.9"},
        "interceptors": {"dialect": "wire"},
    },
}


@cache
def _inputs() -> dict[str, Inputs]:
    return read_inputs(RunRequest(vectors=("relay/marks/two-in-order", "interceptors/stack/*")))


class Messages:
    """Replies, of which each is changed as a value or as bytes."""

    def __init__(self, draw: random.Random) -> None:
        self.draw = draw

    def __call__(self) -> None:
        """Change a reply, and read it."""
        self.draw.choice((self._run, self._run, self._initialize, self._shutdown))()

    def _line(self, body: Json) -> bytes:
        reply = {"jsonrpc": "2.0", "id": 7, **body}
        if self.draw.random() < 0.5:
            return changed_bytes(json.dumps(reply).encode(), self.draw)
        return json.dumps(changed(reply, self.draw), ensure_ascii=False).encode("utf-8", "surrogatepass")

    def _run(self) -> None:
        failure = {"error": {"code": -32000, "message": "m"}}
        line = self._line(failure if self.draw.random() < 0.2 else {"result": self.draw.choice(RESULTS)})
        try:
            reply = messages.read_run_reply(line)
        except messages.RemoteError as error:
            assert str(error)
            return
        assert (reply.payload is None) == (reply.kind in ("adapter_error", "protocol_error"))
        assert reply.reason or reply.kind not in ("protocol_error",)
        messages.result_of(line, 7)

    def _initialize(self) -> None:
        try:
            info = messages.read_initialize_reply(self._line({"result": INITIALIZED}), 7)
        except messages.RemoteError as error:
            assert str(error)
            return
        _, notes, _ = settings(RunRequest(), _inputs().values(), info)
        line = ready_line(AdapterCommand("mine", ("x",), {}, "."), info, (), tuple(notes))
        again: Line = msgspec.json.decode(encode(line), type=AdapterLine)
        assert again == line

    def _shutdown(self) -> None:
        try:
            messages.read_shutdown_reply(self._line({"result": {}}), 7)
        except messages.RemoteError as error:
            assert str(error)
