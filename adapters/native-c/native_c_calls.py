"""Drives a host of native plugins, the C library of the crate nemo-relay-ffi, with the library of the adapter `native`.

Scenarios are acted out as that adapter does: here is only what stands in for the Python package there.
"""

from __future__ import annotations

import sys
from pathlib import Path

from native_calls import Calls

from bindproof_adapter import serve
from bindproof_c import StatusError
from bindproof_c.relay import plugin_host


def connect() -> Calls:
    """Load the C library in the folder that the first argument names; the plugin's library is the second."""
    host, version = plugin_host(Path(sys.argv[1]))
    return Calls(host, version, "nemo-relay-ffi/native", Path(sys.argv[2]), StatusError)


if __name__ == "__main__":
    serve("native-c", "1", connect)
