"""Gets what the adapter `native-c` drives: the C library as the host, and a library for it.

Enters: a manifest and what is wanted. Leaves: an AdapterCommand, which tells the adapter where both libraries are. Must
not know the protocol, nor what a plugin answers.
"""

from __future__ import annotations

from typing import Final

from bindproof.core.model import AdapterCommand
from bindproof.suites.relay.targets import c_target, native_target, worker_target
from bindproof.targets import cache
from bindproof.targets.manifest import Manifest, folder_of, manifest_of
from bindproof.targets.terms import Terms
from bindproof.targets.unmet import Unmet

HOST: Final = "c"
"""The adapter whose target hosts plugins."""


def command_for(name: str, manifest: Manifest, rest: str | None, terms: Terms) -> AdapterCommand:
    """Return how to start the adapter with the wanted release; raises Unmet where that cannot be had."""
    found, release = host(name, manifest, rest, terms)
    beside = (*worker_target.sdk_folders(), str(folder_of(manifest_of("native"))))
    return native_target.with_plugin(found, name, manifest, release, beside, terms)


def host(name: str, manifest: Manifest, rest: str | None, terms: Terms) -> tuple[AdapterCommand, str]:
    """Return how the library that hosts plugins is driven, and its release; raises Unmet where that cannot be had."""
    found = c_target.command_for(name, manifest_of(HOST), rest or manifest.get.release, terms)
    if found.version is None:
        remedy = f"--adapter {name} or {name}@RELEASE"
        raise Unmet("the release of the library is not known, and a plugin is made for it", remedy)
    return found, found.version


def without_target(command: AdapterCommand, _manifest: Manifest) -> AdapterCommand:
    """Return the same adapter where there is no C library."""
    empty = str(cache.empty_folder())
    return AdapterCommand(command.name, (*command.argv[:-2], empty, command.argv[-1]), command.env, empty)
