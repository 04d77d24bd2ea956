"""A statement is one sentence with one rule, whose word of RFC 2119 is that of its level."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bindproof.spec import load

WORD = re.compile(r"\b(MUST|SHOULD|MAY)\b")
SENTENCE = re.compile(r"[^.]*(?:\.(?=\S)[^.]*)*[.:]")
"""All up to one full stop, or to the colon of a table; one within a word, such as `marks.name`, is none."""


def wrong(level: str, statement: str) -> str | None:
    """What is wrong with a statement's form; None where nothing is."""
    words = WORD.findall(statement)
    if words != [level]:
        return f"it is {level}, and has the words {words}: write that one word, once"
    if not SENTENCE.fullmatch(statement):
        return "it is not one sentence: what explains or excepts goes below it, or into the sentence"
    return None


@pytest.mark.long
@pytest.mark.parametrize("suite", ["relay", "interceptors", "cells", "interaction"])
def test_each_statement_is_one_sentence_with_the_word_of_its_level(repository: Path, suite: str) -> None:
    rules = load(repository, suite).requirements.values()
    found = {rule.id: found for rule in rules if (found := wrong(rule.level, rule.statement)) is not None}
    assert found == {}


@pytest.mark.parametrize(
    ("level", "statement", "right"),
    [
        ("MUST", "A `mark.name` MUST be a text.", True),
        ("MUST", "A mark MUST NOT be lost.", True),
        ("SHOULD", "A codec SHOULD read these members:", True),
        ("MUST", "A mark is a text.", False),
        ("MUST", "A mark SHOULD be a text.", False),
        ("MUST", "A mark MUST be a text, and MUST NOT be lost.", False),
        ("MUST", "A mark MUST be a text. It is not lost.", False),
        ("MUST", "A mark MUST be a text", False),
    ],
)
def test_the_form_is_told_from_others(level: str, statement: str, right: bool) -> None:
    assert (wrong(level, statement) is None) == right
