"""Scenarios whose ids, names and texts are made of the judge's own words, for the reference and for real bindings.

`python -m tests.seen.own_words --adapter node --scenarios 1000 --seed 3` runs one and shows what is not known.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from bindproof.core.request import Campaign
from bindproof.results import FindingLine, Fold, Line
from bindproof.runner import RunRequest, execute
from bindproof.suites import Choices
from bindproof.suites.choices import SeededChoices
from bindproof.suites.relay import Relay
from bindproof.suites.relay.scenario.complete import ScenarioError

Json = Any

WORDS = (
    "sanitize",
    "inject",
    "provider",
    "source",
    "decode",
    "cancelled",
    "cancel",
    "publication",
    "program",
    "+twin",
    "generated/",
    "$maybe",
    "$one_of",
    "$any",
    "mark",
    "llm",
    "tool",
    "guardrail",
    "llm.chunk",
    "c/start",
    "#2",
    "outside#1",
    "guardrail rejected: ",
    "already exists",
    "content changed",
    "internal error: ",
    "not found",
    "settled",
    "global",
    "s.cancelled.a",
)
"""Lanes, parts, labels, matchers, categories, origins, and what bindings say of errors."""


class Renaming:
    """The same scenario with other ids, names and texts, each made of a word or two of the judge's."""

    def __init__(self, choices: Choices) -> None:
        self.choices = choices
        self.ids: dict[str, str] = {}
        self.names: dict[str, str] = {}
        self.texts: dict[str, str] = {}

    def of(self, value: Json) -> Json:
        """Return a value renamed."""
        if isinstance(value, list):
            return [self.of(item) for item in value]
        if not isinstance(value, dict):
            return value
        return {key: self._member(key, item, value) for key, item in value.items()}

    def _member(self, key: str, item: Json, inside: Json) -> Json:
        if isinstance(item, str) and "step" in inside:
            if key in ("as", "of", "parent") or (key == "scope" and item != "global"):
                return self._other(self.ids, item).replace(".", "_")  # no id has a point
            if key == "name":
                return self._other(self.names, item)
        if key == "text" and isinstance(item, str) and inside.get("op") in ("raise", "mutate"):
            return self._other(self.texts, item)
        return self.of(item)

    def _other(self, known: dict[str, str], own: str) -> str:
        return known.setdefault(own, f"{self.choices.pick(WORDS)}-{own}-{self.choices.pick(WORDS)}")


@contextmanager
def renamed() -> Iterator[None]:
    """Rename every scenario that the suite generates within, but for those whose new names the language refuses."""
    plain = Relay.generate

    def generate(self: Relay, choices: Choices, dialect: str | None) -> Json:
        full = plain(self, choices, dialect)
        brief = self.brief(full)
        try:
            return self.complete(Renaming(SeededChoices(len(str(brief)))).of(brief))
        except ScenarioError:
            return full

    with patch.object(Relay, "generate", generate):
        yield


def campaign(adapter: str, seed: int, scenarios: int) -> list[Line]:
    """Run a campaign of renamed scenarios with one adapter and return the lines of its log."""
    lines: list[Line] = []
    asked = Campaign(seed=seed, examples=scenarios)
    with renamed():
        execute(RunRequest(adapters=(adapter,), suite="relay", campaign=asked), lines.append, lambda text: None)
    return lines


def main() -> int:
    """Run a campaign for the command line, print what is not expected and the outcomes, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.seen.own_words", description=__doc__)
    parser.add_argument("--adapter", required=True)
    parser.add_argument("--scenarios", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    lines = campaign(args.adapter, args.seed, args.scenarios)
    for line in lines:
        if isinstance(line, FindingLine):
            print(line)
    summary = Fold.over(lines).summary()
    print(summary.why, summary.outcomes)
    return summary.exit


if __name__ == "__main__":
    raise SystemExit(main())
