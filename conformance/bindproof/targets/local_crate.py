"""A crate in a folder of the user's: which release it says it is, and a digest of all that its build reads there.

Enters: a folder. Leaves: a LocalCrate, or Unmet with the reason. Must not know what is built on it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from bindproof.targets import building, cache, cargo
from bindproof.targets.hashes import content_hash
from bindproof.targets.unmet import Unmet

_BUILT: Final = frozenset({"target"})
"""What cargo leaves in a crate's folder; it has no part in the next build."""


class LocalCrate(Struct, frozen=True):
    """A crate's folder."""

    folder: Path
    version: str
    """What its Cargo.toml says."""
    digest: str
    """Of it and of the crates there that it depends on."""

    @property
    def requirement(self) -> str:
        """The crate as a Cargo.toml names it."""
        return f"path = {json.dumps(str(self.folder))}"

    @property
    def target(self) -> Path:
        """Where cargo keeps what it compiled for this folder, so that the next build compiles what changed alone."""
        return cache.own_root() / f"local-{hashlib.sha256(str(self.folder).encode()).hexdigest()[:12]}"


class _Package(msgspec.Struct):
    id: str
    name: str
    version: str
    manifest_path: str
    source: str | None = None


class _Node(msgspec.Struct):
    id: str
    dependencies: list[str]


class _Resolve(msgspec.Struct):
    nodes: list[_Node]


class _Metadata(msgspec.Struct):
    packages: list[_Package]
    resolve: _Resolve


def is_crate(path: Path) -> bool:
    """Tell whether a folder holds a crate."""
    return (path / "Cargo.toml").is_file()


def local_crate(path: Path, name: str, remedy: str) -> LocalCrate:
    """Return the crate `name` in the folder `path`; raises Unmet without a Rust or, with `remedy`, without a crate."""
    if not is_crate(path):
        raise Unmet(f"{path} is no folder of a crate: it has no Cargo.toml", remedy)
    cargo.toolchain()
    told = building.run(["cargo", "metadata", "--format-version=1", "--quiet"], path, remedy)
    metadata = msgspec.json.decode(told, type=_Metadata)
    manifest = path.resolve() / "Cargo.toml"
    found = next((one for one in metadata.packages if Path(one.manifest_path).resolve() == manifest), None)
    if found is None or found.name != name:
        raise Unmet(f"{path} is {f'the crate {found.name}' if found else 'no crate'}, not {name}", remedy)
    folders = sorted({Path(one.manifest_path).parent for one in _beside(metadata, found)})
    digest = " ".join(content_hash(folder, _BUILT) for folder in folders)
    return LocalCrate(path.resolve(), found.version, hashlib.sha256(digest.encode()).hexdigest())


def _beside(metadata: _Metadata, first: _Package) -> Iterator[_Package]:
    """Yield the crates that come from no registry and that the first one is built with, itself among them."""
    packages = {one.id: one for one in metadata.packages}
    needs = {node.id: node.dependencies for node in metadata.resolve.nodes}
    open_, seen = [first.id], {first.id}
    while open_:
        one = open_.pop()
        if packages[one].source is None:
            yield packages[one]
        fresh = [other for other in needs.get(one, ()) if other not in seen]
        seen.update(fresh)
        open_ += fresh
