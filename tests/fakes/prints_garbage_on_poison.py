"""Prints a line that is no message before it answers the guilty scenario."""

from __future__ import annotations

from typing import Any

from fake_adapter import FakeAdapter


class PrintsGarbageOnPoison(FakeAdapter):
    def poisoned(self, request: int, scenario: Any) -> None:
        self.write("Segmentation fault? Just kidding.")
        self.act(request, scenario)


if __name__ == "__main__":
    PrintsGarbageOnPoison().serve()
