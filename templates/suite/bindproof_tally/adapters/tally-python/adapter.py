"""Drives the counter in Python: acts scenarios out and says what it saw. It judges nothing."""

from __future__ import annotations

import platform
from typing import Any

from bindproof_adapter import AdapterFault, serve

Json = Any


class Counters:
    """The binding's calls."""

    def __init__(self, binding: Any) -> None:
        self._binding = binding

    def describe(self) -> Json:
        """Say which release is driven, and in which dialect."""
        target = {
            "name": "counter-python",
            "version": self._binding.__version__,
            "language": "python",
            "runtime": f"{platform.python_implementation()} {platform.python_version()}",
        }
        return {"target": target, "suites": {"tally": {"dialect": "wire"}}}

    def run(self, suite: str, scenario: Json) -> Json:
        """Act one scenario out on a new counter."""
        counter = self._binding.Counter()
        calls = {"add": counter.add, "take": counter.take}
        totals = [calls[step["step"]](step["number"]) for step in scenario["steps"]]
        return {"log": [{"fact": "done", "step": index, "total": total} for index, total in enumerate(totals)]}


def connect() -> Counters:
    """Import the binding; without it an adapter refuses to start."""
    try:
        import counter
    except ImportError as error:
        raise AdapterFault(f"the counter cannot be imported: {error}") from None
    return Counters(counter)


if __name__ == "__main__":
    serve("tally-python", "1", connect)
