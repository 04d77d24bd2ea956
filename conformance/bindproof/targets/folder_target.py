"""Starts an adapter whose target is a folder: of the package that the adapter is in, or one that the user names.

Enters: a manifest and what is wanted. Leaves: an AdapterCommand. Must not know the protocol, nor what is in the folder.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from msgspec.structs import replace

from bindproof.core.model import AdapterCommand
from bindproof.targets import cache
from bindproof.targets.built_folder import built
from bindproof.targets.environment import with_python_path, with_sdk
from bindproof.targets.manifest import Manifest, folder_of
from bindproof.targets.names import local_path, wanted
from bindproof.targets.node_runtime import find_runtime
from bindproof.targets.python_target import sdk
from bindproof.targets.terms import Terms
from bindproof.targets.unmet import Unmet


def command_for(name: str, manifest: Manifest, rest: str | None, terms: Terms) -> AdapterCommand:
    """Return how to start the adapter with the wanted folder; raises Unmet where that cannot be had.

    The folder is the program's last argument. A Python program also has it, and the SDK, on its path. Where the
    manifest has a `build`, all of it is built in the cache first.
    """
    choice = wanted(rest, manifest.name)
    remedy = f"--adapter {manifest.name}, or {manifest.name}@./FOLDER with the folder of another {manifest.target}"
    if choice.kind not in ("default", "path"):
        raise Unmet(f"{manifest.target} is a folder: it has no releases to choose from", remedy)
    folder = local_path(choice.text) if choice.kind == "path" else (folder_of(manifest) / str(manifest.get.folder))
    if not folder.is_dir():
        raise Unmet(f"there is no folder {folder}", remedy)
    notes = (f"the folder {folder}",) if choice.kind == "path" else ()
    if manifest.get.build:
        made = built(manifest, folder.resolve(), terms)
        command = _started(name, replace(manifest, folder=made.folder), made.entry.folder / made.target, terms)
        return replace(command, files=made.entry.files(of=made.target), notes=notes)
    remembered = cache.key_of(manifest.name, "folder", str(folder))
    return replace(
        _started(name, manifest, folder.resolve(), terms),
        files=cache.hash_files(folder, [folder], remembered, anew=terms.anew),
        notes=notes,
    )


def without_target(command: AdapterCommand, manifest: Manifest) -> AdapterCommand | None:
    """Return the same adapter with an empty folder; None for one that has its target built in."""
    if manifest.get.build and not _runner(manifest):
        return None
    if manifest.get.build:
        manifest = replace(manifest, folder=Path(command.cwd))
    return _started(command.name, manifest, cache.empty_folder(), Terms(lambda _: None))


def _runner(manifest: Manifest) -> str | None:
    """Return the language of a program that is started by its interpreter."""
    return {".py": "python", ".mjs": "node", ".js": "node"}.get(Path(manifest.start.program).suffix)


def _started(name: str, manifest: Manifest, folder: Path, terms: Terms) -> AdapterCommand:
    program = folder_of(manifest) / manifest.start.program
    env = with_sdk()
    runner: tuple[str, ...] = ()
    if _runner(manifest) == "python":
        runner, env = (sys.executable, "-S"), with_python_path([folder, sdk()])
    elif _runner(manifest) == "node":
        runner = (str(find_runtime(manifest.get.node, manifest.get.node_package, terms).program),)
    elif not os.access(program, os.X_OK):
        raise Unmet(f"{program} is neither .py nor .mjs, nor can it be executed", f"chmod +x {program}")
    return AdapterCommand(name=name, argv=(*runner, str(program), str(folder)), env=env, cwd=str(program.parent))
