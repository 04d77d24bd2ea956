"""Builds NeMo Relay's C library from the crate registry, once for all adapters that go through it.

Enters: a release of the crate. Leaves: the shared library and the header of that very release. Must not know who calls
the library, nor how.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bindproof.core.errors import UsageError
from bindproof.core.paths import adapters_root
from bindproof.targets import building, cache, cargo, crate_lock
from bindproof.targets.hashes import content_hash
from bindproof.targets.local_crate import LocalCrate, is_crate, local_crate
from bindproof.targets.manifest import Manifest
from bindproof.targets.names import local_path, wanted
from bindproof.targets.terms import Terms
from bindproof.targets.unmet import Unmet

CRATE: Final = "nemo-relay-ffi"
"""The published crate that has the C interface."""

LIBRARY: Final = "nemo_relay_c"
"""What the library is called for a linker: `-lnemo_relay_c`."""

HEADER: Final = "nemo_relay.h"
"""The header's name, ours and the crate's."""

_REQUIREMENT: Final = re.compile(rf'^({re.escape(CRATE)} = )"=[^"]*"$', re.MULTILINE)
_ENDING: Final = ".dylib" if sys.platform == "darwin" else ".so"
_ABOUT: Final = "about 3 minutes on two cores, once"


class Library(Struct, frozen=True):
    """A built library of release `version`. `folder` holds both files, and the `Cargo.lock` that says what is in it."""

    version: str
    folder: Path
    shared: Path
    header: Path
    files: Mapping[str, str]
    """The digests of both."""
    notes: tuple[str, ...] = ()
    """On the crate, where the lock is none of ours."""


class _Package(msgspec.Struct):
    name: str
    version: str
    manifest_path: str


class _Metadata(msgspec.Struct):
    packages: list[_Package]


def library_for(manifest: Manifest, rest: str | None, terms: Terms) -> Library:
    """Return the C library that the user means by what stands after the adapter's name.

    A release, or a path: the folder of the crate, or a library with its header and Cargo.lock beside it. Raises Unmet
    where it cannot be had.
    """
    choice = wanted(rest, manifest.name)
    remedy = (
        f"--adapter {manifest.name}@RELEASE, or {manifest.name}@./PATH with the folder of the crate {CRATE}, or with a "
        f"built library that has {HEADER} and the Cargo.lock of its build beside it"
    )
    if choice.kind == "env":
        raise Unmet("`env` means the Python environment that runs bindproof; it has no C library", remedy)
    if choice.kind != "path":
        return library(choice.text or str(manifest.get.release), terms)
    path = local_path(choice.text)
    if not is_crate(path):
        return _built(path, remedy, terms)
    local = local_crate(path, CRATE, remedy)
    return _ensured(local.version, local, terms)


def library(version: str, terms: Terms) -> Library:
    """Return the C library of release `version`, built on first use; whoever asks meanwhile waits for the same build.

    Raises Unmet where it cannot be had: no Rust, no such release, a build that fails.
    """
    return _ensured(version, None, terms)


def _ensured(version: str, local: LocalCrate | None, terms: Terms) -> Library:
    crate = adapters_root() / "sdk" / "clib"
    made_of = [_content(crate), cargo.toolchain(), *([local.digest] if local else [])]
    key = cache.key_of("c-library", version, *made_of)
    made = _in(cache.ensure(key, partial(_build, crate, version, local, terms), terms), version)
    if local or _lock_of(crate, version):
        return made
    return replace(made, notes=crate_lock.unpinned((made.folder / crate_lock.LOCK).read_text("utf-8"), CRATE))


def _text_of(path: Path) -> str:
    """Return the text of a file of the user's; raises UsageError where it is none."""
    try:
        return path.read_text("utf-8")
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: this file cannot be read: {error}") from error


def _built(path: Path, remedy: str, terms: Terms) -> Library:
    """Return a library that the user built, with what lies beside it, under the names that ours have."""
    folder = path if path.is_dir() else path.parent
    libraries = [path] if path.is_file() else sorted(folder.glob(f"lib*{_ENDING}"))
    beside = [folder / HEADER, folder / crate_lock.LOCK]
    if len(libraries) != 1:
        raise Unmet(f"{path} holds {len(libraries)} libraries lib*{_ENDING}, not one", remedy)
    for file in beside:
        if not file.is_file():
            raise Unmet(f"there is no {file.name} beside {libraries[0]}", remedy)
    release = crate_lock.release_in(_text_of(beside[1]), CRATE)
    if release is None:
        raise Unmet(f"{beside[1]} does not name {CRATE}, so its release is not known", remedy)
    files = dict(zip((_shared_name(), HEADER, crate_lock.LOCK), [*libraries, *beside], strict=True))
    key = cache.key_of("c-library", release, *map(content_hash, files.values()))
    return _in(cache.ensure(key, partial(_copy, files), terms), release)


def _copy(files: Mapping[str, Path], folder: Path) -> None:
    for name, file in files.items():
        shutil.copyfile(file, folder / name)


def _in(entry: cache.Entry, version: str) -> Library:
    folder, files = entry.folder, entry.files(_shared_name(), HEADER)
    return Library(version, folder, folder / _shared_name(), folder / HEADER, files)


def _build(crate: Path, version: str, local: LocalCrate | None, terms: Terms, folder: Path) -> None:
    source = f" from {local.folder}" if local else ""
    terms.tell(f"{CRATE} {version}: building the C library{source}, {_ABOUT}; cargo's output: {folder / cargo.LOG}")
    copy = folder / LIBRARY
    shutil.copytree(crate / "src", copy / "src")
    requirement = f"{{ {local.requirement} }}" if local else f'"={version}"'
    (copy / "Cargo.toml").write_text(_asked(crate, requirement), "utf-8")
    locked = not local and _lock_of(crate, version) is not None
    if (crate / crate_lock.LOCK).is_file():  # of another release cargo takes what goes with it
        shutil.copyfile(crate / crate_lock.LOCK, copy / crate_lock.LOCK)
    header = _header(copy, version, locked=locked)
    with cargo.shared() as common:
        target = local.target if local else common
        cargo.build(copy, folder, locked=locked, target=target, progress=terms.tell)
        cargo.take(folder, _shared_name(), target)
    shutil.copyfile(header, folder / HEADER)
    shutil.copyfile(copy / crate_lock.LOCK, folder / crate_lock.LOCK)
    shutil.rmtree(copy)
    terms.tell(f"{CRATE} {version}: the C library is ready")


def _asked(crate: Path, requirement: str) -> str:
    """Return the text of our crate's Cargo.toml with its one dependency as asked for."""
    return _REQUIREMENT.sub(lambda found: found[1] + requirement, (crate / "Cargo.toml").read_text("utf-8"))


def _lock_of(crate: Path, version: str) -> Path | None:
    """Return our crate's own lock where it holds for a release: for that which its Cargo.toml names."""
    lock, given = crate / crate_lock.LOCK, (crate / "Cargo.toml").read_text("utf-8")
    return lock if lock.is_file() and _asked(crate, f'"={version}"') == given else None


def _header(crate: Path, version: str, *, locked: bool) -> Path:
    """Return where the sources that cargo builds have their header, which their build may still write anew."""
    remedy = f"ask for a release of {CRATE} that the crate registry has; a network is needed for the first build"
    command = ["cargo", "metadata", "--format-version=1", "--quiet", *(["--locked"] if locked else [])]
    told = building.run(command, crate, remedy)
    packages = msgspec.json.decode(told, type=_Metadata).packages
    found = [package for package in packages if (package.name, package.version) == (CRATE, version)]
    header = Path(found[0].manifest_path).parent / HEADER if found else None
    if header is None or not header.is_file():
        raise Unmet(f"the sources of {CRATE} {version} have no {HEADER}", remedy)
    return header


def _content(crate: Path) -> str:
    """Digest what a build is made of, and nothing that a tool may have left beside it."""
    parts = [crate / "Cargo.toml", crate / crate_lock.LOCK, crate / "src"]
    return " ".join(content_hash(part) for part in parts if part.exists())


def _shared_name() -> str:
    return f"lib{LIBRARY}{_ENDING}"
