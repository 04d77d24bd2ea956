"""Drives the function in Python: calls it and says what came out. It judges nothing."""

from __future__ import annotations

import platform
from typing import Any

from bindproof_adapter import AdapterFault, serve

Json = Any


class Sums:
    """The binding's one call."""

    def __init__(self, binding: Any) -> None:
        self._binding = binding

    def describe(self) -> Json:
        """Say which release is driven, and in which dialect."""
        runtime = f"{platform.python_implementation()} {platform.python_version()}"
        version = self._binding.__version__
        target = {"name": "sums-python", "version": version, "language": "python", "runtime": runtime}
        return {"target": target, "suites": {"tally": {"dialect": "python"}}}

    def run(self, suite: str, scenario: Json) -> Json:
        """Make one call."""
        try:
            return {"log": [{"fact": "result", "value": self._binding.add_up(scenario["text"])}]}
        except Exception as error:
            told = {"type": type(error).__name__, "message": str(error)}
            return {"log": [{"fact": "result", "error": told}]}


def connect() -> Sums:
    """Import the binding; without it an adapter refuses to start."""
    try:
        import sums
    except ImportError as error:
        raise AdapterFault(f"the function cannot be imported: {error}") from None
    return Sums(sums)


if __name__ == "__main__":
    serve("tally-python", "1", connect)
