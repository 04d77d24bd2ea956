"""Answers the guilty scenario under the id of the one before it."""

from __future__ import annotations

from typing import Any

from fake_adapter import FakeAdapter


class AnswersPreviousIdOnPoison(FakeAdapter):
    def poisoned(self, request: int, scenario: Any) -> None:
        self.act(request - 1, scenario)


if __name__ == "__main__":
    AnswersPreviousIdOnPoison().serve()
