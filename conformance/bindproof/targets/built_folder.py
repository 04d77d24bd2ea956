"""Builds an adapter whose target is a folder: where its manifest has a command for that, in a copy of the adapter.

Enters: a manifest, the target's folder, the terms. Leaves: an entry of the cache. Must not know any compiler.
"""

from __future__ import annotations

import os
import shutil
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Final

from msgspec import Struct

from bindproof.core.paths import adapters_root
from bindproof.targets import building, cache
from bindproof.targets.hashes import content_hash
from bindproof.targets.manifest import Manifest, folder_of
from bindproof.targets.terms import Terms
from bindproof.targets.unmet import Unmet

_MADE: Final = frozenset({"__pycache__", ".git", ".pytest_cache", ".venv", "node_modules", "target"})
"""Folders that are made of others, and no part of a build."""


class Built(Struct, frozen=True):
    """An adapter that was built, with the target in it."""

    entry: cache.Entry
    adapter: str
    """Where its folder is, as seen from the entry's."""
    target: str
    """Where the target's folder is."""

    @property
    def folder(self) -> Path:
        """The adapter's folder."""
        return self.entry.folder / self.adapter


def built(manifest: Manifest, target: Path, terms: Terms) -> Built:
    """Return the adapter as its own command builds it with this folder as its target; raises Unmet where that fails.

    It is built in a copy, in which the SDK of each of its languages stands at `../sdk/LANGUAGE`, seen from the adapter,
    and the target where the manifest says. The same sources are built once.
    """
    place = os.path.normpath(PurePosixPath(manifest.name, str(manifest.get.folder)))
    if place == os.curdir or place.startswith((os.pardir, "/")):
        remedy = f"move it, and mend {folder_of(manifest) / 'adapter.toml'}"
        raise Unmet(f"the folder {manifest.get.folder} is neither in the adapter's own, nor beside it", remedy)
    parts = {manifest.name: folder_of(manifest), place: target, **_sdks(manifest)}
    contents = [f"{where} {content_hash(folder, _MADE)}" for where, folder in parts.items()]
    key = cache.key_of(manifest.name, "built", *contents, *manifest.get.build)
    return Built(cache.ensure(key, partial(_build, manifest, parts, terms), terms), manifest.name, place)


def _sdks(manifest: Manifest) -> dict[str, Path]:
    folders = {f"sdk/{language}": adapters_root() / "sdk" / language for language in manifest.languages}
    return {where: folder for where, folder in folders.items() if folder.is_dir()}


def _build(manifest: Manifest, parts: dict[str, Path], terms: Terms, entry: Path) -> None:
    terms.tell(f"{manifest.name}: building the adapter")
    for where, folder in parts.items():
        shutil.rmtree(entry / where, ignore_errors=True)  # the target that is not the manifest's own takes its place
        shutil.copytree(folder, entry / where, ignore=shutil.ignore_patterns(*_MADE))
    remedy = f"install what it needs, or mend {folder_of(manifest)}"
    building.run(manifest.get.build, entry / manifest.name, remedy)
