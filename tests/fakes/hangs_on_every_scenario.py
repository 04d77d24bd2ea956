"""Answers no scenario at all."""

from __future__ import annotations

import time
from typing import Any

from fake_adapter import FakeAdapter


class HangsOnEveryScenario(FakeAdapter):
    def run(self, request: int, scenario: Any) -> None:
        time.sleep(3600)


if __name__ == "__main__":
    HangsOnEveryScenario().serve()
