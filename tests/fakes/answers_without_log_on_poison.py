"""Answers the guilty scenario with an observation that has no log."""

from __future__ import annotations

from typing import Any

from fake_adapter import FakeAdapter


class AnswersWithoutLogOnPoison(FakeAdapter):
    def poisoned(self, request: int, scenario: Any) -> None:
        self.reply(request, {"observation": {"records": []}})


if __name__ == "__main__":
    AnswersWithoutLogOnPoison().serve()
