"""Answers the scenarios that arrive together in another order than they came."""

from __future__ import annotations

from typing import Any

from fake_adapter import FakeAdapter


class AnswersInAnotherOrder(FakeAdapter):
    def __init__(self) -> None:
        self.waiting: list[tuple[int, Any]] = []

    def read(self, lines: list[bytes]) -> None:
        super().read(lines)
        while self.waiting:
            request, scenario = self.waiting.pop()
            super().run(request, scenario)

    def run(self, request: int, scenario: Any) -> None:
        self.waiting.append((request, scenario))


if __name__ == "__main__":
    AnswersInAnotherOrder().serve()
