"""The ways to get a target: those of the engine, and those that other packages bring.

Enters: the word that a manifest has for a way, the entry points of installed packages. Leaves: a module's name. Must
not know any of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from bindproof.core.errors import UsageError
from bindproof.core.paths import TARGETS, entries
from bindproof.targets.unmet import Unmet

OWN: Final[Mapping[str, str]] = {
    "bindproof": "bindproof.targets.reference_target",
    "crate": "bindproof.targets.rust_target",
    "folder": "bindproof.targets.folder_target",
    "npm": "bindproof.targets.node_target",
    "pypi": "bindproof.targets.python_target",
}
"""The engine's own: what any suite's adapters may need."""


def module_of(source: str, manifest: Path) -> str:
    """Return the name of the module that gets targets `from` this source; it is imported when it is asked for.

    Such a module has `command_for(name, manifest, rest, terms)` and may have `without_target(command, manifest)` and
    `releases(manifest, terms)`, as `resolving` says. manifest: the file that has the word. Raises Unmet where nobody
    brings such a way, UsageError as `sources` does.
    """
    found = OWN.get(source) or sources().get(source)
    if found is None:
        remedy = f"install the package that brings it, or mend {manifest}; there is {', '.join(sorted(sources()))}"
        raise Unmet(f"no installed package brings a way to get a target from {source!r}", remedy)
    return found


@cache
def sources() -> dict[str, str]:
    """Return the module of each way, by the word for it. Raises UsageError where two packages bring one of a name."""
    found = dict(OWN)
    for entry in entries(TARGETS):
        other = found.setdefault(entry.name, entry.value)
        if other != entry.value:
            raise UsageError(f"{other} and {entry.value} are both a way to get a target {entry.name!r}; uninstall one")
    return found
