"""Reads everything that has arrived before it answers, and dies when it reads the guilty scenario."""

from __future__ import annotations

import os

from fake_adapter import FakeAdapter


class DiesReadingAhead(FakeAdapter):
    def read(self, lines: list[bytes]) -> None:
        if any(b"poison" in line for line in lines):
            os._exit(4)
        super().read(lines)


if __name__ == "__main__":
    DiesReadingAhead().serve()
