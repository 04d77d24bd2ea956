"""Writes bytes without end and without a newline at the guilty scenario."""

from __future__ import annotations

from typing import Any

from fake_adapter import FakeAdapter, write_all


class FloodsStdoutOnPoison(FakeAdapter):
    def poisoned(self, request: int, scenario: Any) -> None:
        while True:
            write_all(1, b"x" * 65536)


if __name__ == "__main__":
    FloodsStdoutOnPoison().serve()
