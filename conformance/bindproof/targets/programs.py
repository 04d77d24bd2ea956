"""What stands for an adapter's own code: a digest of its folder and of all that it shares, or of a user's program.

Enters: a manifest, or the words of a command. Leaves: a sha256. Must not know what an adapter does.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from bindproof.core.paths import adapters_root
from bindproof.targets.hashes import content_hash
from bindproof.targets.manifest import Manifest, folder_of

SDKS: Final = {".go": "go", ".mjs": "node", ".py": "python", ".rs": "rust"}
"""The SDK of an adapter, by the ending of its program; besides, one may have what is named as its language."""

BUILT: Final = frozenset({"target"})
"""Folders in which compilers put what they make of the code."""


def of_manifest(manifest: Manifest) -> str:
    """Return the digest of an adapter's own code."""
    names = dict.fromkeys([SDKS.get(Path(manifest.start.program).suffix, ""), *manifest.languages])
    sdks = [adapters_root() / "sdk" / name for name in names if name]
    shared = [folder_of(manifest) / name for name in manifest.start.beside]
    return _digest([folder_of(manifest), *filter(Path.is_dir, [*sdks, *shared])])


def of_command(argv: Sequence[str], cwd: str) -> str:
    """Return the digest of the files that a command names, such as its script; what they read besides is not in it."""
    return _digest(path for word in argv if _can_be_read(path := Path(cwd, word)))


def _can_be_read(path: Path) -> bool:
    """Tell whether a path names a file that can be read. Most words of a command are no names of files at all."""
    try:
        return path.is_file() and os.access(path, os.R_OK)
    except (OSError, ValueError):  # such as one that is too long for a name
        return False


def _digest(paths: Iterable[Path]) -> str:
    each = (content_hash(path, skipped=BUILT) for path in paths)
    return hashlib.sha256("".join(each).encode()).hexdigest()
