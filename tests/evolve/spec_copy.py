"""A copy of our own spec that a test may change, with no more of its vectors than the test is about."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.conftest import REPOSITORY


def relay_copy(into: Path, *groups: str) -> Path:
    """Copy the spec of relay below a data root, with the vectors of these groups, and return the root."""
    relay = into / "spec" / "relay"
    shutil.copytree(REPOSITORY / "spec" / "relay", relay, ignore=shutil.ignore_patterns("vectors"))
    for group in groups:
        shutil.copytree(REPOSITORY / "spec" / "relay" / "vectors" / group, relay / "vectors" / group)
    return into
