"""Drives our own host of cells, which speaks `tagged-1`: acts scenarios out, and says what it saw. It judges nothing.

Usage: python tagged.py FOLDER; the host is taken from FOLDER and from nowhere else.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from acting import Acting
from apart import Apart
from client import Client

from bindproof_adapter import AdapterFault, Inexpressible, described, serve

Json = Any


class Tagged:
    """One host; each scenario is a connection of its own."""

    def __init__(self, program: Path) -> None:
        if not program.is_file():
            raise AdapterFault(f"there is no host {program}")
        self._client = Client(program)
        self._version = self._client.greet()

    def describe(self) -> Json:
        """Say which host is driven."""
        return described("cells", "tagged-host", self._version, "python", dialect="tagged-1")

    def run(self, _suite: str, scenario: Json) -> Json:
        """Act one scenario out; raises Inexpressible for a connection of the shipped wire."""
        if "frames" in scenario:
            raise Inexpressible("frames", "the frames of a connection are those of the shipped wire")
        self._client.greet()
        if "asks" in scenario:
            return {"log": Apart(self._client).act(scenario["asks"])}
        return {"log": Acting(self._client).act(scenario["steps"])}


serve("tagged-1", "1", lambda: Tagged(Path(sys.argv[1]) / "tagged_host.py"))
