"""The cache of builds: one folder an entry, locked while it is built, complete only after its rename.

Enters: a key and how to build. Leaves: the folder of a complete entry. Must not know what is built.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bindproof.targets.terms import Progress, Terms


def cache_root() -> Path:
    """Return the cache's folder: `$BINDPROOF_CACHE`, else `bindproof` in the user's cache folder."""
    chosen = os.environ.get("BINDPROOF_CACHE")
    if chosen:
        return Path(chosen).expanduser().absolute()
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base).expanduser() if base else Path.home() / ".cache") / "bindproof"


def key_of(name: str, version: str, *parts: str) -> str:
    """Return an entry's name: readable, and different wherever one of `parts` differs."""
    digest = hashlib.sha256("\0".join((name, version, *parts)).encode()).hexdigest()[:12]
    return f"{name}-{_safe(version)}-{digest}"


def ensure(key: str, build: Callable[[Path], None], terms: Terms) -> Path:
    """Return the folder of entry `key`, built with `build(folder)` unless it is there.

    Two processes that want one entry build it once: the second waits. A build that fails leaves nothing that could be
    taken for an entry; what it raises is passed on.
    """
    entry = cache_root() / key
    if entry.is_dir():
        return entry
    entry.parent.mkdir(parents=True, exist_ok=True)
    with _locked(entry.with_name(f"{key}.lock"), key, terms.tell):
        if entry.is_dir():
            return entry
        part = entry.with_name(f"{key}.part")
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir()
        try:
            build(part)
            part.rename(entry)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    return entry


def empty_folder() -> Path:
    """Return a folder that holds nothing, for an adapter that shall not find its target."""
    folder = cache_root() / "empty"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def write_whole(path: Path, data: bytes) -> None:
    """Write a small file so that nobody ever reads half of it; a cache that cannot be written is no error."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        part.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(data)
        part.rename(path)
    except OSError:
        part.unlink(missing_ok=True)


@contextmanager
def _locked(path: Path, key: str, progress: Progress) -> Iterator[None]:
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            progress(f"waiting for another process that builds {key}")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _safe(version: str) -> str:
    return "".join(c if c.isalnum() or c in "._+-" else "_" for c in version)
