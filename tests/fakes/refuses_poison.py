"""Answers the guilty scenario with an error that blames the harness."""

from __future__ import annotations

from typing import Any

from fake_adapter import FakeAdapter


class RefusesPoison(FakeAdapter):
    def poisoned(self, request: int, scenario: Any) -> None:
        self.fail(request, -32602, "Invalid params")


if __name__ == "__main__":
    RefusesPoison().serve()
