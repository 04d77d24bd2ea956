"""Answers the guilty scenario twice, the second time a moment later."""

from __future__ import annotations

import time
from typing import Any

from fake_adapter import FakeAdapter


class AnswersTwiceOnPoison(FakeAdapter):
    def poisoned(self, request: int, scenario: Any) -> None:
        self.act(request, scenario)
        time.sleep(0.02)
        self.act(request, scenario)


if __name__ == "__main__":
    AnswersTwiceOnPoison().serve()
