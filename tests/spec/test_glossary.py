"""The glossary of relay: in order, and about what the chapters have."""

from __future__ import annotations

import re

from tests.conftest import REPOSITORY
from tests.relay import SPEC

GLOSSARY = REPOSITORY / "spec" / "relay" / "glossary.md"
ROW = re.compile(r"\| \*\*`?([\w -]+?)`?\*\*")


def test_each_word_stands_in_its_place_and_is_a_word_of_the_chapters() -> None:
    lines = [line for line in GLOSSARY.read_text(encoding="utf-8").splitlines() if line.startswith("| **")]
    words = [match[1] for line in lines if (match := ROW.match(line))]
    rules = SPEC.requirements.values()
    texts = [one.introduction for one in SPEC.chapters] + [f"{r.title} {r.statement} {r.explanation}" for r in rules]
    chapters = " ".join(" ".join(texts).lower().split())

    assert len(words) == len(lines)
    assert words == sorted(words, key=str.casefold)
    assert [word for word in words if not re.search(rf"\b{word.split()[0]}", chapters)] == []


def test_it_names_requirements_that_there_are() -> None:
    named = set(re.findall(r"\b[A-Z]{3}-\d{3}\b", GLOSSARY.read_text(encoding="utf-8")))
    assert named <= set(SPEC.requirements)
