"""Starts the adapter `afk` on a checkout of AFK that the user names: no registry has it, and nothing of it is copied.

Enters: a manifest, what is wanted, and AFK_SRC. Leaves: an AdapterCommand, with the packages that AFK imports from a
folder of the cache. Must not know the protocol.
"""

from __future__ import annotations

import os
import sys
import sysconfig
import tomllib
from functools import partial
from pathlib import Path
from typing import Final

from bindproof.core.model import AdapterCommand
from bindproof.targets import cache, pip
from bindproof.targets.environment import with_python_path
from bindproof.targets.manifest import Manifest, folder_of
from bindproof.targets.names import local_path, wanted
from bindproof.targets.python_target import sdk
from bindproof.targets.terms import Terms
from bindproof.targets.unmet import Unmet

CHECKOUT: Final = "AFK_SRC"
"""The variable that names a checkout of AFK's repository."""

IMPORTED: Final = "fastapi==0.165.0"
"""One of the packages that AFK imports when a run starts; the adapter's pins have the others beside it."""

_REMEDY: Final = "clone github.com/socioy/afk, and set AFK_SRC to that folder, or name it: {name}@./FOLDER"


def command_for(name: str, manifest: Manifest, rest: str | None, terms: Terms) -> AdapterCommand:
    """Return how to start the adapter with the checkout; raises Unmet where there is none, or pip cannot be asked."""
    checkout = _checkout(manifest, rest)
    pins = pip.pinning(IMPORTED, folder_of(manifest) / pip.PINS)
    python = f"{sys.implementation.cache_tag} {sysconfig.get_platform()}"
    key = cache.key_of(manifest.name, IMPORTED.partition("==")[2], IMPORTED, python, pip.digest_of(pins))
    entry = cache.ensure(key, partial(_install, manifest, pins, terms), terms)
    source = checkout / "src" / "afk"
    remembered = cache.key_of(manifest.name, "checkout", str(checkout))
    return AdapterCommand(
        name=name,
        argv=_argv(manifest, checkout),
        env=with_python_path([entry.folder / "target", sdk()]),
        cwd=str(folder_of(manifest)),
        files=cache.hash_files(source.parent, [source], remembered, anew=terms.anew),
        version=_version(checkout),
        notes=(f"the checkout {checkout}", *pip.notes(entry.folder, pins)),
    )


def without_target(command: AdapterCommand, manifest: Manifest) -> AdapterCommand:
    """Return the same adapter with an empty folder for a checkout."""
    argv = _argv(manifest, cache.empty_folder())
    return AdapterCommand(name=command.name, argv=argv, env=with_python_path([sdk()]), cwd=command.cwd)


def _argv(manifest: Manifest, checkout: Path) -> tuple[str, ...]:
    return (sys.executable, "-S", str(folder_of(manifest) / manifest.start.program), str(checkout))


def _checkout(manifest: Manifest, rest: str | None) -> Path:
    """Return the folder of the checkout."""
    choice = wanted(rest, manifest.name)
    remedy = _REMEDY.format(name=manifest.name)
    if choice.kind not in ("default", "path"):
        raise Unmet(f"AFK is in no registry, so {rest} chooses nothing", remedy)
    named = os.environ.get(CHECKOUT)
    if choice.kind == "default" and not named:
        raise Unmet(f"AFK is in no registry, and {CHECKOUT} names no checkout of it", remedy)
    folder = local_path(choice.text if choice.kind == "path" else str(named))
    if not (folder / "src" / "afk" / "__init__.py").is_file() or not (folder / "pyproject.toml").is_file():
        raise Unmet(f"{folder} has no src/afk: it is no checkout of AFK", remedy)
    return folder


def _version(checkout: Path) -> str | None:
    """Return the version that the checkout calls itself, or None where it has none."""
    try:
        return str(tomllib.loads((checkout / "pyproject.toml").read_text("utf-8"))["project"]["version"])
    except (OSError, ValueError, KeyError):
        return None


def _install(manifest: Manifest, pins: Path | None, terms: Terms, folder: Path) -> None:
    terms.tell(f"{manifest.name}: installing what AFK imports")
    remedy = f"`{sys.executable} -m pip download --no-deps {IMPORTED}` says more"
    pip.install(folder, IMPORTED, pins, remedy, terms)
    terms.tell(f"{manifest.name}: what AFK imports is ready")
