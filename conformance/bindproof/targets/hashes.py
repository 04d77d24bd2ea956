"""sha256 of files, taken by the harness; a file is not read again while its size and both its times are the same.

Enters: a folder and which parts of it count. Leaves: digests by relative path. Must not know packages.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

_SKIPPED = frozenset({"__pycache__", ".git"})


class Known(msgspec.Struct, frozen=True, array_like=True):
    """What was seen of one file. With the same size and times, in nanoseconds, its digest still holds."""

    size: int
    changed: int
    """When its content was; anybody can set that."""
    touched: int
    """When anything about it was, which the system sets."""
    sha256: str


Listing = Mapping[str, Known]
"""What was seen of files, by path relative to their folder."""


def listed(
    root: Path, parts: Sequence[Path], known: Listing, *, skipped: frozenset[str] = _SKIPPED, follow: bool = True
) -> dict[str, Known]:
    """Return what there is below `parts`, by its path relative to `root`; files that are as in `known` are not read.

    skipped: names of folders that do not count. follow: a link to a file is the file. What stands for any other link is
    the digest of where it leads, and no folder is entered through one.
    """
    start = len(str(root)) + 1
    paths = [path for part in parts for path in _walk(str(part), skipped)]
    return {path[start:]: _seen(path, known.get(path[start:]), follow) for path in paths}


def digests(listing: Listing) -> dict[str, str]:
    """Return the sha256 of each file, in the order of their paths."""
    return {path: known.sha256 for path, known in sorted(listing.items())}


def content_hash(path: Path, skipped: frozenset[str] = frozenset()) -> str:
    """Return one digest of a file, or of a folder with all in it but `node_modules` and folders named in `skipped`."""
    if path.is_file():
        return _sha256(str(path))
    digest = hashlib.sha256()
    for file, known in sorted(listed(path, [path], {}, skipped=_SKIPPED | {"node_modules"} | skipped).items()):
        digest.update(b"%b\0%b\0" % (os.fsencode(file), known.sha256.encode()))
    return digest.hexdigest()


def _walk(path: str, skipped: frozenset[str]) -> Iterator[str]:
    """Yield every path below a folder that is no folder; a path that is none itself is all there is."""
    if not os.path.isdir(path):  # noqa: PTH112 - thousands of files, at every start
        yield path
        return
    with os.scandir(path) as entries:
        for entry in entries:
            if not entry.is_dir(follow_symlinks=False):
                yield entry.path
            elif entry.name not in skipped:
                yield from _walk(entry.path, skipped)


def _seen(path: str, known: Known | None, follow: bool) -> Known:
    status = os.lstat(path)
    if follow and stat.S_ISLNK(status.st_mode) and os.path.isfile(path):  # noqa: PTH113
        status = os.stat(path)  # noqa: PTH116
    times = status.st_size, status.st_mtime_ns, status.st_ctime_ns
    if known and (known.size, known.changed, known.touched) == times:
        return known
    return Known(*times, _sha256(path) if stat.S_ISREG(status.st_mode) else _sha256_of_none(path, status.st_mode))


def _sha256(path: str) -> str:
    with open(path, "rb") as file:  # noqa: PTH123 - as above
        return hashlib.file_digest(file, "sha256").hexdigest()


def _sha256_of_none(path: str, mode: int) -> str:
    """Return what stands for a link, or for something that nobody could read to its end."""
    leads = os.fsencode(os.readlink(path)) if stat.S_ISLNK(mode) else b""  # noqa: PTH115
    return hashlib.sha256(b"no file %d %b" % (stat.S_IFMT(mode), leads)).hexdigest()
