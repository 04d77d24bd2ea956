"""Builds the adapter `go-upstream`: our Go program on upstream's own Go package, which no registry serves.

Enters: a manifest, what is wanted, and BINDPROOF_RELAY_GO. Leaves: an AdapterCommand. Must not know the protocol.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from bindproof.core.model import AdapterCommand
from bindproof.suites.relay.targets import go_target
from bindproof.targets.manifest import Manifest
from bindproof.targets.terms import Terms
from bindproof.targets.unmet import Unmet

CHECKOUT: Final = "BINDPROOF_RELAY_GO"
"""The variable that names a checkout of upstream's repository, or the package's own folder in one."""

_PACKAGE: Final = "nemo_relay"
_LINKED: Final = "nemo_relay_ffi"
_REMEDY: Final = (
    "clone NVIDIA/NeMo-Relay, check out its state of August 2026, which fits release 0.8 of the C library, and set "
    f"{CHECKOUT} to that folder; {{name}}@RELEASE chooses another library"
)


def command_for(name: str, manifest: Manifest, rest: str | None, terms: Terms) -> AdapterCommand:
    """Return how to start the adapter with the package of the checkout; raises Unmet where that cannot be had."""
    folder = _package(manifest.name)
    files = {path: source for path, source in go_target.sources_of(folder, folder).items() if "/" not in path}
    sources = {f"{_PACKAGE}/{path}": source for path, source in files.items()}
    return go_target.command_of(name, manifest, rest, sources, _LINKED, terms)


def _package(name: str) -> Path:
    """Return the folder of the Go package."""
    named = os.environ.get(CHECKOUT)
    remedy = _REMEDY.format(name=name)
    if not named:
        raise Unmet(f"upstream's Go package is served by no registry, and {CHECKOUT} names no checkout of it", remedy)
    checkout = Path(named).expanduser().absolute()
    for folder in (checkout / "go" / _PACKAGE, checkout):
        if (folder / "go.mod").is_file() and (folder / f"{_PACKAGE}.go").is_file():
            return folder
    raise Unmet(f"{CHECKOUT} is {named}, where there is no go/{_PACKAGE}", remedy)
