"""A native plugin as a host finds it: a library, and what its manifest says of it, truly or not.

Enters: the library, and what a step `load` states. Leaves: the manifest. Must not know what a host makes of it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from bindproof_worker.texts import WORDS, filled

Json = Any

PLUGIN = "bindproof.native"
"""The plugin's id, which is its kind too."""

LIBRARY = "plugin.so"
"""The library, beside its manifest."""

SIGNATURE = "signature"
"""The file that has its signature, beside its manifest, and beside the library that was built."""

HONEST: Mapping[str, Json] = {
    "range": "own",
    "digest": "own",
    "signature": "unstated",
    "policy": "integrity_only",
    "enabled": False,
    "abi": "own",
}
"""What is said of a plugin that a host takes."""


@dataclass(frozen=True)
class Library:
    """The plugin's library, and what is said of it."""

    path: Path
    said: Mapping[str, Json] = field(default_factory=lambda: HONEST)
    plugin: str = PLUGIN
    kind: str = "rust_dynamic"

    @property
    def policy(self) -> str:
        """What its host's policy says of signatures."""
        said = self.said["policy"]
        attestation = "" if said == "unstated" else f'attestation = "{said}"\n'
        return f'{attestation}trusted_public_keys = ["{WORDS["trusted_key"]}"]'

    def write(self, folder: Path, line: str) -> str:
        """Put the library there, with its signature; return its manifest."""
        os.link(_kept(self.path), folder / LIBRARY)
        if self.said["signature"] != "unstated":
            (folder / SIGNATURE).write_text(self._signature(), "utf-8")
        admitted = WORDS["ranges"].get(self.said["range"], "").format(line=line)
        return filled(
            "native.toml",
            plugin=self.plugin,
            library=LIBRARY,
            enabled=str(self.said["enabled"]).lower(),
            symbol=WORDS["symbols"][self.said["abi"]],
            relay=f'relay = "{admitted}"\n' if admitted else "",
            integrity=self._integrity(),
        )

    def _integrity(self) -> str:
        said = ""
        if self.said["digest"] != "unstated":
            content = self.path.read_bytes() if self.said["digest"] == "own" else b"another library"
            said += f'sha256 = "sha256:{hashlib.sha256(content).hexdigest()}"\n'
        if self.said["signature"] != "unstated":
            said += f'signature = "{SIGNATURE}"\n'
        return said and f"[integrity]\n{said}"

    def _signature(self) -> str:
        is_own = self.said["signature"] == "own"
        return self.path.with_name(SIGNATURE).read_text("utf-8") if is_own else WORDS["another_signature"]


@cache
def _kept(path: Path) -> Path:
    """Return a copy where folders of plugins are made, which all of a process are links to.

    So it is loaded once. Each library that is another file takes keys of thread-local storage from the process, which
    no host gives back: after some 500 there are none left.
    """
    return Path(shutil.copy(path, tempfile.mkdtemp(prefix="l")))
