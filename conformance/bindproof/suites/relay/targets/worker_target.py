"""Gets what an adapter of workers drives: the Python package nemo-relay as the host, and what its worker is made with.

Enters: a manifest and what is wanted. Leaves: an AdapterCommand, which tells the adapter where the worker's packages
are: the host's process has none of them. Must not know the protocol, nor what a worker answers.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from bindproof.core.model import AdapterCommand
from bindproof.core.paths import adapters_root
from bindproof.targets import cache, pip, python_target
from bindproof.targets.environment import with_python_path
from bindproof.targets.hashes import content_hash
from bindproof.targets.manifest import Manifest, folder_of, manifest_of
from bindproof.targets.names import wanted
from bindproof.targets.python_target import sdk
from bindproof.targets.terms import Terms
from bindproof.targets.unmet import Unmet

GRPC: Final = "grpcio==1.85.3"
"""What a worker needs that writes its messages itself."""

HOST: Final = "python"
"""The adapter whose target hosts workers."""

RAW: Final = "worker-raw"
"""The adapter whose worker writes its messages itself, on packages that it pins."""


def command_for(name: str, manifest: Manifest, rest: str | None, terms: Terms) -> AdapterCommand:
    """Return how to start the adapter with the wanted release; raises Unmet where that cannot be had.

    The release, or a wheel, is the host's, or the worker's where it is that of a package which a manifest names.
    """
    if manifest.get.module is not None:
        return _with_package(name, manifest, rest, terms)
    host = _host(rest or manifest.get.release, terms)
    if host.version is None:
        remedy = f"--adapter {name}, {name}@RELEASE or {name}@./NAME.whl"
        raise Unmet(
            "the release of the installed package is not known before it runs, and a worker goes with it", remedy
        )
    return with_worker(host, name, manifest, grpc_for(host.version), sdk_folders(), terms)


class Packages(Struct, frozen=True):
    """What a worker is made with."""

    requirement: str
    """What pip installs: a package of a release, or a wheel's path."""
    key: str
    """What stands for its content in the key of a cache entry."""
    release: str
    """The worker's, or else its host's."""
    pins: Path | None
    """A file that pins all of it by hashes."""


def _with_package(name: str, manifest: Manifest, rest: str | None, terms: Terms) -> AdapterCommand:
    choice = wanted(rest, name)
    if choice.kind == "env":
        remedy = f"--adapter {name}, {name}@RELEASE or {name}@./NAME.whl"
        raise Unmet("a worker is made with a release of its package, or a build, and is no installed one", remedy)
    if choice.kind == "path":
        wheel, release = python_target.wheel_of(manifest, choice.text)
        packages = Packages(str(wheel), content_hash(wheel), release, None)
    else:
        release = choice.text or str(manifest.get.release)
        packages = _packages(f"{manifest.target}=={release}", release, manifest)
    return replace(with_worker(_host(None, terms), name, manifest, packages, sdk_folders(), terms), version=release)


def grpc_for(release: str) -> Packages:
    """Return what a worker is made with that writes its messages itself, in a host of this release."""
    return _packages(GRPC, release, manifest_of(RAW))


def _packages(requirement: str, release: str, manifest: Manifest) -> Packages:
    return Packages(requirement, requirement, release, pip.pinning(requirement, folder_of(manifest) / pip.PINS))


def _host(release: str | None, terms: Terms) -> AdapterCommand:
    return python_target.command_for(HOST, manifest_of(HOST), release, terms)


def with_worker(
    host: AdapterCommand, name: str, manifest: Manifest, packages: Packages, beside: Sequence[str], terms: Terms
) -> AdapterCommand:
    """Return how to start an adapter that drives a host with a worker, whose packages are installed apart from it.

    host: how another adapter that drives it is started: its program is replaced, and the folder of the packages is the
    last word. beside: more folders for Python. Raises Unmet where the packages cannot be had.
    """
    entry = installed(name, host, packages, terms)
    program = str(folder_of(manifest) / manifest.start.program)
    return replace(
        host,
        name=name,
        argv=(sys.executable, "-S", program, *host.argv[3:], str(entry.folder / "target")),
        env={**host.env, "PYTHONPATH": os.pathsep.join((host.env["PYTHONPATH"], *beside))},
        files=host.files if manifest.get.module is None else {**host.files, **entry.files(of="target")},
        notes=(*host.notes, *notes(entry, packages)),
    )


def installed(name: str, host: AdapterCommand, packages: Packages, terms: Terms) -> cache.Entry:
    """Return where a worker's packages are, in the folder `target`; raises Unmet where they cannot be had."""
    pins, versions = packages.pins, f"{host.version} {packages.release}"
    key = cache.key_of(name, versions, packages.key, _python(), pip.digest_of(pins))
    return cache.ensure(key, partial(_install, name, packages.requirement, pins, terms), terms)


def notes(entry: cache.Entry, packages: Packages) -> tuple[str, ...]:
    """Return what a report says of a worker's packages."""
    return (*pip.notes(entry.folder, packages.pins), f"with a worker on {packages.requirement}")


def without_target(command: AdapterCommand, _manifest: Manifest) -> AdapterCommand:
    """Return the same adapter in an environment that lacks the host."""
    env = with_python_path([sdk(), *map(Path, sdk_folders())])
    return AdapterCommand(name=command.name, argv=command.argv, env=env, cwd=str(cache.empty_folder()))


def releases(manifest: Manifest, terms: Terms) -> list[str]:
    """Return the releases that may be asked for; raises Unmet where nobody can tell."""
    return python_target.releases(manifest_of(HOST) if manifest.get.module is None else manifest, terms)


def sdk_folders() -> tuple[str, ...]:
    """Return the folders that adapters of workers have in common."""
    return (str(adapters_root() / "sdk" / "worker"),)


def _install(name: str, requirement: str, pins: Path | None, terms: Terms, folder: Path) -> None:
    terms.tell(f"{name}: installing {requirement}")
    remedy = (
        f"`{sys.executable} -m pip download --no-deps {requirement}` says more; where the package has no wheel for a "
        "machine it has no workers"
    )
    pip.install(folder, requirement, pins, remedy, terms)
    terms.tell(f"{name}: {requirement} is ready")


def _python() -> str:
    return f"{sys.implementation.cache_tag} {sysconfig.get_platform()}"
