"""Answers as it should, with the process that it is in as each value; it dies at the guilty scenario."""

from __future__ import annotations

import os
from typing import Any

from fake_adapter import FakeAdapter


class TellsItsProcess(FakeAdapter):
    """Shows which scenarios were acted out by one process."""

    def act(self, request: int, scenario: Any) -> None:
        """Act out an innocent scenario."""
        super().act(request, {"steps": [step | {"value": os.getpid()} for step in scenario["steps"]]})

    def poisoned(self, request: int, scenario: Any) -> None:
        """Die."""
        os._exit(3)


if __name__ == "__main__":
    TellsItsProcess().serve()
