"""Each requirement has an example: a vector, which `spec check` acts out. JSON in chapters is what it is said to be."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from bindproof.cli.explain import smallest
from bindproof.spec import load, vectors
from tests.relay import SPEC
from tests.spec.test_bundle import asked

Json = Any
CHAPTERS = sorted(SPEC.folder.glob("[0-9]*.md"))
CUT_OFF = '{"headers": {}'
"""An example of a text that is no JSON."""
REFUSED = "OUT-008"
"""The requirement whose examples are of what is no outcome."""


def shown() -> list[Any]:
    """Each object of a block of JSON, with the requirement below which it stands."""
    found = []
    for chapter in CHAPTERS:
        parts = re.split(r"^## (\S+)", chapter.read_text(encoding="utf-8"), flags=re.MULTILINE)
        for below, text in zip(["", *parts[1::2]], parts[::2], strict=True):
            for block in re.findall(r"^```json\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
                for one in objects(block):
                    found.append(pytest.param(below, one, id=f"{chapter.name} {below} {form_of(one)}"))
    return found


def objects(block: str) -> list[Json]:
    decoder, at, found = json.JSONDecoder(), 0, []
    while block[at:].strip():
        at += len(block[at:]) - len(block[at:].lstrip())
        one, at = decoder.raw_decode(block, at)
        found.append(one)
    return found


def form_of(value: Json) -> str:
    """The form of the bundle that an object claims, by its keys."""
    if "atof_version" in value:
        return "writers/mark-event.json" if value["kind"] == "mark" else "writers/scope-event.json"
    if "result" in value:
        return "writers/tool-outcome.json" if "pending_marks" in value else "writers/tool-result.json"
    return "writers/outcome.json" if "request" in value else "writers/pending-mark.json"


@pytest.mark.parametrize(("below", "value"), shown())
def test_an_object_that_a_chapter_shows_has_its_form(below: str, value: Json) -> None:
    taken = asked(SPEC.newest.name, form_of(value)).is_valid(value)
    assert taken is (below != REFUSED)


def test_objects_are_shown() -> None:
    assert len(shown()) >= 9


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.name)
def test_an_object_within_a_line_is_json(chapter: Path) -> None:
    found = re.findall(r"`(\{\"[^`\u2026]*\})`", chapter.read_text(encoding="utf-8"))
    for text in found:
        if text != CUT_OFF:
            json.loads(text)


@pytest.mark.long
@pytest.mark.parametrize("suite", ["relay", "interceptors", "interaction"])
def test_each_requirement_that_is_in_force_has_an_example(repository: Path, suite: str) -> None:
    spec = load(repository, suite)
    kept = list(vectors(spec))
    for one in spec.requirements.values():
        if one.in_editions and one.untestable is None:
            assert len(str(smallest(v for v in kept if one.id in v.exercises).scenario)) < MOST, one.id


MOST = 4_000
"""Characters that an example may have: more is no example to anyone."""
