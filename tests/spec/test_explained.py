"""Below each statement stands why it is so, and an example in words, or as JSON."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bindproof.spec import load

EXAMPLE = "Example: "
SENTENCE = re.compile(r"\S+( \S+){3,}[.:]")
"""Some words, and what ends them: a colon stands before a block of JSON."""


def lacking(explanation: str) -> str | None:
    """What an explanation lacks: a reason in words, or one paragraph that begins with `Example:`."""
    paragraphs = [" ".join(part.split()) for part in explanation.split("\n\n")]
    examples = [one for one in paragraphs if one.startswith(EXAMPLE)]
    reasons = [one for one in paragraphs if not one.startswith((EXAMPLE, "|", "```"))]
    if not any(SENTENCE.match(one) for one in reasons):
        return "why it is so"
    if len(examples) != 1 or not SENTENCE.fullmatch(examples[0].removeprefix(EXAMPLE)):
        return "one example"
    return None


@pytest.mark.long
@pytest.mark.parametrize("suite", ["relay", "interceptors", "cells", "interaction"])
def test_each_requirement_is_explained(repository: Path, suite: str) -> None:
    in_force = [one for one in load(repository, suite).requirements.values() if one.in_editions]
    assert in_force
    found = {one.id: lacks for one in in_force if (lacks := lacking(one.explanation))}
    assert found == {}, "say below the statement why it is so, and in a paragraph `Example: …` what happens"


@pytest.mark.parametrize(
    ("explanation", "lacks"),
    [
        ("So nobody waits for it in vain.\n\nExample: a call that fails has an end.", None),
        ("A table says more:\n\n| a |\n|-|\n\nExample: what this shows is refused:\n\n```json\n{}\n```", None),
        ("Example: a call that fails has an end.", "why it is so"),
        ("| a table |\n|-|\n\nExample: a call that fails has an end.", "why it is so"),
        ("So nobody waits for it in vain.", "one example"),
        ("So nobody waits for it in vain. Example: a call that fails has an end.", "one example"),
        ("So nobody waits for it in vain.\n\nExample: a call.", "one example"),
        ("So nobody waits for it in vain.\n\nExample: a call that fails has", "one example"),
        (
            "So nobody waits for it in vain.\n\nExample: one that fails ends.\n\nExample: two that fail end.",
            "one example",
        ),
    ],
)
def test_what_an_explanation_lacks_is_told(explanation: str, lacks: str | None) -> None:
    assert lacking(explanation) == lacks
