"""Reads initialize and never answers."""

from __future__ import annotations

import time

from fake_adapter import FakeAdapter


class NeverInitializes(FakeAdapter):
    def initialize(self, request: int) -> None:
        time.sleep(3600)


if __name__ == "__main__":
    NeverInitializes().serve()
