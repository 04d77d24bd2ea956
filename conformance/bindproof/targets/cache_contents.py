"""What the cache holds, and how to be rid of it.

Enters: globs. Leaves: what is there, or what is gone. Must not know what a build is for. Nothing is followed that is a
link, and nothing is touched that is no cache's.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from msgspec import Struct

from bindproof.targets.cache import cache_root, own_root

_BUILD: Final = re.compile(r"(?P<name>.+)-[0-9a-f]{12}")
"""What the folder of a build is called."""

_REMEMBERED: Final = re.compile(r"node-versions\.json|.+-[0-9a-f]{12}\.(kept|json)(\.\d+)?")
"""Files that save reading again what was read before."""

_BESIDE: Final = (".seal", ".lock")
"""Endings of what stands beside a build."""


class Kept(Struct, frozen=True):
    """One build, or all that is remembered of files."""

    name: str
    """Of the folder; `remembered` for the rest."""
    size: int
    """Bytes."""
    built: float
    """When, in seconds since 1970; of what is remembered the last time that something was."""


REMEMBERED: Final = "remembered"


def contents() -> tuple[Path, list[Kept]]:
    """Return the cache's folder, and what it holds, by name. Raises Unmet as `own_root`."""
    if not cache_root().exists():
        return cache_root(), []
    root = own_root()
    found = [
        Kept(path.name, _size([path]), path.stat().st_mtime)
        for path in sorted(root.iterdir())
        if _BUILD.fullmatch(path.name) and path.is_dir() and not path.is_symlink()
    ]
    files = [path for path in root.iterdir() if _REMEMBERED.fullmatch(path.name) and path.is_file()]
    if files:
        found.append(Kept(REMEMBERED, _size(files), max(path.stat().st_mtime for path in files)))
    return root, found


def clear(globs: Sequence[str]) -> list[Kept]:
    """Remove what some globs name, without any all of it; return what is gone.

    A build that another process makes is left to it. Raises Unmet as `own_root`.
    """
    root, found = contents()
    gone = []
    for kept in found:
        if globs and not any(fnmatchcase(kept.name, glob) for glob in globs):
            continue
        if kept.name == REMEMBERED:
            for path in list(root.iterdir()):
                if _REMEMBERED.fullmatch(path.name):
                    path.unlink(missing_ok=True)
        elif not _removed(root, kept.name):
            continue
        gone.append(kept)
    return gone


def _removed(root: Path, name: str) -> bool:
    """Remove a build and what stands beside it, unless it is being made."""
    from filelock import FileLock, Timeout

    lock = FileLock(root / f"{name}.lock", mode=0o600)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        return False
    try:
        (root / f"{name}.seal").unlink(missing_ok=True)
        shutil.rmtree(root / name)
    finally:
        lock.release()
        for ending in _BESIDE:
            (root / f"{name}{ending}").unlink(missing_ok=True)
    return True


def _size(paths: Iterable[Path]) -> int:
    inside = [each for path in paths for each in (path.rglob("*") if path.is_dir() else [path])]
    return sum(each.lstat().st_size for each in inside)
