"""Drives a host of workers, the Python package nemo-relay, with a worker of our own that answers with any bytes.

The worker is `worker.py`, in a process that the host starts. Here the program is: the host's managed calls, and what is
counted of each.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from bindproof_worker import WorkerCalls, imported

from bindproof_adapter import described, serve, version_of

Json = Any


class Calls(WorkerCalls):
    """Calls that the worker answers with any bytes."""

    def __init__(self, relay: Any, version: str, target: str, packages: str) -> None:
        """Take a host, a package, of this version and target, and the folder of what the worker imports."""
        here = Path(__file__).parent
        self._target = target
        super().__init__(relay, version, [sys.executable, "-S", str(here / "worker.py"), packages, str(here)])

    def describe(self) -> Json:
        """Say which host is driven."""
        return described("relay", self._target, self.version, "python", dialect="worker-raw")


def connect() -> Calls:
    """Import the package; raise AdapterFault with the reason where that fails."""
    relay = imported()
    return Calls(relay, version_of(relay, "nemo-relay"), "nemo-relay/worker", sys.argv[1])


if __name__ == "__main__":
    serve("worker-raw", "1", connect)
