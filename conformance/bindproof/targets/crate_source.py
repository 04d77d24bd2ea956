"""Where the sources lie of the crates that an adapter in Rust was built on.

Enters: the folder of a cache entry, names of crates. Leaves: folders, or Unmet. Must not know what is read there.

Cargo keeps the sources of what it built. Where they are gone, as after a build in another container, it gets them again
by the lock of the build, which has their checksums.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from bindproof.targets import building
from bindproof.targets.cargo import INSTALL
from bindproof.targets.crate_lock import LOCK, release_in
from bindproof.targets.unmet import Unmet

ABSENT = "there is no cargo on PATH, and the sources of a crate are gone"


def sources_of_crates(entry: Path, adapter: str, crates: Iterable[str]) -> list[Path]:
    """Return the folder `src` of each crate, of the release that the lock of the build names.

    Raises Unmet where it names none, and where cargo cannot get its sources.
    """
    lock = (entry / LOCK).read_text("utf-8")
    wanted = [_folder(crate, lock) for crate in crates]
    if any(_found(one) is None for one in wanted):
        _fetch(entry, adapter)
    found = [_found(one) for one in wanted]
    missing = [one for one, folder in zip(wanted, found, strict=True) if folder is None]
    if missing:
        raise Unmet(f"cargo has no sources of {', '.join(missing)}", "ask for a release of the crate registry")
    return [folder for folder in found if folder is not None]


def _folder(crate: str, lock: str) -> str:
    release = release_in(lock, crate)
    if release is None:
        raise Unmet(f"the build has no crate {crate}", "name a crate that the adapter is built on")
    return f"{crate}-{release}"


def _found(name: str) -> Path | None:
    home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
    return next((one for one in sorted((home / "registry" / "src").glob(f"*/{name}/src")) if one.is_dir()), None)


def _fetch(entry: Path, adapter: str) -> None:
    with TemporaryDirectory() as temporary:
        copy = Path(temporary) / "sources"
        shutil.copytree(entry / "sources", copy)
        shutil.copyfile(entry / LOCK, copy / adapter / LOCK)
        building.told("cargo", ["--version"], Unmet(ABSENT, INSTALL), {})
        building.run(["cargo", "fetch", "--locked", "--quiet"], copy / adapter, "a network is needed for it")
