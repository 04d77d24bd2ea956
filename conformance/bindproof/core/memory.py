"""What was worked out from files in an earlier start: kept by the content of the files, where there is a place for it.

Enters: a place to keep bytes, given by who starts the program; keys, and how to work a value out. Leaves: the value.
Must not know what is kept, nor where.

Nothing is kept until a place is given: tests and other programs that use bindproof as a library work out afresh.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec

from bindproof import __version__

T = TypeVar("T")


class Place(NamedTuple):
    """Where bytes are kept by name."""

    recall: Callable[[str], bytes | None]
    """Gives None for what is not there."""
    remember: Callable[[str, bytes], None]
    """May fail in silence."""


_place: Place | None = None


def keep_in(place: Place | None) -> Place | None:
    """Keep from now on in this place, with None nowhere; return the place until now."""
    global _place
    before, _place = _place, place
    return before


def is_used() -> bool:
    """Tell whether there is a place where anything is kept."""
    return _place is not None


def kept(what: str, of: str, key: bytes, kind: type[T], work_out: Callable[[], T]) -> T:
    """Return a value of the kind as it was worked out for the same thing under the same key, or work it out now.

    what: a word; of: what there is one such value of, as a folder. key: the digest of all that the value is made of.
    Raises what `work_out` raises; then nothing is kept.
    """
    value = recalled(what, of, key, kind)
    if value is None:
        value = work_out()
        keep(what, of, key, value)
    return value


def recalled(what: str, of: str, key: bytes, kind: type[T]) -> T | None:
    """Return a value of the kind as it was last kept for the same thing under the same key; None where there is none.

    what, of, key: see `kept`.
    """
    data = None if _place is None else _place.recall(_name(what, of))
    return None if data is None else _opened(data, key, kind)


def keep(what: str, of: str, key: bytes, value: object) -> None:
    """Keep a value of one thing in the place of what is kept of it; what, of, key: see `kept`."""
    if _place is not None:
        packed = msgspec.msgpack.encode(value)
        _place.remember(_name(what, of), key + hashlib.sha256(packed).digest() + packed)


def _name(what: str, of: str) -> str:
    return f"{what}-{hashlib.sha256(of.encode('utf-8', 'surrogateescape')).hexdigest()[:12]}.kept"


def key_of(files: Iterable[tuple[str, bytes]], packages: Iterable[Path]) -> bytes:
    """Return a digest of files and of the code that reads them. packages: its modules, or their folders."""
    digest = hashlib.sha256(__version__.encode())
    for package in packages:
        digest.update(_code(package))
    for name, data in files:
        digest.update(f"{name}\0{len(data)}\0".encode("utf-8", "surrogateescape"))
        digest.update(data)
    return digest.digest()


@cache
def _code(package: Path) -> bytes:
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")) if package.is_dir() else [package]:
        digest.update(path.read_bytes() + b"\0")
    return digest.digest()


def _opened(data: bytes, key: bytes, kind: type[T]) -> T | None:
    """Return what bytes hold, if they are of this key, whole, and of this kind."""
    size = len(key)
    packed = data[size + 32 :]
    if data[:size] != key or data[size : size + 32] != hashlib.sha256(packed).digest():
        return None
    try:
        return msgspec.msgpack.decode(packed, type=kind)
    except msgspec.DecodeError:
        return None
