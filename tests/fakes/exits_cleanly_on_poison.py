"""Ends at the guilty scenario with status 0, as if all were done."""

from __future__ import annotations

import os
from typing import Any

from fake_adapter import FakeAdapter


class ExitsCleanlyOnPoison(FakeAdapter):
    def poisoned(self, request: int, scenario: Any) -> None:
        os._exit(0)


if __name__ == "__main__":
    ExitsCleanlyOnPoison().serve()
