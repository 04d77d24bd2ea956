"""Gets a Python target: a release or a wheel through pip into a folder of its own, or the installed one.

Enters: a manifest and what is wanted. Leaves: an AdapterCommand. Must not know the protocol.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import sysconfig
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bindproof.core.model import AdapterCommand
from bindproof.core.paths import adapters_root
from bindproof.targets import building, cache
from bindproof.targets.environment import with_python_path
from bindproof.targets.hashes import content_hash, hash_files
from bindproof.targets.manifest import Manifest, folder_of
from bindproof.targets.names import Wanted, local_path, wanted
from bindproof.targets.unmet import Unmet

PIP = (sys.executable, "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check")


def command_for(name: str, manifest: Manifest, rest: str | None, progress: cache.Progress) -> AdapterCommand:
    """Return how to start the adapter with the wanted target; raises Unmet where that cannot be had."""
    choice = wanted(rest, manifest.name)
    if choice.kind == "env":
        return _installed(name, manifest)
    wheel = local_path(choice.text) if choice.kind == "path" else None
    build = _wheel_build(manifest, wheel) if wheel else _release_build(manifest, choice)
    entry = cache.ensure(build.key, partial(_install, manifest, build, progress), progress)
    target = entry / "target"
    return AdapterCommand(
        name=name,
        argv=(sys.executable, "-S", str(_program(manifest))),
        env=with_python_path([target, sdk()]),
        cwd=str(entry),
        files=hash_files(target, [target], entry / "files.json"),
        version=build.version,
    )


def without_target(command: AdapterCommand, manifest: Manifest) -> AdapterCommand:
    """Return the same adapter in an environment that lacks the package."""
    return AdapterCommand(
        name=command.name,
        argv=(sys.executable, "-S", str(_program(manifest))),
        env=with_python_path([sdk()]),
        cwd=str(cache.empty_folder()),
    )


def pip_into(folder: Path, requirement: str, remedy: str) -> None:
    """Install one requirement into a folder of its own."""
    building.run([*PIP, "--target", str(folder), requirement], folder.parent, remedy)


def sdk() -> Path:
    """Return the folder that the Python SDK is imported from."""
    return adapters_root() / "sdk" / "python"


@dataclass(frozen=True, slots=True)
class _Build:
    key: str
    version: str
    requirement: str
    source: str
    remedy: str


def _release_build(manifest: Manifest, choice: Wanted) -> _Build:
    version = choice.text or str(manifest.get.release)
    requirement = f"{manifest.target}=={version}"
    listing = f"{sys.executable} -m pip index versions {manifest.target}"
    remedy = f"`{listing}` lists the releases; without a network, --adapter {manifest.name}@./NAME.whl takes a build"
    key = cache.key_of(manifest.name, version, requirement, _toolchain())
    return _Build(key, version, requirement, "the package index", remedy)


def _wheel_build(manifest: Manifest, wheel: Path) -> _Build:
    remedy = f"--adapter {manifest.name}@./dist/NAME.whl, built for example by `pip wheel`"
    if wheel.suffix != ".whl" or not wheel.is_file():
        raise Unmet(f"{wheel} is no wheel" if wheel.exists() else f"there is no file {wheel}", remedy)
    distribution, _, rest = wheel.name.partition("-")
    if distribution.replace("_", "-").lower() != manifest.target:
        raise Unmet(f"{wheel.name} is a wheel of {distribution}, not of {manifest.target}", remedy)
    version = rest.partition("-")[0]
    key = cache.key_of(manifest.name, version, content_hash(wheel), _toolchain())
    return _Build(key, version, str(wheel), str(wheel), remedy)


def _install(manifest: Manifest, build: _Build, progress: cache.Progress, folder: Path) -> None:
    progress(f"{manifest.name}: installing {manifest.target} {build.version} from {build.source}")
    if importlib.util.find_spec("pip") is None:
        raise Unmet(f"{sys.executable} has no pip", f"{sys.executable} -m ensurepip")
    pip_into(folder / "target", build.requirement, build.remedy)
    progress(f"{manifest.name}: {manifest.target} {build.version} is ready")


def _installed(name: str, manifest: Manifest) -> AdapterCommand:
    module = str(manifest.get.module)
    found = importlib.util.find_spec(module)
    if found is None or found.origin is None:
        remedy = f"{sys.executable} -m pip install {manifest.target}"
        raise Unmet(f"{manifest.target} is not installed for {sys.executable}, which runs bindproof", remedy)
    package = Path(found.origin).parent
    own = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    memory = cache.cache_root() / f"{cache.key_of('env', module, str(package))}.json"
    return AdapterCommand(
        name=name,
        argv=(sys.executable, str(_program(manifest))),
        env=with_python_path([sdk(), *filter(None, own)]),
        cwd=str(folder_of(manifest)),
        files=hash_files(package.parent, [package], memory),
        notes=(f"the installed package at {package}",),
    )


def _program(manifest: Manifest) -> Path:
    return folder_of(manifest) / manifest.start.program


def _toolchain() -> str:
    return f"{sys.implementation.cache_tag} {sysconfig.get_platform()}"
