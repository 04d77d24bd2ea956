"""The environment that adapter processes get: an allow-list, and what we add.

Enters: this process's environment. Leaves: a whole new one. Must not know adapters.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from bindproof.core.paths import adapters_root

SDK: Final = "BINDPROOF_SDK"
"""The variable that names the folder of the SDKs, for adapters that are not beside it."""

_ALLOWED = frozenset({"PATH", "HOME", "LANG", "TMPDIR", "TZ"})


def allowed() -> dict[str, str]:
    """Return the variables that pass: paths, language and time zone; nothing that could be a secret or a switch."""
    return {name: value for name, value in os.environ.items() if name in _ALLOWED or name.startswith("LC_")}


def with_python_path(folders: Sequence[Path | str]) -> Mapping[str, str]:
    """Return the allowed environment with these folders, in this order, as Python's path."""
    return {**allowed(), "PYTHONPATH": os.pathsep.join(str(folder) for folder in folders)}


def with_sdk() -> Mapping[str, str]:
    """Return the allowed environment, and where the SDKs are."""
    return {**allowed(), SDK: str(adapters_root() / "sdk")}
