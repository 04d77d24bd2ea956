"""Warns on stderr at every scenario."""

from __future__ import annotations

from typing import Any

from fake_adapter import FakeAdapter, write_all


class WarnsOnStderr(FakeAdapter):
    def act(self, request: int, scenario: Any) -> None:
        write_all(2, b"warning: deprecated\n")
        super().act(request, scenario)


if __name__ == "__main__":
    WarnsOnStderr().serve()
