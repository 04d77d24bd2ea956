"""Starts the reference as an adapter of any edition and dialect.

Enters: a manifest and the choice. Leaves: an AdapterCommand. Must not know the reference's rules.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import msgspec

from bindproof.adapters import cache
from bindproof.adapters.environment import with_python_path
from bindproof.adapters.hashes import hash_files
from bindproof.adapters.manifest import Manifest, folder_of
from bindproof.adapters.python_target import sdk
from bindproof.adapters.spelling import reference_choice
from bindproof.adapters.unmet import Unmet
from bindproof.model import AdapterCommand
from bindproof.paths import data_root, spec_root


def command_for(name: str, manifest: Manifest, rest: str | None, _progress: cache.Progress) -> AdapterCommand:
    """Return how to start the reference; raises Unmet for a dialect or edition that the spec does not have."""
    dialect, edition = reference_choice(rest)
    folder = spec_root() / manifest.suites[0]
    editions = _editions(folder)
    chosen = _one_of("dialect", dialect or manifest.dialect, sorted(p.stem for p in folder.glob("dialects/*.toml")))
    rules = _one_of("edition", edition or editions[-1], editions)
    package = _package(str(manifest.get.module))
    memory = cache.cache_root() / f"{cache.key_of('reference', '0', str(package))}.json"
    program = str(folder_of(manifest) / manifest.start.program)
    return AdapterCommand(
        name=name,
        argv=(sys.executable, "-S", program, "--dialect", chosen, "--edition", rules, "--seed", "0"),
        env=with_python_path([package.parent, sdk()]),
        cwd=str(folder_of(manifest)),
        files=hash_files(package.parent, [package], memory),
        version=rules,
    )


def _one_of(what: str, chosen: str, there: list[str]) -> str:
    if chosen not in there:
        remedy = f"--adapter reference, or reference@DIALECT:EDITION with one of the {what}s {', '.join(there)}"
        raise Unmet(f"the spec has no {what} {chosen!r}", remedy)
    return chosen


def _editions(folder: Path) -> list[str]:
    suite = msgspec.toml.decode((folder / "suite.toml").read_bytes())
    return [edition["name"] for edition in suite["edition"]]


def _package(module: str) -> Path:
    beside = data_root() / "reference_impl" / module
    if beside.is_dir():
        return beside
    found = importlib.util.find_spec(module)
    if found is None or found.origin is None:
        raise Unmet(f"{module} is not there", "pip install --force-reinstall bindproof")
    return Path(found.origin).parent
