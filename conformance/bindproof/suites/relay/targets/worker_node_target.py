"""Gets what the adapter `worker-node` drives: the Node package as the host, and what its worker is made with.

Enters: a manifest and what is wanted. Leaves: an AdapterCommand, which tells the adapter where the package, the worker
and the worker's packages are. Must not know the protocol, nor what a worker answers.
"""

from __future__ import annotations

import sys
from typing import Final

from msgspec.structs import replace

from bindproof.core.model import AdapterCommand
from bindproof.suites.relay.targets import worker_target
from bindproof.targets import cache, node_target
from bindproof.targets.manifest import Manifest, folder_of, manifest_of
from bindproof.targets.terms import Terms
from bindproof.targets.unmet import Unmet

HOST: Final = "node"
"""The adapter whose target hosts plugins."""


def command_for(name: str, manifest: Manifest, rest: str | None, terms: Terms) -> AdapterCommand:
    """Return how to start the adapter with the wanted release; raises Unmet where that cannot be had."""
    found, release = host(name, manifest, rest, terms)
    packages = worker_target.grpc_for(release)
    entry = worker_target.installed(name, found, packages, terms)
    worker = folder_of(manifest_of(worker_target.RAW)) / "worker.py"
    return replace(
        found,
        argv=(*found.argv, str(entry.folder / "target"), str(worker), sys.executable),
        notes=(*found.notes, *worker_target.notes(entry, packages)),
    )


def host(name: str, manifest: Manifest, rest: str | None, terms: Terms) -> tuple[AdapterCommand, str]:
    """Return how the adapter is started with the package that hosts plugins, and its release; raises Unmet as above."""
    found = node_target.command_for(name, manifest_of(HOST), rest or manifest.get.release, terms)
    if found.version is None:
        remedy = f"--adapter {name} or {name}@RELEASE"
        raise Unmet("the release of the package is not known, and a plugin goes with it", remedy)
    runtime, _, package = found.argv
    program = str(folder_of(manifest) / manifest.start.program)
    return replace(found, argv=(runtime, program, package)), found.version


def without_target(command: AdapterCommand, _manifest: Manifest) -> AdapterCommand:
    """Return the same adapter in an environment that lacks the package."""
    empty = str(cache.empty_folder())
    runtime, program, _, *worker = command.argv
    return AdapterCommand(name=command.name, argv=(runtime, program, empty, *worker), env=command.env, cwd=empty)


def releases(_manifest: Manifest, terms: Terms) -> list[str]:
    """Return the releases that may be asked for; raises Unmet where nobody can tell."""
    return node_target.releases(manifest_of(HOST), terms)
