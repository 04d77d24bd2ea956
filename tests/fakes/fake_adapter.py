"""An adapter that does everything right and no work; each fake in this folder changes one thing and is named after it.

A scenario with a step whose id is `poison` is the guilty one. Standard library only, so that fakes start fast.
"""

from __future__ import annotations

import json
import os
from typing import Any


class FakeAdapter:
    """Answers each scenario with one `done` record a step, whose value is the step's `value`."""

    protocol_version = 1

    def serve(self) -> None:
        """Answer requests until the input ends."""
        pending = b""
        while chunk := os.read(0, 1 << 18):
            *lines, pending = (pending + chunk).split(b"\n")
            self.read(lines)

    def read(self, lines: list[bytes]) -> None:
        """Act on the requests that arrived together."""
        for line in lines:
            message = json.loads(line)
            if message["method"] == "initialize":
                self.initialize(message["id"])
            elif message["method"] == "shutdown":
                self.shutdown(message["id"])
            else:
                self.run(message["id"], message["params"]["scenario"])

    def initialize(self, request: int) -> None:
        """Answer `initialize`."""
        self.reply(request, self.introduction())

    def introduction(self) -> dict[str, Any]:
        """What it says of itself."""
        return {
            "protocol_version": self.protocol_version,
            "adapter": {"name": "fake", "version": "1"},
            "target": {"name": "nothing", "version": "1.0", "language": "python", "runtime": "fake"},
            "suites": {"relay": {"dialect": "python", "capabilities": []}},
        }

    def run(self, request: int, scenario: Any) -> None:
        """Answer `run`."""
        if any(step.get("as") == "poison" for step in scenario["steps"]):
            self.poisoned(request, scenario)
        else:
            self.act(request, scenario)

    def poisoned(self, request: int, scenario: Any) -> None:
        """Act out the guilty scenario."""
        self.act(request, scenario)

    def act(self, request: int, scenario: Any) -> None:
        """Act out an innocent scenario."""
        done = [{"fact": "done", "step": step["as"], "value": step.get("value")} for step in scenario["steps"]]
        self.reply(request, {"observation": {"log": [*done, {"fact": "settled"}]}})

    def shutdown(self, request: int) -> None:
        """Answer `shutdown` and end."""
        self.reply(request, {})
        os._exit(0)

    def reply(self, request: int, result: Any) -> None:
        """Write one result."""
        self.write(json.dumps({"jsonrpc": "2.0", "id": request, "result": result}, ensure_ascii=False))

    def fail(self, request: int, code: int, message: str) -> None:
        """Write one error."""
        self.write(json.dumps({"jsonrpc": "2.0", "id": request, "error": {"code": code, "message": message}}))

    def write(self, line: str) -> None:
        """Write one line at once."""
        write_all(1, line.encode() + b"\n")


def write_all(descriptor: int, data: bytes) -> None:
    """Write everything, however small the pipe."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
