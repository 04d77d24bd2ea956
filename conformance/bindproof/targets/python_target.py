"""Gets a Python target: a release or a wheel through pip into a folder of its own, or the installed one.

Enters: a manifest and what is wanted. Leaves: an AdapterCommand. Must not know the protocol.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import sysconfig
from functools import partial
from pathlib import Path

from msgspec import Struct

from bindproof.core.model import AdapterCommand
from bindproof.core.paths import adapters_root
from bindproof.targets import cache, pip
from bindproof.targets.environment import with_python_path
from bindproof.targets.hashes import content_hash
from bindproof.targets.manifest import Manifest, folder_of
from bindproof.targets.names import Wanted, local_path, wanted
from bindproof.targets.terms import Terms
from bindproof.targets.unmet import Unmet


def command_for(name: str, manifest: Manifest, rest: str | None, terms: Terms) -> AdapterCommand:
    """Return how to start the adapter with the wanted target; raises Unmet where that cannot be had."""
    choice = wanted(rest, manifest.name)
    if choice.kind == "env":
        return _installed(name, manifest, terms)
    if choice.kind == "path":
        build = _wheel_build(manifest, *wheel_of(manifest, choice.text))
    else:
        build = _release_build(manifest, choice)
    entry = cache.ensure(build.key, partial(_install, manifest, build, terms), terms)
    target = entry.folder / "target"
    return AdapterCommand(
        name=name,
        argv=(sys.executable, "-S", str(_program(manifest))),
        env=with_python_path([target, sdk()]),
        cwd=str(entry.folder),
        files=entry.files(of="target"),
        version=build.version,
        notes=pip.notes(entry.folder, build.pins),
    )


def without_target(command: AdapterCommand, manifest: Manifest) -> AdapterCommand:
    """Return the same adapter in an environment that lacks the package."""
    return AdapterCommand(
        name=command.name,
        argv=(sys.executable, "-S", str(_program(manifest))),
        env=with_python_path([sdk()]),
        cwd=str(cache.empty_folder()),
    )


def releases(manifest: Manifest, _terms: Terms) -> list[str]:
    """Return what the package index lists, pre-releases too; raises Unmet where it cannot be asked."""
    return pip.releases(manifest.target)


def pins_of(manifest: Manifest) -> Path:
    """Return where an adapter's folder may have the hashes of its default release."""
    return folder_of(manifest) / pip.PINS


def sdk() -> Path:
    """Return the folder that the Python SDK is imported from."""
    return adapters_root() / "sdk" / "python"


def wheel_of(manifest: Manifest, text: str) -> tuple[Path, str]:
    """Return the wheel of a manifest's target that a path means, and its release; raises Unmet where it is none."""
    wheel = local_path(text)
    remedy = _how_to_give_a_wheel(manifest)
    if wheel.suffix != ".whl" or not wheel.is_file():
        raise Unmet(f"{wheel} is no wheel" if wheel.exists() else f"there is no file {wheel}", remedy)
    distribution, _, rest = wheel.name.partition("-")
    if distribution.replace("_", "-").lower() != manifest.target:
        raise Unmet(f"{wheel.name} is a wheel of {distribution}, not of {manifest.target}", remedy)
    return wheel, rest.partition("-")[0]


class _Build(Struct, frozen=True):
    key: str
    version: str
    requirement: str
    source: str
    remedy: str
    pins: Path | None = None


def _release_build(manifest: Manifest, choice: Wanted) -> _Build:
    version = choice.text or str(manifest.get.release)
    requirement = f"{manifest.target}=={version}"
    listing = f"{sys.executable} -m pip index versions {manifest.target}"
    remedy = (
        f"`{listing}` lists the releases; `bindproof adapters build {manifest.name}@{version} --allow-source-builds` "
        "builds one that has no wheel for this machine, which runs programs of that release; without a network, "
        f"--adapter {manifest.name}@./NAME.whl takes a build"
    )
    pins = pip.pinning(requirement, pins_of(manifest))
    key = cache.key_of(manifest.name, version, requirement, _toolchain(), pip.digest_of(pins))
    return _Build(key, version, requirement, "the package index", remedy, pins)


def _wheel_build(manifest: Manifest, wheel: Path, version: str) -> _Build:
    key = cache.key_of(manifest.name, version, content_hash(wheel), _toolchain())
    return _Build(key, version, str(wheel), str(wheel), _how_to_give_a_wheel(manifest))


def _how_to_give_a_wheel(manifest: Manifest) -> str:
    return f"--adapter {manifest.name}@./dist/NAME.whl, built for example by `pip wheel`"


def _install(manifest: Manifest, build: _Build, terms: Terms, folder: Path) -> None:
    terms.tell(f"{manifest.name}: installing {manifest.target} {build.version} from {build.source}")
    pip.install(folder, build.requirement, build.pins, build.remedy, terms)
    terms.tell(f"{manifest.name}: {manifest.target} {build.version} is ready")


def _installed(name: str, manifest: Manifest, terms: Terms) -> AdapterCommand:
    module = str(manifest.get.module)
    found = importlib.util.find_spec(module)
    if found is None or found.origin is None:
        remedy = f"{sys.executable} -m pip install {manifest.target}"
        raise Unmet(f"{manifest.target} is not installed for {sys.executable}, which runs bindproof", remedy)
    package = Path(found.origin).parent
    own = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return AdapterCommand(
        name=name,
        argv=(sys.executable, str(_program(manifest))),
        env=with_python_path([sdk(), *filter(None, own)]),
        cwd=str(folder_of(manifest)),
        files=cache.hash_files(package.parent, [package], cache.key_of("env", module, str(package)), anew=terms.anew),
        notes=(f"the installed package at {package}",),
    )


def _program(manifest: Manifest) -> Path:
    return folder_of(manifest) / manifest.start.program


def _toolchain() -> str:
    return f"{sys.implementation.cache_tag} {sysconfig.get_platform()}"
