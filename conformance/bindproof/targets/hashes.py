"""sha256 of the files that are judged, taken by the harness and remembered by size and time.

Enters: a folder and which parts of it count. Leaves: digests by relative path. Must not know packages.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from bindproof.targets.cache import write_whole

_SKIPPED = frozenset({"__pycache__", ".git"})


class Known(msgspec.Struct, frozen=True, array_like=True):
    """What was seen of one file: with the same size and time its digest still holds."""

    size: int
    time: int
    sha256: str


def hash_files(root: Path, parts: Sequence[Path], memory: Path) -> Mapping[str, str]:
    """Return the sha256 of every file below `parts`, by its path relative to `root`.

    memory: a file where digests are kept; only files that are new or changed since then are read.
    """
    remembered = _remembered(memory)
    seen = {path.relative_to(root).as_posix(): _seen(path, root, remembered) for path in _files(parts)}
    if seen != remembered:
        write_whole(memory, msgspec.json.encode(seen))
    return {path: known.sha256 for path, known in sorted(seen.items())}


def content_hash(path: Path, skipped: frozenset[str] = frozenset()) -> str:
    """Return one digest of a file, or of a folder with all in it but `node_modules` and folders named in `skipped`."""
    if path.is_file():
        return _sha256(path)
    digest = hashlib.sha256()
    for file in sorted(_files([path], skipped=_SKIPPED | {"node_modules"} | skipped)):
        digest.update(f"{file.relative_to(path).as_posix()}\0{_sha256(file)}\0".encode())
    return digest.hexdigest()


def _seen(path: Path, root: Path, remembered: Mapping[str, Known]) -> Known:
    status = path.stat()
    known = remembered.get(path.relative_to(root).as_posix())
    if known and (known.size, known.time) == (status.st_size, status.st_mtime_ns):
        return known
    return Known(status.st_size, status.st_mtime_ns, _sha256(path))


def _files(parts: Sequence[Path], skipped: frozenset[str] = _SKIPPED) -> Iterator[Path]:
    for part in parts:
        if part.is_file():
            yield part
        for folder, names, files in os.walk(part):
            names[:] = [name for name in names if name not in skipped]
            yield from (Path(folder, file) for file in files)


def _remembered(memory: Path) -> Mapping[str, Known]:
    try:
        return msgspec.json.decode(memory.read_bytes(), type=dict[str, Known])
    except (OSError, msgspec.DecodeError):
        return {}


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
