"""NeMo Relay's C library as it was built: for programs, and as a host of plugins.

Enters: the folder that it lies in. Leaves: the loaded library, or its host, and the release. Must not know steps.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Final

from bindproof_c.build import load
from bindproof_c.library import Conventions, Library
from bindproof_c.relay.library_host import LibraryHost

CONVENTIONS: Final = Conventions("nemo_relay_", status="NemoRelayStatus", free="NemoRelayFreeFn", failed="INTERNAL")


def relay_library(folder: Path) -> tuple[Library, str]:
    """Load the library; return it and its release. Raises AdapterFault with the reason where that fails."""
    return load(folder, "nemo_relay_c", "nemo-relay-ffi", "nemo_relay_abi", CONVENTIONS)


def plugin_host(folder: Path) -> tuple[LibraryHost, str]:
    """Load the library as a host of plugins that reads nothing its user configured; raises as `relay_library` does."""
    os.environ["XDG_CONFIG_HOME"] = tempfile.gettempdir()
    library, version = relay_library(folder)
    return LibraryHost(library), version
