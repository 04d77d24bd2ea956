"""Drives a host of native plugins, the C library of the crate nemo-relay-ffi, with the library of the adapter `native`.

Scenarios are acted out as that adapter does: here is only what stands in for the Python package there.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from library_host import LibraryHost
from native_calls import Calls

from bindproof_adapter import serve
from bindproof_c import Conventions, StatusError, load

CONVENTIONS = Conventions("nemo_relay_", status="NemoRelayStatus", free="NemoRelayFreeFn", failed="INTERNAL")


def connect() -> Calls:
    """Load the C library in the folder that the first argument names; the plugin's library is the second."""
    os.environ["XDG_CONFIG_HOME"] = tempfile.gettempdir()  # no host reads what its user configured
    library, version = load(Path(sys.argv[1]), "nemo_relay_c", "nemo-relay-ffi", "nemo_relay_abi", CONVENTIONS)
    return Calls(LibraryHost(library), version, "nemo-relay-ffi/native", Path(sys.argv[2]), StatusError)


if __name__ == "__main__":
    serve("native-c", "1", connect)
