"""What a Cargo.lock says of one crate: its release, and the checksum that cargo held its sources against.

Enters: the file's text. Leaves: a release, or a note. Must not know what is built.
"""

from __future__ import annotations

import re

LOCK = "Cargo.lock"
"""The file's name, beside the Cargo.toml that it is about."""


def release_in(lock: str, crate: str) -> str | None:
    """Return the release of a crate that a lock names; None where it names none."""
    found = re.search(rf'^name = "{re.escape(crate)}"\nversion = "([^"]+)"', lock, re.MULTILINE)
    return found[1] if found else None


def unpinned(lock: str, crate: str) -> tuple[str, ...]:
    """Return a note on a crate whose lock cargo made just for this build: the checksum that stands there."""
    entry = rf'^name = "{re.escape(crate)}"\nversion = "([^"]+)"\nsource = "[^"]+"\nchecksum = "([0-9a-f]+)"'
    found = re.search(entry, lock, re.MULTILINE)
    return (f"{crate} {found[1]} is pinned by nothing: its sources have sha256 {found[2]}",) if found else ()
