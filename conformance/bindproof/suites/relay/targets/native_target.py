"""Gets what the adapter of native plugins drives: the Python package nemo-relay as the host, and a library for it.

Enters: a manifest and what is wanted. Leaves: an AdapterCommand, which tells the adapter where the library is. Must not
know the protocol, nor what a plugin answers.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from bindproof.core.model import AdapterCommand
from bindproof.core.paths import adapters_root
from bindproof.suites.relay.targets import signing, worker_target
from bindproof.targets import cache, cargo, crate_lock, python_target
from bindproof.targets.hashes import content_hash
from bindproof.targets.manifest import Manifest, folder_of, manifest_of
from bindproof.targets.terms import Terms
from bindproof.targets.unmet import Unmet

LIBRARY: Final = "libbindproof_native.dylib" if sys.platform == "darwin" else "libbindproof_native.so"
"""What cargo calls the library."""

SIGNATURE: Final = "signature"
"""The file beside the library that has its signature."""

HOST: Final = "python"
"""The adapter whose target hosts the plugin."""

without_target = worker_target.without_target
releases = worker_target.releases

_PRE: Final = re.compile(r"(?<=\d)(a|b|rc)(\d+)$")
_WORDS: Final = {"a": "alpha", "b": "beta", "rc": "rc"}


def command_for(name: str, manifest: Manifest, rest: str | None, terms: Terms) -> AdapterCommand:
    """Return how to start the adapter with the wanted release; raises Unmet where that cannot be had."""
    host = python_target.command_for(HOST, manifest_of(HOST), rest or manifest.get.release, terms)
    if host.version is None:
        remedy = f"--adapter {name}, {name}@RELEASE or {name}@./NAME.whl"
        raise Unmet(
            "the release of the installed package is not known before it runs, and a plugin is made for it", remedy
        )
    return with_plugin(host, name, manifest, as_crate(host.version), worker_target.sdk_folders(), terms)


def with_plugin(
    host: AdapterCommand, name: str, manifest: Manifest, release: str, beside: Sequence[str], terms: Terms
) -> AdapterCommand:
    """Return how to start an adapter that drives a host with a plugin on this release of the crate.

    host: how another adapter that drives it is started: its program is replaced, and the library is the last word.
    beside: more folders for Python. Raises Unmet where the plugin cannot be built.
    """
    program = str(folder_of(manifest) / manifest.start.program)
    return hosting(
        replace(
            host,
            name=name,
            argv=(sys.executable, "-S", program, *host.argv[3:]),
            env={**host.env, "PYTHONPATH": os.pathsep.join((host.env["PYTHONPATH"], *beside))},
        ),
        manifest,
        release,
        terms,
    )


def hosting(host: AdapterCommand, manifest: Manifest, release: str, terms: Terms) -> AdapterCommand:
    """Return how to start an adapter of a host, with a plugin's library as its last word. Raises Unmet as above."""
    crate = adapters_root() / "native" / "plugin"
    lock, is_ours = _lock(manifest, crate, release)
    made_of = [content_hash(part) for part in (crate / "Cargo.toml", lock, crate / "src", Path(signing.__file__))]
    key = cache.key_of("native-plugin", release, *made_of, cargo.toolchain())
    entry = cache.ensure(key, partial(_build, manifest, crate, release, terms), terms)
    used = (entry.folder / crate_lock.LOCK).read_text("utf-8")
    return replace(
        host,
        argv=(*host.argv, str(entry.folder / LIBRARY)),
        files={**host.files, **entry.files(LIBRARY)},
        notes=(
            *host.notes,
            *(() if is_ours else crate_lock.unpinned(used, str(manifest.get.crate))),
            f"with a plugin on {manifest.get.crate} {release}",
        ),
    )


def as_crate(version: str) -> str:
    """Return a release of the Python package as crates name it: `0.11.0rc3` is `0.11.0-rc.3` there."""
    return _PRE.sub(lambda found: f"-{_WORDS[found[1]]}.{found[2]}", version)


def _lock(manifest: Manifest, crate: Path, release: str) -> tuple[Path, bool]:
    """Return the lock that a build starts from, the adapter's own or the crate's, and whether it has this release."""
    for folder in (folder_of(manifest), crate):
        lock = folder / crate_lock.LOCK
        if lock.is_file() and crate_lock.release_in(lock.read_text("utf-8"), str(manifest.get.crate)) == release:
            return lock, True
    return crate / crate_lock.LOCK, False  # cargo takes what goes with the release


def _build(manifest: Manifest, crate: Path, release: str, terms: Terms, entry: Path) -> None:
    terms.tell(f"{manifest.name}: building a plugin on {manifest.get.crate} {release}, about a minute, once")
    copy = entry / "plugin"
    shutil.copytree(crate / "src", copy / "src")
    given = (crate / "Cargo.toml").read_text("utf-8")
    asked = re.sub(rf'^({manifest.get.crate} = )"=[^"]*"$', rf'\g<1>"={release}"', given, flags=re.MULTILINE)
    (copy / "Cargo.toml").write_text(asked, "utf-8")
    lock, is_ours = _lock(manifest, crate, release)
    shutil.copyfile(lock, copy / crate_lock.LOCK)
    with cargo.shared() as common:
        cargo.build(copy, entry, locked=is_ours, target=common, progress=terms.tell)
        cargo.take(entry, LIBRARY, common)
    (entry / SIGNATURE).write_text(signing.signed((entry / LIBRARY).read_bytes()), "utf-8")
    (copy / crate_lock.LOCK).rename(entry / crate_lock.LOCK)
    shutil.rmtree(copy)
    terms.tell(f"{manifest.name}: the plugin is ready")
