"""The references of the suites as an adapter: acts scenarios out by resolving a reference's own predictions.

It is spoken to through the protocol like any other adapter, in any edition and dialect. A suite's reference is a module
with `predict(scenario, edition, dialect)` and `resolve(prediction, seed, dialect, scenario)`.

Where the harness's JSON library is there, messages are read and written with it: a reference is so quick that the
standard library's JSON would be a quarter of its time.
"""

from __future__ import annotations

import argparse
import platform
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

from bindproof_adapter import Inexpressible, Text, Unsupported, serve

VERSION = "1"


class Reference:
    """The reference of one suite in one edition and dialect."""

    def __init__(self, module: str, edition: str, dialect: str) -> None:
        self._module = import_module(module)
        self._edition = edition
        self._dialect = tomllib.loads(Path(dialect).read_text(encoding="utf-8"))

    def describe(self) -> Any:
        """Return what is said of the suite: a reference has no release, so it names its edition itself."""
        return {"dialect": self._dialect["name"], "edition": self._edition, "capabilities": []}

    def run(self, scenario: Any, seed: int) -> Any:
        """Return one lawful observation of a scenario; the seed chooses among those."""
        prediction = self._module.predict(scenario, self._edition, self._dialect)
        if "inexpressible" in prediction:
            raise Inexpressible(**prediction["inexpressible"])
        return {"log": self._module.resolve(prediction, seed, self._dialect, scenario), "left": [], "stray": []}


class References:
    """All of them, by suite."""

    def __init__(self, version: str, seed: int, references: dict[str, Reference]) -> None:
        self._version, self._seed, self._references = version, seed, references

    def describe(self) -> Any:
        """Return what `initialize` is answered with."""
        return {
            "target": {
                "name": "bindproof-reference",
                "version": self._version,
                "language": "python",
                "runtime": f"python {platform.python_version()}",
            },
            "suites": {name: reference.describe() for name, reference in self._references.items()},
        }

    def run(self, suite: str, scenario: Any) -> Any:
        """Return one lawful observation of a scenario."""
        if suite not in self._references:
            raise Unsupported(f"suite {suite}", f"references here: {', '.join(self._references)}")
        return self._references[suite].run(scenario, self._seed)


def main() -> None:
    """Read the arguments and serve until told to shut down."""
    parser = argparse.ArgumentParser(description="the references of the suites as an adapter")
    parser.add_argument(
        "--suite",
        action="append",
        default=[],
        nargs=4,
        metavar=("NAME", "MODULE", "EDITION", "DIALECT"),
        help="a suite, the module of its reference, the edition whose rules it follows, a dialect's file",
    )
    parser.add_argument("--version", default="0", help="what the target's version is said to be")
    parser.add_argument("--seed", type=int, default=0, help="chooses among the lawful runs")
    chosen = parser.parse_args()
    serve(
        "bindproof-reference",
        VERSION,
        lambda: References(chosen.version, chosen.seed, {name: Reference(*rest) for name, *rest in chosen.suite}),
        _text(),
    )


def _text() -> Text:
    try:
        import msgspec
    except ImportError:
        return Text()
    return Text(msgspec.json.Decoder().decode, msgspec.json.Encoder().encode)


if __name__ == "__main__":
    main()
