"""Answers the guilty scenario with the error of the adapter's own fault."""

from __future__ import annotations

import os
from typing import Any

from fake_adapter import FakeAdapter, write_all


class ReportsItsOwnFaultOnPoison(FakeAdapter):
    def poisoned(self, request: int, scenario: Any) -> None:
        write_all(2, b"a stack trace of the adapter")
        self.fail(request, -32000, f"callback i, op 0: no parent at /x/y (process {os.getpid() > 0})")


if __name__ == "__main__":
    ReportsItsOwnFaultOnPoison().serve()
