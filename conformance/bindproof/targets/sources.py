"""The ways to get a target: those of the engine, and those that other packages bring.

Enters: the entry points of installed packages. Leaves: the module of each way, by the word that manifests have for it.
Must not know any of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from bindproof.core.errors import UsageError
from bindproof.core.paths import TARGETS, entries

OWN: Final[Mapping[str, str]] = {
    "bindproof": "bindproof.targets.reference_target",
    "crate": "bindproof.targets.rust_target",
    "folder": "bindproof.targets.folder_target",
    "npm": "bindproof.targets.node_target",
    "pypi": "bindproof.targets.python_target",
}
"""The engine's own: what any suite's adapters may need."""


@cache
def sources() -> dict[str, str]:
    """Return the module that gets a target, by `from` of a manifest; it is imported when it is asked for.

    Such a module has `command_for(name, manifest, rest, terms)` and may have `without_target(command, manifest)`, as
    `resolving` says. Raises UsageError where two packages bring ways of one name.
    """
    found = dict(OWN)
    for entry in entries(TARGETS):
        other = found.setdefault(entry.name, entry.value)
        if other != entry.value:
            raise UsageError(f"{other} and {entry.value} are both a way to get a target {entry.name!r}; uninstall one")
    return found
