"""Dies at the guilty scenario."""

from __future__ import annotations

import os
from typing import Any

from fake_adapter import FakeAdapter


class ExitsOnPoison(FakeAdapter):
    def poisoned(self, request: int, scenario: Any) -> None:
        os._exit(3)


if __name__ == "__main__":
    ExitsOnPoison().serve()
