"""Builds the adapter `go`: our Go program and package, linked with the C library.

Enters: a manifest and what is wanted. Leaves: an AdapterCommand. Must not know the protocol, nor the library's calls.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Final

from bindproof.core.model import AdapterCommand
from bindproof.core.paths import adapters_root
from bindproof.suites.relay.targets.c_library import LIBRARY, Library, library_for
from bindproof.targets import building, cache
from bindproof.targets.environment import allowed, for_builds
from bindproof.targets.hashes import content_hash
from bindproof.targets.manifest import Manifest, folder_of
from bindproof.targets.terms import Terms
from bindproof.targets.unmet import Unmet

INSTALL: Final = "install Go, 1.22 or newer, as https://go.dev/doc/install tells, so that `go` is on PATH"
"""What helps where there is no Go."""

PROGRAM: Final = "bindproof-go"
"""What the built adapter is called."""

_COMPILE: Final = "Go needs a C compiler for cgo, such as gcc; otherwise mend what the last lines say"
_SOURCES: Final = ("*.go", "*.c", "*.h", "go.mod")

_REMEDIES: Final = {"GOROOT": "unset GOROOT, or install Go again as https://go.dev/doc/install tells"}

Sources = Mapping[str, Path]
"""Files to build from, by their path below the folder that is built in."""


def command_for(name: str, manifest: Manifest, rest: str | None, terms: Terms) -> AdapterCommand:
    """Return how to start the adapter with the wanted release; raises Unmet where that cannot be had."""
    return command_of(name, manifest, rest, {}, LIBRARY, terms)


def command_of(
    name: str, manifest: Manifest, rest: str | None, more: Sources, linked: str, terms: Terms
) -> AdapterCommand:
    """Return how to start a Go adapter over the C library of the wanted release.

    more: sources besides the adapter's and the SDK's. linked: the name that the program links the library by. Raises
    Unmet where it cannot be had.
    """
    go = toolchain()
    built = library_for(manifest, rest, terms)
    sources = sources_of(adapters_root(), folder_of(manifest), adapters_root() / "sdk" / "go") | dict(more)
    contents = " ".join(f"{path} {content_hash(source)}" for path, source in sources.items())
    key = cache.key_of(manifest.name, built.version, contents, built.folder.name, go)
    entry = cache.ensure(key, partial(_build, manifest.name, sources, built, linked, terms), terms)
    return AdapterCommand(
        name=name,
        argv=(str(entry.folder / PROGRAM),),
        env=allowed(),
        cwd=str(entry.folder),
        files=built.files,
        version=built.version,
        notes=(go, *built.notes),
    )


def toolchain() -> str:
    """Return what `go version` says. Raises Unmet without a Go, and where one cannot run."""
    absent = Unmet("there is no go on PATH, and the adapter is a Go program", INSTALL)
    return building.told("go", ["version"], absent, _REMEDIES)


def sources_of(root: Path, *folders: Path) -> dict[str, Path]:
    """Return what Go builds in these folders, by its path below `root`; tests are not built."""
    found = [path for folder in folders for pattern in _SOURCES for path in folder.rglob(pattern)]
    built = [path for path in sorted(found) if not path.name.endswith("_test.go")]
    return {path.relative_to(root).as_posix(): path for path in built}


def settings(built: Library, folder: Path | None = None, linked: str = LIBRARY) -> Mapping[str, str]:
    """Return the environment in which `go` builds, vets and tests: this machine's toolchain and the library, no more.

    At run time the library is found where it is now, in the cache, or by the name `linked` beside the program in
    `folder`.
    """
    where = folder or built.folder
    beside = "@loader_path" if sys.platform == "darwin" else "$ORIGIN"
    return {
        **for_builds(),
        "CGO_ENABLED": "1",
        "CGO_CFLAGS": f'"-I{built.folder}" -DRELAY_RELEASE={_release(built.version)}',
        "CGO_LDFLAGS": f'"-L{where}" -l{linked} "-Wl,-rpath,{beside if folder else where}"',
        "GOFLAGS": "",
        "GOPROXY": "off",
        "GOTOOLCHAIN": "local",
        "GOWORK": "off",
    }


def _release(version: str) -> int:
    """Return a release as one number that C can compare: what it declares differs between minor versions."""
    major, minor, *_ = version.split(".")
    return 1000 * int(major) + int(minor)


def _build(
    name: str,
    sources: Sources,
    built: Library,
    linked: str,
    terms: Terms,
    folder: Path,
) -> None:
    terms.tell(f"{name}: building the adapter with {built.shared.name} {built.version}")
    for path, source in sources.items():
        (folder / "src" / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, folder / "src" / path)
    flags = ["-trimpath", "-buildvcs=false", f"-ldflags=-X main.release={built.version}", "-o", str(folder / PROGRAM)]
    if linked == LIBRARY:
        env = settings(built)
    else:
        (folder / built.shared.name.replace(LIBRARY, linked)).symlink_to(built.shared)
        env = settings(built, folder, linked)
    building.run(["go", "build", *flags, "."], folder / "src" / name, _COMPILE, env=env)
    terms.tell(f"{name}: the adapter is ready, with {built.shared.name} {built.version}")
