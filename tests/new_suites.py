"""A new suite beside bindproof, as if it were installed, for tests that run commands on it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from bindproof.scaffold import Kind, write_suite


def new_site(folder: Path, kind: Kind = "callbacks") -> Path:
    """A folder that Python imports from, with a new suite `cells` and the metadata that an installer writes."""
    site = folder / "bindproof-cells"
    write_suite(site, "cells", kind)
    metadata = site / "bindproof_cells-0.1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: bindproof-cells\nVersion: 0.1.0\n")
    (metadata / "entry_points.txt").write_text("[bindproof.suites]\ncells = bindproof_cells.suite:suite\n")
    return site


def bindproof(site: Path, *words: str) -> tuple[int, str]:
    """Run a command; return its exit code and all that it printed."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(site), *filter(None, sys.path)])}
    command = [sys.executable, "-m", "bindproof", *words]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    return ran.returncode, ran.stdout + ran.stderr
