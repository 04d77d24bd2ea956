"""Answers the guilty scenario under an id that nobody asked for."""

from __future__ import annotations

from typing import Any

from fake_adapter import FakeAdapter


class AnswersUnknownIdOnPoison(FakeAdapter):
    def poisoned(self, request: int, scenario: Any) -> None:
        self.act(request + 1_000_000, scenario)


if __name__ == "__main__":
    AnswersUnknownIdOnPoison().serve()
