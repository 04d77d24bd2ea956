"""Prints a line that is no message, a moment after it answered the guilty scenario."""

from __future__ import annotations

import time
from typing import Any

from fake_adapter import FakeAdapter


class PrintsGarbageAfterPoison(FakeAdapter):
    def poisoned(self, request: int, scenario: Any) -> None:
        self.act(request, scenario)
        time.sleep(0.05)
        self.write("too late for that")


if __name__ == "__main__":
    PrintsGarbageAfterPoison().serve()
