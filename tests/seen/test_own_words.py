"""Ids, names and texts made of the judge's own words decide nothing: no lawful run of the reference is blamed."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof.suites import Choices
from bindproof.suites.choices import SeededChoices
from bindproof.suites.relay.generators.raw import raw_scenario
from bindproof.suites.relay.scenario.complete import ScenarioError
from tests.relay import SETTINGS, SUITE, broken, judged, lawful

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

SCENARIOS = 5000
EACH = 40
"""Scenarios of a dialect; unmarked tests take every so many of them."""

DIALECTS = sorted({dialect for _, dialect in SETTINGS})


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


def blamed(seed: int, edition: str, dialect: str) -> dict[str, str]:
    """What the reference is said to break in one generated scenario that is renamed; nothing where it is refused."""
    choices = SeededChoices(seed)
    drawn = raw_scenario(choices) if dialect == "c" and seed % 9 == 0 else SUITE.brief(SUITE.generate(choices, dialect))
    try:
        full = SUITE.complete(Renaming(choices).of(drawn))
    except ScenarioError:
        return {}
    prepared = SUITE.prepare(full, edition, dialect)
    if "inexpressible" in prepared.prediction:
        return {}
    return broken(judged(prepared, lawful(prepared, seed, dialect), edition, dialect))


def newest(dialect: str) -> str:
    """The newest edition of a dialect."""
    return [edition for edition, name in SETTINGS if name == dialect][-1]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_words_of_the_judge_in_a_scenario_leave_the_reference_unblamed(dialect: str) -> None:
    for seed in range(0, SCENARIOS, EACH):
        assert blamed(seed, newest(dialect), dialect) == {}, seed


@pytest.mark.long
@pytest.mark.parametrize("dialect", DIALECTS)
def test_words_of_the_judge_in_any_of_many_scenarios_leave_the_reference_unblamed(dialect: str) -> None:
    for seed in range(1, SCENARIOS, EACH // 5):
        assert blamed(seed, newest(dialect), dialect) == {}, seed
