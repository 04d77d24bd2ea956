"""What adapters there are: `adapters/*/adapter.toml` as typed, frozen values.

Enters: the folder of adapters. Leaves: manifests. Must not know caches, builds or processes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from bindproof.errors import FileError
from bindproof.paths import adapters_root


class AdapterNotKnown(ValueError):  # noqa: N818 - part of the published interface
    """No adapter has this name; the message lists those that there are."""

    def __init__(self, name: str, names: list[str]) -> None:
        super().__init__(
            f"there is no adapter {name!r}; known: {', '.join(names)}. "
            f"Type one of these, or --adapter-command {name or 'NAME'}=COMMAND for a program of your own"
        )


class Get(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"source": "from"}):
    """Where the target comes from.

    source: a package registry, or bindproof itself. release: the one used when none is asked for. module: what a Python
    target is imported as. crate: what a target that we compile is built on. node, node_package: the oldest major
    version of Node that will do, and the package of the Python index that brings one.
    """

    source: Literal["pypi", "npm", "crate", "bindproof"]
    release: str | None = None
    module: str | None = None
    crate: str | None = None
    node: int | None = None
    node_package: str | None = None


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the adapter starts: `program` is a file of its folder."""

    program: str


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One adapter. `default` ones are judged when the user names none; `languages` are its callers'."""

    name: str
    title: str
    target: str
    languages: tuple[str, ...]
    suites: tuple[str, ...]
    dialect: str
    get: Get
    start: Start
    default: bool = False

    @property
    def how_to_get(self) -> str:
        """Return, in a few words, what is used and what may be asked for instead."""
        if self.get.source == "bindproof":
            return f"comes with bindproof; {self.name}@DIALECT:EDITION chooses"
        if self.get.source == "crate":
            return f"the crate {self.get.crate} {self.get.release}, built with cargo; {self.name}@RELEASE chooses"
        local = "WHEEL or env" if self.get.source == "pypi" else "FOLDER or TGZ"
        registry = {"pypi": "the Python package index", "npm": "the npm registry"}[self.get.source]
        return f"{self.target} {self.get.release} from {registry}; {self.name}@RELEASE, {local} chooses"


def known() -> list[Manifest]:
    """Return all manifests by name. Raises FileError for one that cannot be read."""
    return [read_manifest(path) for path in sorted(adapters_root().glob("*/adapter.toml"))]


def default_names() -> list[str]:
    """Return the names of the adapters that are judged when none is named: the reference first."""
    names = [manifest.name for manifest in known() if manifest.default]
    return sorted(names, key=lambda name: (name != "reference", name != "python", name))


def manifest_of(name: str) -> Manifest:
    """Return the manifest of one adapter; raises AdapterNotKnown."""
    manifests = known()
    for manifest in manifests:
        if manifest.name == name:
            return manifest
    raise AdapterNotKnown(name, [manifest.name for manifest in manifests])


def folder_of(manifest: Manifest) -> Path:
    """Return the folder that holds the adapter's sources."""
    return adapters_root() / manifest.name


def read_manifest(path: Path) -> Manifest:
    """Read one `adapter.toml`; its name must be its folder's. Raises FileError."""
    try:
        manifest = msgspec.toml.decode(path.read_bytes(), type=Manifest)
    except (OSError, msgspec.DecodeError) as error:
        raise FileError(path, None, f"not an adapter's manifest: {error}") from None
    if manifest.name != path.parent.name:
        raise FileError(path, None, f"the adapter is named {manifest.name!r} but its folder {path.parent.name!r}")
    if manifest.get.source != "bindproof" and manifest.get.release is None:
        raise FileError(path, None, "[get] from a registry names the `release` that is used when none is asked for")
    if manifest.get.source == "crate" and manifest.get.crate is None:
        raise FileError(path, None, "[get] from a crate names the `crate`")
    return manifest
