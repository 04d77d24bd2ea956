"""A new suite beside bindproof, as if it were installed, for tests that run commands on it."""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path

from bindproof.scaffold import Kind, write_suite
from tests.warm import Warm, here


def new_site(folder: Path, kind: Kind = "callbacks") -> Path:
    """A folder that Python imports from, with a new suite `meters` and the metadata that an installer writes."""
    site = folder / "bindproof-meters"
    write_suite(site, "meters", kind)
    installed(site, "meters")
    return site


def installed(site: Path, name: str) -> None:
    """Write the metadata that an installer would, of a suite whose package lies in this folder."""
    metadata = site / f"bindproof_{name}-0.1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: bindproof-{name}\nVersion: 0.1.0\n")
    (metadata / "entry_points.txt").write_text(f"[bindproof.suites]\n{name} = bindproof_{name}.suite:suite\n")


def bindproof(site: Path, *words: str, folder: Path | None = None) -> tuple[int, str]:
    """Run a command; return its exit code and all that it printed."""
    path = os.pathsep.join([str(site), *filter(None, sys.path)])  # what the reference's own process imports from
    ran = _warm().run(*words, folder=folder, paths=[site], environment={"PYTHONPATH": path})
    return ran.code, ran.out + ran.err


@cache
def _warm() -> Warm:
    return here()
