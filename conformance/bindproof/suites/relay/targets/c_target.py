"""Gets what the adapter `c` drives: the C library, and cffi with the library's declarations.

Enters: a manifest and what is wanted. Leaves: an AdapterCommand. Must not know the protocol, nor the library's calls.
"""

from __future__ import annotations

import re
import shutil
import sys
import sysconfig
from functools import partial
from pathlib import Path
from typing import Final

from bindproof.core.model import AdapterCommand
from bindproof.core.paths import adapters_root
from bindproof.suites.relay.targets.c_library import Library, library_for
from bindproof.targets import building, cache, pip
from bindproof.targets.environment import with_python_path
from bindproof.targets.hashes import content_hash
from bindproof.targets.manifest import Manifest, folder_of
from bindproof.targets.python_target import sdk
from bindproof.targets.terms import Terms
from bindproof.targets.unmet import Unmet

CFFI: Final = "cffi==2.1.1"
"""What loads the library into Python."""

DECLARED: Final = "nemo_relay_abi"
"""The module with the library's declarations."""

_INCLUDE: Final = re.compile(r"^#include\b.*$", re.MULTILINE)


def command_for(name: str, manifest: Manifest, rest: str | None, terms: Terms) -> AdapterCommand:
    """Return how to start the adapter with the wanted release; raises Unmet where that cannot be had."""
    built = library_for(manifest, rest, terms)
    declare = c_sdk() / "declare.py"
    pins = pip.pinning(CFFI, c_sdk() / pip.PINS)
    made_of = [CFFI, built.folder.name, content_hash(declare), _python(), pip.digest_of(pins)]
    key = cache.key_of(manifest.name, built.version, *made_of)
    entry = cache.ensure(key, partial(_install, declare, pins, built, terms), terms)
    return AdapterCommand(
        name=name,
        argv=(sys.executable, "-S", str(folder_of(manifest) / manifest.start.program), str(built.folder)),
        env=with_python_path([entry.folder / "target", sdk(), c_sdk()]),
        cwd=str(entry.folder),
        files=built.files,
        version=built.version,
        notes=(f"through {CFFI}", *built.notes),
    )


def without_target(command: AdapterCommand, _manifest: Manifest) -> AdapterCommand:
    """Return the same adapter where there is no library."""
    empty = str(cache.empty_folder())
    return AdapterCommand(name=command.name, argv=(*command.argv[:-1], empty), env=command.env, cwd=empty)


def c_sdk() -> Path:
    """Return the folder of what an adapter in Python needs to drive a C library."""
    return adapters_root() / "sdk" / "c"


def _install(declare: Path, pins: Path | None, built: Library, terms: Terms, folder: Path) -> None:
    terms.tell(f"c: installing {CFFI}")
    remedy = f"{sys.executable} -m pip install {CFFI} shows what is wrong"
    pip.install(folder, CFFI, pins, remedy, terms)
    declarations = _preprocessed(built.header, folder)
    declaring = [sys.executable, "-S", str(declare), DECLARED, str(declarations), str(folder / "target")]
    building.run(declaring, folder, "")


def _preprocessed(header: Path, folder: Path) -> Path:
    """Return the header's declarations alone: what the C compiler reads, less the system's."""
    compiler = next((name for name in ("cc", "gcc", "clang") if shutil.which(name)), None)
    if compiler is None:
        raise Unmet("there is no C compiler on PATH", "install gcc or clang; rustc needs one too, to link")
    own, declarations = folder / "own.h", folder / "declarations.h"
    own.write_text(_INCLUDE.sub("", header.read_text("utf-8")), "utf-8")
    building.run([compiler, "-E", "-P", "-std=c11", "-o", str(declarations), str(own)], folder, "")
    return declarations


def _python() -> str:
    return f"{sys.implementation.cache_tag} {sysconfig.get_platform()}"
