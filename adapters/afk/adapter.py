"""Drives the runner of AFK, from a checkout: acts runs out with a scripted model. It judges nothing.

Usage: python adapter.py CHECKOUT; the package is imported from CHECKOUT/src and from nowhere else.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any

from bindproof_adapter import AdapterFault, described, serve

Json = Any


class Afk:
    """The checkout's runner; each run has a loop, a runner and a memory of its own."""

    def __init__(self, checkout: Path) -> None:
        try:
            said = tomllib.loads((checkout / "pyproject.toml").read_text("utf-8"))
        except OSError as error:
            raise AdapterFault(f"{checkout} is no checkout of AFK: {error}") from error
        self._version = str(said["project"]["version"])
        sys.path.insert(0, str(checkout / "src"))
        try:
            import afk
        except ImportError as error:
            raise AdapterFault(f"the checkout {checkout} cannot be imported: {error}") from error
        if not Path(str(afk.__file__)).is_relative_to(checkout):
            raise AdapterFault(f"afk is imported from {afk.__file__}, not from {checkout}")
        from asking import asked
        from budgeting import budgeted
        from deciding import decided
        from defaulting import unset
        from holding import held
        from moving import moved
        from requesting import requested
        from resolving import resolved
        from running import acted
        from stopping import stopped
        from taking_up import taken_up

        self._forms = {"run": acted, "output": asked, "stream": held, "resume": taken_up}
        self._forms |= {"request": requested, "policy": decided, "names": resolved}
        self._forms |= {"budget": budgeted, "stop": stopped, "states": moved, "defaults": unset}

    def describe(self) -> Json:
        """Say which release is driven."""
        return described("interaction", "afk", self._version, "python", dialect="afk")

    def run(self, _suite: str, scenario: Json) -> Json:
        """Act one scenario out."""
        return {"log": self._forms[scenario["of"]](scenario)}


serve("afk", "1", lambda: Afk(Path(sys.argv[1]).resolve()))
