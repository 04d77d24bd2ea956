"""Environments as a user has them: with wheels that were built and installed.

Enters: a folder, and what to install. Leaves: the interpreter of a fresh environment. Needs the Python package index.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.repo.sources import ROOT


def wheel_of(package: Path, folder: Path) -> Path:
    """The wheel of a package, built into a folder."""
    before = set(folder.glob("*.whl"))
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(folder), str(package)]
    subprocess.run(command, check=True)
    (made,) = set(folder.glob("*.whl")) - before
    return made


def environment(folder: Path, *requirements: str | Path) -> Path:
    """The interpreter of a fresh environment below a folder, with bindproof's wheel and these installed."""
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    python = folder / "venv" / "bin" / "python"
    own = wheel_of(ROOT, folder)
    subprocess.run([python, "-m", "pip", "install", "-q", "--no-compile", own, *requirements], check=True)
    return python
