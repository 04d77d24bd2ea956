"""Searches with the Python package jmespath. It judges nothing."""

from __future__ import annotations

import platform
from typing import Any

from bindproof_adapter import AdapterFault, serve

Json = Any


class Jmespath:
    """The package's one call."""

    def __init__(self, package: Any) -> None:
        self._package = package

    def describe(self) -> Json:
        """Say which release is driven, and in which dialect."""
        runtime = f"{platform.python_implementation()} {platform.python_version()}"
        version = self._package.__version__
        target = {"name": "jmespath", "version": version, "language": "python", "runtime": runtime}
        return {"target": target, "suites": {"jmespath": {"dialect": "python"}}}

    def run(self, suite: str, scenario: Json) -> Json:
        """Make one search."""
        try:
            value = self._package.search(scenario["expression"], scenario["given"])
        except Exception as error:
            told = {"type": type(error).__name__, "message": str(error)}
            return {"log": [{"fact": "result", "error": told}]}
        return {"log": [{"fact": "result", "value": value}]}


def connect() -> Jmespath:
    """Import the package; without it an adapter refuses to start."""
    try:
        import jmespath
    except ImportError as error:
        raise AdapterFault(f"jmespath cannot be imported: {error}") from None
    return Jmespath(jmespath)


if __name__ == "__main__":
    serve("jmespath-python", "1", connect)
