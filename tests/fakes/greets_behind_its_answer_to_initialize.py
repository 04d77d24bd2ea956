"""Writes a line that is no message behind its answer to `initialize`, in the same write."""

from __future__ import annotations

import json

from fake_adapter import FakeAdapter, write_all


class GreetsBehindItsAnswerToInitialize(FakeAdapter):
    def initialize(self, request: int) -> None:
        answer = json.dumps({"jsonrpc": "2.0", "id": request, "result": self.introduction()})
        write_all(1, answer.encode() + b"\nhello\n")


if __name__ == "__main__":
    GreetsBehindItsAnswerToInitialize().serve()
