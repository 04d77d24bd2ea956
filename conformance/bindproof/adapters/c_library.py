"""Builds NeMo Relay's C library from the crate registry, once for all adapters that go through it.

Enters: a release of the crate. Leaves: the shared library and the header of that very release. Must not know who calls
the library, nor how.
"""

from __future__ import annotations

import re
import shutil
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from bindproof.adapters import building, cache, cargo
from bindproof.adapters.hashes import content_hash
from bindproof.adapters.unmet import Unmet
from bindproof.paths import adapters_root

CRATE: Final = "nemo-relay-ffi"
"""The published crate that has the C interface."""

LIBRARY: Final = "nemo_relay_c"
"""What the library is called for a linker: `-lnemo_relay_c`."""

HEADER: Final = "nemo_relay.h"
"""The header's name, ours and the crate's."""

_REQUIREMENT: Final = re.compile(rf'^({re.escape(CRATE)} = )"=[^"]*"$', re.MULTILINE)
_ABOUT: Final = "about 3 minutes on two cores, once"


@dataclass(frozen=True, slots=True)
class Library:
    """A built library. `folder` holds both files, and the `Cargo.lock` that says what is in it."""

    folder: Path
    shared: Path
    header: Path


class _Package(msgspec.Struct):
    name: str
    version: str
    manifest_path: str


class _Metadata(msgspec.Struct):
    packages: list[_Package]


def library(version: str, progress: cache.Progress) -> Library:
    """Return the C library of release `version`, built on first use; whoever asks meanwhile waits for the same build.

    Raises Unmet where it cannot be had: no Rust, no such release, a build that fails.
    """
    crate = adapters_root() / "sdk" / "clib"
    key = cache.key_of("c-library", version, _content(crate), cargo.toolchain())
    folder = cache.ensure(key, partial(_build, crate, version, progress), progress)
    return Library(folder, folder / _shared_name(), folder / HEADER)


def _build(crate: Path, version: str, progress: cache.Progress, folder: Path) -> None:
    progress(f"{CRATE} {version}: building the C library, {_ABOUT}; cargo's output: {folder / cargo.LOG}")
    copy = folder / LIBRARY
    _write_crate(crate, version, copy)
    header = _header(copy, version)
    cargo.build(copy, folder, progress=progress)
    shutil.copyfile(header, folder / HEADER)
    shutil.copyfile(copy / "Cargo.lock", folder / "Cargo.lock")
    cargo.take(folder, _shared_name())
    shutil.rmtree(copy)
    progress(f"{CRATE} {version}: the C library is ready")


def _write_crate(crate: Path, version: str, copy: Path) -> None:
    """Copy the crate, with its dependency at exactly `version`; the lock holds for the release it was made with."""
    manifest = (crate / "Cargo.toml").read_text("utf-8")
    wanted = _REQUIREMENT.sub(rf'\1"={version}"', manifest)
    shutil.copytree(crate / "src", copy / "src")
    (copy / "Cargo.toml").write_text(wanted, "utf-8")
    lock = crate / "Cargo.lock"
    if wanted == manifest and lock.is_file():
        shutil.copyfile(lock, copy / "Cargo.lock")


def _header(crate: Path, version: str) -> Path:
    """Return where the sources that cargo builds have their header, which their build may still write anew."""
    remedy = f"ask for a release of {CRATE} that the crate registry has; a network is needed for the first build"
    told = building.run(["cargo", "metadata", "--format-version=1", "--quiet"], crate, remedy)
    packages = msgspec.json.decode(told, type=_Metadata).packages
    found = [package for package in packages if (package.name, package.version) == (CRATE, version)]
    header = Path(found[0].manifest_path).parent / HEADER if found else None
    if header is None or not header.is_file():
        raise Unmet(f"the sources of {CRATE} {version} have no {HEADER}", remedy)
    return header


def _content(crate: Path) -> str:
    """Digest what a build is made of, and nothing that a tool may have left beside it."""
    parts = [crate / "Cargo.toml", crate / "Cargo.lock", crate / "src"]
    return " ".join(content_hash(part) for part in parts if part.exists())


def _shared_name() -> str:
    return f"lib{LIBRARY}.{'dylib' if sys.platform == 'darwin' else 'so'}"
