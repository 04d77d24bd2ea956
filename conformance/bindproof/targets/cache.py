"""The cache of builds: a folder that is the user's alone, with an entry for each build, sealed by its files' digests.

Enters: a key and how to build. Leaves: an entry that is what was built. Must not know what is built.

An entry is locked while it is built, complete only after its rename, and held against its seal before each use. The
seal has the digest of every file, and its size and times; a file whose size and times are the same is not read again.
Nobody but the system sets the last of these times, so what is changed in the cache afterwards is found. Whoever may
write there as this user could make a seal too: against that no file of this user's could help.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from bindproof.targets.hashes import Known, Listing, digests, listed
from bindproof.targets.terms import Terms
from bindproof.targets.unmet import Unmet

_OWN: Final = re.compile(r"empty|node-versions\.json|.+-[0-9a-f]{12}(\.\w+)*")
"""What a cache holds. A folder that others may enter is taken for a cache, and closed to them, if it has no more."""

_ELSEWHERE: Final = "set BINDPROOF_CACHE to a folder of your own, which need not be there yet"


class Entry(Struct, frozen=True):
    """What was built: its folder, and the sha256 of every file in it by path relative to the folder."""

    folder: Path
    sealed: Mapping[str, str]

    def files(self, *parts: str, of: str = "") -> dict[str, str]:
        """Return the digests of those files whose path below the folder `of` is one of `parts`, or below it.

        They are given by the path below `of`; without parts, all of them. What Python compiles is left out.
        """
        start = f"{of}/" if of else ""
        inside = {path[len(start) :]: digest for path, digest in self.sealed.items() if path.startswith(start)}
        return {path: digest for path, digest in inside.items() if _is_below(path, parts) and _CACHES not in path}


_CACHES: Final = "__pycache__/"


def cache_root() -> Path:
    """Return the cache's folder: `$BINDPROOF_CACHE`, else `bindproof` in the user's cache folder."""
    chosen = os.environ.get("BINDPROOF_CACHE")
    if chosen:
        return Path(chosen).expanduser().absolute()
    import platformdirs  # not needed where the folder is chosen

    return platformdirs.user_cache_path("bindproof", appauthor=False)


def own_root() -> Path:
    """Return the cache's folder, made where it is not there yet; it is this user's, and no other's.

    Raises Unmet for a folder of another user's, or for one that others may enter and that holds more than a cache does.
    """
    root = cache_root()
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    for status in (root.lstat(), root.stat()):  # where the way leads through a link, that link is the user's own too
        if status.st_uid != os.geteuid():
            raise Unmet(f"the cache {root} belongs to another user, number {status.st_uid}", _ELSEWHERE)
    mode = stat.S_IMODE(root.stat().st_mode)
    if mode & 0o077:
        _close(root, mode)
    return root


def key_of(name: str, version: str, *parts: str) -> str:
    """Return an entry's name: readable, and different wherever one of `parts` differs."""
    digest = hashlib.sha256("\0".join((name, version, *parts)).encode()).hexdigest()[:12]
    return f"{name}-{_safe(version)}-{digest}"


def ensure(key: str, build: Callable[[Path], None], terms: Terms, *, used: Sequence[str] = ()) -> Entry:
    """Return entry `key`, built with `build(folder)` unless it is there, is sealed and is what was sealed.

    Two processes that want one entry build it once: the second waits. A build that fails leaves nothing that could be
    taken for an entry; what it raises is passed on. used: of a large entry the paths that will be used; no others are
    held against the seal, unless the terms say so. Raises Unmet where the cache is not safe to use.
    """
    root = own_root()
    found = _found(root, key, terms, used)
    if isinstance(found, Entry):
        return found
    with _locked(root / f"{key}.lock", key, terms):
        found = _found(root, key, terms, used)
        if isinstance(found, Entry):
            return found
        if found:
            terms.tell(f"{key} {found}: it is built anew")
        part = _unlinked(root / f"{key}.part")
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(mode=0o700)
        try:
            build(part)
            sealed = _look(part, {}, [part])
            shutil.rmtree(root / key, ignore_errors=True)
            _write(_seal(root, key), msgspec.json.encode(sealed))
            part.rename(root / key)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    return Entry(root / key, digests(sealed))


def hash_files(root: Path, parts: list[Path], name: str, *, anew: bool = False) -> Mapping[str, str]:
    """Return the sha256 of every file below `parts`, by its path relative to `root`.

    name: under which digests are remembered, so that only files that are new or changed since then are read. anew: each
    is read.
    """
    known = {} if anew else _decoded(recalled(f"{name}.json")) or {}
    seen = listed(root, parts, known)
    if seen != known:
        remember(f"{name}.json", msgspec.json.encode(seen))
    return digests(seen)


def empty_folder() -> Path:
    """Return a folder that holds nothing, for an adapter that shall not find its target."""
    folder = _unlinked(own_root() / "empty")
    folder.mkdir(mode=0o700, exist_ok=True)
    if any(folder.iterdir()):
        shutil.rmtree(folder)
        folder.mkdir(mode=0o700)
    return folder


def recalled(name: str) -> bytes | None:
    """Return what was remembered under a name; None where there is nothing, or no cache that could be used."""
    try:
        return _read(own_root() / name)
    except OSError:
        return None


def remember(name: str, data: bytes) -> None:
    """Keep a few bytes so that nobody ever reads half of them; a cache that cannot be written is no error."""
    try:
        _write(own_root() / name, data)
    except OSError:
        return


def _found(root: Path, key: str, terms: Terms, used: Sequence[str]) -> Entry | str:
    """Return an entry that may be used, or what is wrong with it; nothing is wrong where there is none."""
    entry = _unlinked(root / key)
    if not entry.is_dir():
        return ""
    if entry.stat().st_uid != os.geteuid():
        return "belongs to another user"
    sealed = _decoded(_read(_seal(root, key))) if _seal(root, key).is_file() else None
    if sealed is None:
        return "has no seal"
    parts = () if terms.anew else used
    seen = _look(entry, {} if terms.anew else sealed, [entry / path for path in parts] or [entry])
    whole = digests(sealed)
    before, now = {path: whole[path] for path in whole if _is_below(path, parts)}, digests(seen)
    if before != now:
        wrong = sorted(path for path in before.keys() | now.keys() if before.get(path) != now.get(path))
        more = f" and {len(wrong) - 1} more" if len(wrong) > 1 else ""
        return f"is not what was built ({wrong[0]}{more})"
    if any(sealed[path] != known for path, known in seen.items()):  # the same files at another time, such as copies
        remember(_seal(root, key).name, msgspec.json.encode(sealed | seen))
    return Entry(entry, whole)


def _seal(root: Path, key: str) -> Path:
    return _unlinked(root / f"{key}.seal")


def _look(entry: Path, known: Listing, parts: Sequence[Path]) -> dict[str, Known]:
    there = [part for part in parts if os.path.lexists(part)]
    return listed(entry, there, known, skipped=frozenset(), follow=False)


def _decoded(data: bytes | None) -> dict[str, Known] | None:
    try:
        return msgspec.json.decode(data, type=dict[str, Known]) if data is not None else None
    except msgspec.DecodeError:
        return None


def _close(root: Path, mode: int) -> None:
    """Take a folder for this user alone; what others could write into it until now is worth nothing."""
    strange = next((path.name for path in root.iterdir() if not _OWN.fullmatch(path.name)), None)
    if strange is not None:
        reason = f"others may enter {root} (mode {mode:o}), and it holds more than a cache does, such as {strange}"
        raise Unmet(reason, f"{_ELSEWHERE}; or chmod 700 {root}")
    root.chmod(0o700)
    if mode & 0o022:
        for seal in root.glob("*.seal"):
            seal.unlink()


@contextmanager
def _locked(path: Path, key: str, terms: Terms) -> Iterator[None]:
    from filelock import FileLock, Timeout  # slow to import, and only builds need it

    lock = FileLock(_unlinked(path), mode=0o600)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        terms.tell(f"waiting for another process that builds {key}")
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


def _unlinked(path: Path) -> Path:
    """Return the path where it is no link. Raises Unmet for one that is: nothing of ours in the cache is."""
    if path.is_symlink():
        raise Unmet(f"{path} is a link, and nothing in the cache is", f"look where it leads, then remove it: rm {path}")
    return path


def _read(path: Path) -> bytes:
    file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    with os.fdopen(file, "rb") as opened:
        return opened.read()


def _write(path: Path, data: bytes) -> None:
    part = path.with_name(f"{path.name}.{os.getpid()}")
    part.unlink(missing_ok=True)
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600), "wb") as opened:
            opened.write(data)
        part.rename(path)
    finally:
        part.unlink(missing_ok=True)


def _is_below(path: str, parts: Sequence[str]) -> bool:
    return not parts or any(path == part or path.startswith(f"{part}/") for part in parts)


def _safe(version: str) -> str:
    return "".join(c if c.isalnum() or c in "._+-" else "_" for c in version)
