"""Drives a host of workers, the C library of the crate nemo-relay-ffi, with the worker of the adapter `worker-raw`.

Scenarios are acted out as that adapter does: here is only what stands in for the Python package there.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from calls import Calls

from bindproof_adapter import Unsupported, serve
from bindproof_c import StatusError
from bindproof_c.relay import plugin_host

Json = Any


class LibraryCalls(Calls):
    """Calls of the C library that the worker answers with any bytes."""

    host_error = StatusError

    def answers(self, step: Json) -> Json:
        """Return what the worker is handed of a step; raise Unsupported for one that is never answered."""
        if step["how"] == "never":
            raise Unsupported("cancel", "a call of the library blocks until it is answered, and cannot be cancelled")
        return super().answers(step)


def connect() -> Calls:
    """Load the C library in the folder that the first argument names; the worker's packages are the second."""
    host, version = plugin_host(Path(sys.argv[1]))
    return LibraryCalls(host, version, "nemo-relay-ffi/worker", sys.argv[2])


if __name__ == "__main__":
    serve("worker-c", "1", connect)
