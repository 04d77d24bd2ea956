"""Gets an adapter in Rust: a program that cargo builds on the wanted release of the crate that it drives.

Enters: a manifest and what is wanted. Leaves: an AdapterCommand. Must not know the protocol.
"""

from __future__ import annotations

import re
import shutil
from functools import partial
from pathlib import Path
from typing import Final

from bindproof.core.model import AdapterCommand
from bindproof.core.paths import adapters_root
from bindproof.targets import cache, cargo, crate_lock
from bindproof.targets.environment import allowed
from bindproof.targets.hashes import content_hash
from bindproof.targets.local_crate import LocalCrate, local_crate
from bindproof.targets.manifest import Manifest, folder_of
from bindproof.targets.names import local_path, wanted
from bindproof.targets.terms import Terms
from bindproof.targets.unmet import Unmet

_PARTS: Final = ("Cargo.toml", "Cargo.lock", "build.rs", "src")
"""What an adapter is built from; whatever else lies in its folder has no part in the build."""


def command_for(name: str, manifest: Manifest, rest: str | None, terms: Terms) -> AdapterCommand:
    """Return how to start the adapter with the wanted release; raises Unmet where that cannot be had."""
    choice = wanted(rest, manifest.name)
    crate = str(manifest.get.crate)
    remedy = f"--adapter {manifest.name}@RELEASE, or {manifest.name}@./FOLDER with the folder of the crate {crate}"
    if choice.kind == "env":
        raise Unmet(f"{rest!r} is no release of the crate {crate}", remedy)
    local = local_crate(local_path(choice.text), crate, remedy) if choice.kind == "path" else None
    version = local.version if local else choice.text or str(manifest.get.release)
    contents = [content_hash(source) for source in sources_of(manifest).values()]
    key = cache.key_of(manifest.name, version, *contents, cargo.toolchain(), *([local.digest] if local else []))
    entry = cache.ensure(key, partial(_build, manifest, version, local, terms), terms)
    lock = (entry.folder / crate_lock.LOCK).read_text("utf-8")
    return AdapterCommand(
        name=name,
        argv=(str(entry.folder / program_of(manifest)),),
        env=allowed(),
        cwd=str(entry.folder),
        files=entry.files(program_of(manifest), crate_lock.LOCK),
        version=version,
        notes=() if local or _lock_of(manifest, version) else crate_lock.unpinned(lock, crate),
    )


def program_of(manifest: Manifest) -> str:
    """Return the binary's name, which the adapter's Cargo.toml has to give it."""
    return f"bindproof-{manifest.name}"


def with_requirement(text: str, crate: str, requirement: str) -> str:
    """Return the text of a Cargo.toml whose dependency `crate` is as asked, such as `version = "=1.2.3"`."""
    line = re.compile(rf'^({re.escape(crate)} = {{ )version = "[^"]*"', re.MULTILINE)
    written, count = line.subn(lambda found: found[1] + requirement, text)
    if count != 1:
        raise ValueError(f"Cargo.toml has {count} lines with a version of {crate}, not one")
    return written


def _build(manifest: Manifest, version: str, local: LocalCrate | None, terms: Terms, entry: Path) -> None:
    crate = str(manifest.get.crate)
    terms.tell(f"{manifest.name}: building on {crate} {version} with cargo, some minutes, once")
    for place, source in sources_of(manifest).items():
        copy = entry / "sources" / place
        copy.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copyfile)(source, copy)
    folder = entry / "sources" / manifest.name
    requirements = folder / "Cargo.toml"
    given = requirements.read_text("utf-8")
    asked = with_requirement(given, crate, local.requirement if local else f'version = "={version}"')
    requirements.write_text(asked, "utf-8")
    locked = not local and _lock_of(manifest, version) is not None
    with cargo.shared() as common:
        target = local.target if local else common
        cargo.build(folder, entry, locked=locked, target=target, progress=terms.tell)
        cargo.take(entry, program_of(manifest), target)
    (folder / crate_lock.LOCK).rename(entry / crate_lock.LOCK)
    terms.tell(f"{manifest.name}: {crate} {version} is ready")


def _lock_of(manifest: Manifest, version: str) -> Path | None:
    """Return the adapter's own lock where it holds for a release: for that which its Cargo.toml names.

    For others it says what cargo takes of each other crate where it can, so that not everything is compiled anew.
    """
    crate, lock = str(manifest.get.crate), folder_of(manifest) / crate_lock.LOCK
    given = (folder_of(manifest) / "Cargo.toml").read_text("utf-8")
    return lock if lock.is_file() and with_requirement(given, crate, f'version = "={version}"') == given else None


def sources_of(manifest: Manifest) -> dict[str, Path]:
    """Return the adapter's sources and the SDK's, by where they stand when they are built.

    There the SDK is `../sdk/rust`, seen from the adapter, in whichever package the adapter is.
    """
    crates = {manifest.name: folder_of(manifest), "sdk/rust": adapters_root() / "sdk" / "rust"}
    parts = [(f"{place}/{part}", crate / part) for place, crate in crates.items() for part in _PARTS]
    return {place: source for place, source in parts if source.exists()}
