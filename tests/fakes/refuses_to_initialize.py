"""Has no target here, and says so."""

from __future__ import annotations

from fake_adapter import FakeAdapter


class RefusesToInitialize(FakeAdapter):
    def initialize(self, request: int) -> None:
        self.fail(request, -32000, "the package nothing is not installed")


if __name__ == "__main__":
    RefusesToInitialize().serve()
