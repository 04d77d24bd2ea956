"""From what the user wrote to what can be started.

Enters: an adapter's name with its choice, or a command. Leaves: AdapterCommand or Unavailable. Must not know how each
kind of target is got.
"""

from __future__ import annotations

import re
import shlex
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from msgspec.structs import replace

from bindproof.core.errors import UsageError
from bindproof.core.model import AdapterCommand, Unavailable
from bindproof.targets import programs
from bindproof.targets.environment import with_sdk
from bindproof.targets.manifest import AdapterNotKnown, Manifest, folder_of, manifest_of
from bindproof.targets.names import split
from bindproof.targets.sources import module_of
from bindproof.targets.terms import Progress, Terms
from bindproof.targets.unmet import Unmet

_NAME = re.compile(r"[A-Za-z][\w.-]*")


class Target(Protocol):
    """What a module that gets targets offers. It has `without_target` only where there is something to take away, and
    `releases(manifest, terms)`, which names what was published, only where something lists that.
    """

    def command_for(self, name: str, manifest: Manifest, rest: str | None, terms: Terms) -> AdapterCommand:
        """Return how to start the adapter with the wanted target; raises Unmet."""

    def without_target(self, command: AdapterCommand, manifest: Manifest) -> AdapterCommand | None:
        """Return the same adapter where its package is missing."""


def resolve(
    spec: str, *, required: bool, progress: Progress, sources: bool = False, anew: bool = False
) -> AdapterCommand | Unavailable:
    """Return how to start the adapter that `spec` names, getting its target on first use.

    spec: `reference[@DIALECT][:EDITION]`, `NAME`, `NAME@RELEASE`, `NAME@./path`, `python@env`. required: named by the
    user. progress, sources, anew: the terms (see Terms). What cannot be had comes back as Unavailable; only a name that
    no adapter has is an error, AdapterNotKnown.
    """
    name, rest = split(spec)
    manifest = manifest_of(name)
    terms = Terms(progress, sources=sources, anew=anew)
    try:
        command = target_of(manifest).command_for(spec, manifest, rest, terms)
    except Unmet as unmet:
        return Unavailable(spec, unmet.reason, unmet.remedy, required)
    except OSError as error:
        remedy = "free the disk or make the cache writable, or set BINDPROOF_CACHE to another folder"
        return Unavailable(spec, f"the cache of builds cannot be used: {error}", remedy, required)
    start, program = manifest.start, programs.of_manifest(manifest)
    own = replace(command, program=program, required=required, claims=manifest.claims)
    return replace(own, scenarios=start.scenarios, processes=start.processes)


def command_adapter(spec: str) -> AdapterCommand:
    """Return how to start the user's own program, given as `NAME=COMMAND`; raises UsageError for another form."""
    name, equals, text = spec.partition("=")
    try:
        argv = tuple(shlex.split(text))
    except ValueError as error:
        raise UsageError(f"--adapter-command {spec!r}: {error}") from None
    if not (equals and argv and _NAME.fullmatch(name)):
        raise UsageError(f"--adapter-command {spec!r}: give NAME=COMMAND, such as mine='python3 adapter.py'")
    cwd = str(Path.cwd())
    program = programs.of_command(argv, cwd)
    return AdapterCommand(name=name, argv=argv, env=with_sdk(), cwd=cwd, program=program, required=True)


def without_target(command: AdapterCommand) -> AdapterCommand | None:
    """Return the same adapter where its target's package is missing; None for one that has no package of its own."""
    try:
        manifest = manifest_of(split(command.name)[0])
    except AdapterNotKnown:
        return None
    target = target_of(manifest)
    return target.without_target(command, manifest) if hasattr(target, "without_target") else None


def target_of(manifest: Manifest) -> Target:
    """Return the module that gets a manifest's target; raises Unmet where nobody brings it."""
    module = module_of(manifest.get.source, folder_of(manifest) / "adapter.toml")
    return cast(Target, import_module(module))
