"""Drives workers on the Python package nemo-relay-plugin, in a host, the Python package nemo-relay.

The worker is `sdk_worker.py`, in a process that the host starts. Here the program is: which answers such a worker can
give at all, and the host's managed calls.
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

from bindproof_worker import WorkerCalls, imported
from outcomes import BeyondSdkError, stated

from bindproof_adapter import AdapterFault, Unsupported, described, serve, version_of

Json = Any

PACKAGE = "nemo-relay-plugin"


class Calls(WorkerCalls):
    """Calls that a worker of the package answers."""

    def __init__(self, relay: Any, packages: str) -> None:
        here = Path(__file__).parent
        super().__init__(
            relay, version_of(relay, "nemo-relay"), [sys.executable, "-S", str(here / "sdk_worker.py"), packages]
        )
        self._release = released(packages)

    def describe(self) -> Json:
        """Say which package is driven, and in which host."""
        host = f"nemo-relay {self.version} in "
        return described("relay", PACKAGE, self._release, "python", dialect="worker-raw", through=host)

    def answers(self, step: Json) -> Json:
        """Return the step with its outcome as a value; raises Unsupported for what the package has no way to say."""
        try:
            return {**step, "outcome": stated(step)}
        except BeyondSdkError as beyond:
            raise Unsupported("envelope", str(beyond)) from None

    def started(self, answers: list[Json], folder: Path) -> None:
        """Raise Unsupported where a mark has a member that marks of this release do not have."""
        known = set(json.loads((folder / "fields.json").read_bytes()))
        for answer in answers:
            for mark in (answer["outcome"] or {}).get("pending_marks", []):
                if unknown := sorted(mark.keys() - known):
                    raise Unsupported("envelope", f"a mark of this package has no {unknown[0]!r}")


def released(packages: str) -> str:
    """Return which release is in a folder of packages; raises AdapterFault where there is none."""
    for found in distributions(name=PACKAGE, path=[packages]):
        return found.version
    raise AdapterFault(f"there is no {PACKAGE} in {packages}")


def connect() -> Calls:
    """Import the host's package; raise AdapterFault with the reason where that fails."""
    return Calls(imported(), sys.argv[1])


if __name__ == "__main__":
    serve("worker", "1", connect)
