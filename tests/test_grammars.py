"""Texts that a grammar makes of choices."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from bindproof.runner.campaign.shrink import shrink
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


def test_a_text_is_made_of_shorter_ones_of_its_rule() -> None:
    assert SUMS.parts("(1 < 2) < 1", "sum") == ["1", "2", "1 < 2", "(1 < 2)"]
    assert SUMS.parts("(1 < 2", "sum") == [], "that is no sum"


@pytest.mark.parametrize("seed", range(20))
def test_smaller_texts_are_shorter_and_of_the_rule(seed: int) -> None:
    text = SUMS.text(SeededChoices(seed), "sum")
    found = SUMS.smaller(text, "sum")
    assert (found == []) == (text in ("1", "2"))
    for one in found:
        assert len(one) < len(text)
        assert is_sum(one), one


def is_sum(text: str) -> bool:
    """A sum of more than a digit is made of sums."""
    return text in ("1", "2") or SUMS.parts(text, "sum") != []


def smallest(text: str, shows: Callable[[str], bool]) -> tuple[str, list[str]]:
    """What a campaign comes to, and all that it tried: only sums are scenarios here."""
    asking = shrink(
        {"text": text},
        lambda one: isinstance(one.get("text"), str) and is_sum(one["text"]),
        smaller=lambda one: [{"text": less} for less in SUMS.smaller(one["text"], "sum")],
    )
    tried: list[str] = []
    answers: list[bool] | None = None
    while True:
        try:
            asked = next(asking) if answers is None else asking.send(answers)
        except StopIteration as end:
            return end.value["text"], tried
        tried += [one["text"] for one in asked]
        answers = [shows(one["text"]) for one in asked]


def test_what_is_found_shrinks_along_the_grammar_without_a_hook() -> None:
    found, tried = smallest("((1 < (2 < 1)) < 1) < ((2))", lambda text: "((" in text and "2" in text)
    assert found == "((2))"
    assert len(tried) < 60
    assert smallest("(1 < 2) < (2 < (1 < 2))", lambda text: text.count("<") > 1 and "(" in text)[0] == "(1 < 1) < 1"


def test_what_cannot_be_read_has_no_smaller_texts() -> None:
    assert SUMS.smaller("(" * 90 + "1" + ")" * 90, "sum")[0] == "1", "it is deep, and read"
    assert SUMS.smaller("(" * 900 + "1" + ")" * 900, "sum") == []
    assert Grammar({"a": ("<a>", "<b>"), "b": ("x", "(<a>)")}).smaller("((x))", "a") == ["x", "(x)"], (
        "round in a circle"
    )
