"""Texts that a grammar makes of choices."""

from __future__ import annotations

import re

import pytest

from bindproof.suite_api.grammar import Grammar
from bindproof.suites.choices import SeededChoices

SUMS = Grammar({"sum": ("<digit>", "<sum> < <sum>", "(<sum>)"), "digit": ("1", "2")}, depth=3)


def texts(grammar: Grammar, rule: str, count: int = 200) -> set[str]:
    return {grammar.text(SeededChoices(seed), rule) for seed in range(count)}


def test_texts_are_of_the_language_and_of_no_more_than_its_depth() -> None:
    found = texts(SUMS, "sum")
    assert {"1", "2", "(1)", "1 < 2"} <= found
    assert not [text for text in found if re.search(r"[^12()< ]", text)]
    assert max(text.count("(") for text in found) <= 2
    assert not [text for text in found if not balanced(text)]


def balanced(text: str) -> bool:
    return bool(eval(text.replace("< ", "+ ")))


def test_a_rule_that_needs_more_than_the_depth_ends_as_soon_as_it_can() -> None:
    assert texts(Grammar({"a": ("[<b>]", "<a><a>"), "b": ("<c>",), "c": ("x",)}, depth=1), "a") == {"[x]"}


@pytest.mark.parametrize(
    ("rules", "said"),
    [({"a": ("<b>",)}, "there is no rule <b>"), ({"a": ("x<a>",), "b": ("1",)}, "no text of the rule <a> ever ends")],
)
def test_a_rule_that_cannot_be_is_refused(rules: dict[str, tuple[str, ...]], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Grammar(rules)
