"""Answers the guilty scenario, and nothing after it."""

from __future__ import annotations

import time
from typing import Any

from fake_adapter import FakeAdapter


class HearsNothingAfterPoison(FakeAdapter):
    def poisoned(self, request: int, scenario: Any) -> None:
        self.act(request, scenario)
        time.sleep(60)


if __name__ == "__main__":
    HearsNothingAfterPoison().serve()
