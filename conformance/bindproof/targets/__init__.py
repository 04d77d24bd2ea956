"""Finds, builds and starts adapters: a name as the user wrote it in, a command that can be started out.

Enters: `python@0.9.4` and the like. Leaves: `AdapterCommand`, or `Unavailable` with the reason and what would help.
Must not know scenarios, the protocol or verdicts.
What is about one library alone is got by its suite (`sources`).
"""

from bindproof.targets.manifest import AdapterNotKnown, Manifest, default_names, known, manifest_of, names_one
from bindproof.targets.resolving import command_adapter, resolve, without_target

__all__ = [
    "AdapterNotKnown",
    "Manifest",
    "command_adapter",
    "default_names",
    "known",
    "manifest_of",
    "names_one",
    "resolve",
    "without_target",
]
