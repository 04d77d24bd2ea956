"""Prints a line before it answers initialize."""

from __future__ import annotations

from fake_adapter import FakeAdapter


class PrintsABanner(FakeAdapter):
    def initialize(self, request: int) -> None:
        self.write("Welcome to nothing 1.0")
        super().initialize(request)


if __name__ == "__main__":
    PrintsABanner().serve()
