"""Gets a Node target: a release, a folder or an archive, through npm into a folder of its own.

Enters: a manifest and what is wanted. Leaves: an AdapterCommand. Must not know the protocol.
"""

from __future__ import annotations

import lzma
import shutil
import sysconfig
import tarfile
import zlib
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from bindproof.core.model import AdapterCommand
from bindproof.spec.files.document import parse
from bindproof.spec.files.reader import object_of, read_object
from bindproof.spec.files.text import LARGEST, read_bytes
from bindproof.spec.problem import SpecError
from bindproof.targets import building, cache
from bindproof.targets.environment import with_sdk
from bindproof.targets.hashes import content_hash
from bindproof.targets.manifest import Manifest, folder_of
from bindproof.targets.names import Wanted, local_path, wanted
from bindproof.targets.node_runtime import NodeRuntime, find_runtime, with_npm
from bindproof.targets.terms import Terms
from bindproof.targets.unmet import Unmet

NPM_OPTIONS: Final = ("--no-audit", "--no-fund", "--ignore-scripts", "--install-links", "--loglevel=error")
"""Nothing of a package's runs while it is installed: npm takes the command line's word over that of its settings."""

LOCK: Final = "package-lock.json"
"""Where npm writes what it chose, with the hash of each; beside an adapter's manifest, what is pinned."""

_OWN: Final = '{"name": "bindproof-target", "private": true}\n'


def command_for(name: str, manifest: Manifest, rest: str | None, terms: Terms) -> AdapterCommand:
    """Return how to start the adapter with the wanted target; raises Unmet where that cannot be had."""
    choice = wanted(rest, manifest.name)
    if choice.kind == "env":
        remedy = f"--adapter {name.partition('@')[0]}@./FOLDER with the folder of the package"
        raise Unmet("`env` means the Python environment that runs bindproof; it has no Node packages", remedy)
    build = _local_build(manifest, local_path(choice.text)) if choice.kind == "path" else _release(manifest, choice)
    runtime = find_runtime(manifest.get.node, manifest.get.node_package, terms)
    entry = cache.ensure(build.key, partial(_install, manifest, build, runtime, terms), terms)
    found = (entry.folder / "node_modules").glob(f"{manifest.target}*")  # of a scoped package within its scope's folder
    packages = [path.relative_to(entry.folder).as_posix() for path in found]
    return AdapterCommand(
        name=name,
        argv=(str(runtime.program), str(folder_of(manifest) / manifest.start.program), str(entry.folder)),
        env=with_sdk(),
        cwd=str(entry.folder),
        files=entry.files(*packages),
        version=build.version,
        notes=(f"Node {runtime.version}, {runtime.origin}", *(() if build.pinned else _unpinned(entry.folder))),
    )


def without_target(command: AdapterCommand, _manifest: Manifest) -> AdapterCommand:
    """Return the same adapter in an environment that lacks the package."""
    empty = str(cache.empty_folder())
    return AdapterCommand(name=command.name, argv=(*command.argv[:-1], empty), env=command.env, cwd=empty)


def releases(manifest: Manifest, terms: Terms) -> list[str]:
    """Return what npm's registry lists; raises Unmet where it cannot be asked."""
    runtime, npm = with_npm(
        find_runtime(manifest.get.node, manifest.get.node_package, terms), manifest.get.node_package, terms
    )
    words = ["view", manifest.target, "versions", "--json", "--loglevel=error"]
    remedy = f"`npm view {manifest.target} versions` says more of the registry that npm asks"
    said = building.run([str(runtime.program), str(npm), *words], Path.cwd(), remedy)
    try:
        found = msgspec.json.decode(said, type=list[str] | str)  # of a lone release npm prints no list
    except msgspec.MsgspecError as error:
        raise Unmet(f"npm lists no releases of {manifest.target}: {error}", remedy) from None
    return [found] if isinstance(found, str) else found


class _Build(Struct, frozen=True):
    key: str
    version: str
    requirement: str
    source: str
    remedy: str
    pinned: Path | None = None
    """The folder that has npm's lock of this release."""


class _Package(msgspec.Struct):
    version: str = ""
    integrity: str = "not told by npm"


class _Lock(msgspec.Struct):
    packages: dict[str, _Package] = {}


def _release(manifest: Manifest, choice: Wanted) -> _Build:
    version = choice.text or str(manifest.get.release)
    requirement = f"{manifest.target}@{version}"
    pinned = folder_of(manifest) if locked(folder_of(manifest) / LOCK, manifest.target) == version else None
    pins = content_hash(pinned / LOCK) if pinned else "pinned by nothing"
    key = cache.key_of(manifest.name, version, requirement, sysconfig.get_platform(), pins)
    listing = f"npm view {manifest.target} versions"
    remedy = f"`{listing}` lists the releases; without a network, --adapter {manifest.name}@./FOLDER takes a build"
    return _Build(key, version, requirement, "the npm registry", remedy, pinned)


def _local_build(manifest: Manifest, path: Path) -> _Build:
    remedy = f"--adapter {manifest.name}@./FOLDER or @./NAME.tgz, with the package.json of {manifest.target}"
    package = package_json(path, remedy)
    if package.get("name") != manifest.target:
        raise Unmet(f"{path} is the package {package.get('name')!r}, not {manifest.target}", remedy)
    version = str(package.get("version"))
    key = cache.key_of(manifest.name, version, content_hash(path), sysconfig.get_platform())
    return _Build(key, version, str(path), str(path), remedy)


def package_json(path: Path, remedy: str) -> dict[str, Any]:
    """Return the package.json of a package in a folder or an archive; raises Unmet for what is no package."""
    try:
        if path.is_dir():
            return read_object(path / "package.json", str(path / "package.json"))[0]
        with tarfile.open(path) as archive:
            member = archive.extractfile("package/package.json")
            data = member.read(LARGEST) if member else b""
        return object_of(parse(data, f"{path}: package/package.json"))
    except (SpecError, OSError, EOFError, KeyError, ValueError, tarfile.TarError, zlib.error, lzma.LZMAError) as error:
        raise Unmet(f"{path} is no npm package: {error}", remedy) from None


def _install(manifest: Manifest, build: _Build, runtime: NodeRuntime, terms: Terms, folder: Path) -> None:
    runtime, npm = with_npm(runtime, manifest.get.node_package, terms)
    terms.tell(
        f"{manifest.name}: installing {manifest.target} {build.version} from {build.source}, Node {runtime.version}"
    )
    if build.pinned:
        for name in ("package.json", LOCK):
            shutil.copyfile(build.pinned / name, folder / name)
        words = ["ci", *NPM_OPTIONS]
    else:
        (folder / "package.json").write_text(_OWN)
        words = ["install", *NPM_OPTIONS, "--package-lock", build.requirement]
    building.run([str(runtime.program), str(npm), *words], folder, build.remedy)
    terms.tell(f"{manifest.name}: {manifest.target} {build.version} is ready")


def locked(lock: Path, package: str) -> str | None:
    """Return the release of a package that a lock names; None where there is no lock, or it has no such package.

    Raises SpecError for a file that is no lock.
    """
    found = _read(lock).packages.get(f"node_modules/{package}") if lock.is_file() else None
    return found.version if found else None


def _unpinned(entry: Path) -> tuple[str, ...]:
    """Return a note on each package that npm chose just for this entry and installed, with its hash."""
    installed = [
        (place, one) for place, one in _read(entry / LOCK).packages.items() if place and (entry / place).is_dir()
    ]
    named = [(place.rpartition("node_modules/")[2], one) for place, one in installed]
    return tuple(f"{name} {one.version} is pinned by nothing: {one.integrity}" for name, one in named)


def _read(lock: Path) -> _Lock:
    """Return what npm's lock says; raises SpecError for a file that is none."""
    document = parse(read_bytes(lock, str(lock)), str(lock))
    try:
        return msgspec.convert(document.value, _Lock)
    except msgspec.ValidationError as error:
        raise SpecError([document.problem(f"this is no lock of npm: {error}; `npm install` makes one")]) from None
