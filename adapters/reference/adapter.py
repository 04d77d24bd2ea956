"""The reference as an adapter: acts scenarios out by resolving the reference's own predictions.

It is spoken to through the protocol like any other adapter, in any edition and dialect (`--edition`, `--dialect`);
the seed
(`--seed`) chooses among the runs that the contract allows.
"""

from __future__ import annotations

import argparse
import platform
import tomllib
from pathlib import Path
from typing import Any

from bindproof_adapter import Inexpressible, Unsupported, serve
from bindproof_reference.relay import predict, resolve

VERSION = "1"
DIALECTS = Path(__file__).resolve().parents[2] / "spec" / "relay" / "dialects"
SUITE = "relay"


class Reference:
    """The reference in one edition and dialect, with the seed that chooses among lawful runs."""

    def __init__(self, edition: str, dialect: str, seed: int) -> None:
        self._edition, self._seed = edition, seed
        self._dialect = tomllib.loads((DIALECTS / f"{dialect}.toml").read_text(encoding="utf-8"))

    def describe(self) -> Any:
        """Return what `initialize` is answered with."""
        return {
            "target": {
                "name": "bindproof-reference",
                "version": self._edition,
                "language": "python",
                "runtime": f"python {platform.python_version()}",
            },
            "suites": {SUITE: {"dialect": self._dialect["name"], "capabilities": []}},
        }

    def run(self, suite: str, scenario: Any) -> Any:
        """Return one lawful observation of a scenario."""
        if suite != SUITE:
            raise Unsupported(f"suite {suite}", "the reference knows the suite relay")
        prediction = predict(scenario, self._edition, self._dialect)
        if "inexpressible" in prediction:
            raise Inexpressible(**prediction["inexpressible"])
        return {"log": resolve(prediction, self._seed, self._dialect), "left": [], "stray": []}


def main() -> None:
    """Read the arguments and serve until told to shut down."""
    parser = argparse.ArgumentParser(description="bindproof's reference as an adapter")
    parser.add_argument("--dialect", default="wire", help="a file in spec/relay/dialects, without its ending")
    parser.add_argument("--edition", default="0.10", help="the edition whose rules it follows")
    parser.add_argument("--seed", type=int, default=0, help="chooses among the lawful runs")
    chosen = parser.parse_args()
    serve("bindproof-reference", VERSION, lambda: Reference(chosen.edition, chosen.dialect, chosen.seed))


if __name__ == "__main__":
    main()
