"""A plugin host with one plugin in it: the Python package nemo-relay, of any release that starts workers.

Enters: the package, and what is to be started: a worker, or a native library. Leaves: a plugin that is connected, or
the host's own error. Must not know what the plugin registers, nor scenarios.
"""

from __future__ import annotations

import hashlib
import importlib
import inspect
import json
import shlex
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from bindproof_worker.texts import filled

Json = Any

PLUGIN = "bindproof.worker"
"""A worker's id, which is its kind too; there is one plugin at a time."""

PROGRAM = "start"
"""The worker's program, beside its manifest: a script, as a host starts it without arguments."""

UNSIGNED = 'attestation = "integrity_only"'
"""The policy of a host that asks for no signature."""


class Artifact(Protocol):
    """What a host starts: a plugin of this id and kind."""

    @property
    def plugin(self) -> str:
        """Its id."""

    @property
    def kind(self) -> str:
        """What a manifest calls plugins like it."""

    @property
    def policy(self) -> str:
        """What its host's policy says of signatures."""

    def write(self, folder: Path, line: str) -> str:
        """Put into a folder what is started; return its manifest, for a host of a line such as `0.10`."""


@dataclass(frozen=True)
class Launch:
    """The words of the command that is the worker."""

    command: Sequence[str]
    plugin: str = PLUGIN
    kind: str = "worker"
    policy: str = UNSIGNED

    def script(self) -> str:
        """Return the program that becomes it."""
        return f"#!/bin/sh\nexec {shlex.join(self.command)}\n"

    def write(self, folder: Path, line: str) -> str:
        """Write the program."""
        program, script = folder / PROGRAM, self.script()
        program.write_text(script, "utf-8")
        program.chmod(0o700)
        digest = hashlib.sha256(script.encode()).hexdigest()
        return filled("worker.toml", plugin=PLUGIN, line=line, program=PROGRAM, digest=digest)


class Host:
    """A folder for one plugin at a time, which the plugin is told of as `folder` in its configuration."""

    def __init__(self, relay: Any, version: str, artifact: Artifact) -> None:
        self._plugin = getattr(relay, "plugin", None) or importlib.import_module(f"{relay.__name__}.plugin")
        self._artifact, self._line = artifact, ".".join(version.split(".")[:2])
        self._active: Any = None
        self.folder = Path(tempfile.mkdtemp(prefix="w"))
        self._write()

    @property
    def is_active(self) -> bool:
        """Whether a plugin is connected."""
        return self._active is not None

    async def start(self) -> None:
        """Start the plugin, and let it register; raises what the host does where that fails."""
        plain: Json = {"version": 1, "components": []}
        if "additional_plugins_toml" in inspect.signature(self._plugin.initialize).parameters:  # from 0.9 on
            self._active = await self._plugin.initialize(plain, str(self.folder / "plugins.toml"))
            return
        kind = self._plugin.DynamicPluginActivationSpec
        spec = kind(
            plugin_id=self._artifact.plugin,
            kind=self._artifact.kind,
            manifest_ref=str(self.folder / "relay-plugin.toml"),
            config={"folder": str(self.folder)},
        )
        self._active = await self._plugin.initialize_with_dynamic_plugins(plain, [spec])

    async def stop(self) -> None:
        """End the plugin and what it has registered; nothing where there is none."""
        active, self._active = self._active, None
        if active is None:
            return
        ended = active.close()
        if inspect.isawaitable(ended):
            await ended

    def remove(self) -> None:
        """Take the folder away; nothing of it is used again."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _write(self) -> None:
        manifest = self._artifact.write(self.folder, self._line)
        (self.folder / "relay-plugin.toml").write_text(manifest, "utf-8")
        plugins = filled("plugins.toml", folder=json.dumps(str(self.folder)), policy=self._artifact.policy)
        (self.folder / "plugins.toml").write_text(plugins, "utf-8")
