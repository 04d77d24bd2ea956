"""A C library as it was built, from the folder that it lies in.

Enters: a folder with the library, the lock of its crate, and the declarations as a module that is to be found. Leaves:
the loaded library and its version. Must not know which functions it has.
"""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

from bindproof_adapter import AdapterFault
from bindproof_c.library import Conventions, Library


def load(folder: Path, stem: str, crate: str, declarations: str, conventions: Conventions) -> tuple[Library, str]:
    """Load the library `lib<stem>` of a crate; return it and its version, which the lock has and the library does not
    tell. Raise AdapterFault with the reason where that fails.
    """
    shared = sorted(folder.glob(f"lib{stem}.*"))
    lock = folder / "Cargo.lock"
    locked = re.search(f'name = "{crate}"\nversion = "([^"]+)"', lock.read_text("utf-8")) if lock.is_file() else None
    if not shared or locked is None:
        raise AdapterFault(f"there is no C library of {crate} in {folder}")
    try:
        return Library(import_module(declarations).ffi, shared[0], conventions), locked[1]
    except (ImportError, OSError) as error:
        raise AdapterFault(f"the C library of {crate} cannot be loaded: {error}") from None
