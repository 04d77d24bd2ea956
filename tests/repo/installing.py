"""Environments as a user has them: with wheels that were built and installed.

Enters: a folder, and what to install. Leaves: the interpreter of a fresh environment.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

from tests.repo.sources import ROOT


def wheel_of(package: Path, folder: Path) -> Path:
    """The wheel of a package, built into a folder."""
    before = set(folder.glob("*.whl"))
    words = ["wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(folder), str(package)]
    command = [sys.executable, "-m", "pip", *words]
    subprocess.run(command, check=True)
    (made,) = set(folder.glob("*.whl")) - before
    return made


def environment(folder: Path, *requirements: str | Path) -> Path:
    """The interpreter of a fresh environment below a folder, with bindproof's wheel and these installed.

    What they depend on comes from the Python package index.
    """
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    python = folder / "venv" / "bin" / "python"
    own = wheel_of(ROOT, folder)
    subprocess.run([python, "-m", "pip", "install", "-q", "--no-compile", own, *requirements], check=True)
    return python


def environment_beside(folder: Path, *wheels: Path) -> Path:
    """The interpreter of an environment below a folder, with these wheels installed beside what this one has.

    What is installed there comes before what is here, so bindproof is the wheel's. `pip` is there too, and installs
    without the index where what is asked for is here already.
    """
    python = bare_environment_beside(folder)
    words = ["install", "-q", "--no-deps", "--no-compile", "--force-reinstall", *map(str, wheels)]
    subprocess.run([python.with_name("pip"), *words], env={**os.environ, "PIP_NO_INDEX": "1"}, check=True)
    return python


def bare_environment_beside(folder: Path) -> Path:
    """The interpreter of such an environment with nothing of its own yet."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    python = folder / "venv" / "bin" / "python"
    ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
    own = Path(subprocess.run([python, "-c", ask], capture_output=True, text=True, check=True).stdout.strip())
    ours = dict.fromkeys([sysconfig.get_path("purelib"), sysconfig.get_path("platlib")])
    (own / "beside.pth").write_text("".join(f"{path}\n" for path in ours), encoding="utf-8")
    pip = python.with_name("pip")
    pip.write_text(f'#!/bin/sh\nexec "{python}" -m pip "$@"\n', encoding="utf-8")
    pip.chmod(0o755)
    return python
