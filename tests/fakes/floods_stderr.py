"""Writes far more to stderr than anybody keeps."""

from __future__ import annotations

from typing import Any

from fake_adapter import FakeAdapter, write_all


class FloodsStderr(FakeAdapter):
    def act(self, request: int, scenario: Any) -> None:
        write_all(2, b"spam and eggs " * 20_000 + b"\n")
        super().act(request, scenario)


if __name__ == "__main__":
    FloodsStderr().serve()
