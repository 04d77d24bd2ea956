"""docs/adapter-guide.md keeps its word: from an empty folder to a red run, and to a green one with JUnit."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.repo.guides import acted_out, codes_that_are_told, warm
from tests.repo.sources import fenced, text

GUIDE = Path("docs/adapter-guide.md")
NOT_YET = "bindproof run --adapter ./gull\n"
"""Begins the one example of what is typed later, when the adapter is whole."""


@pytest.mark.long
def test_the_walkthrough_is_as_the_page_tells_it(tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    environment = {**os.environ, "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}
    code, said = acted_out([GUIDE], folder, tmp_path, warm(folder), environment, "bindproof")
    assert code == 0, said[-6000:]
    shown = [block for language, block in fenced(text(GUIDE)) if language == "text" and not block.startswith(NOT_YET)]
    assert [line for block in shown for line in block.splitlines() if line not in said] == []
    assert (folder / "priority_limits.py").read_text(encoding="utf-8").count("nemo_relay") > 0
    assert "MID-002" in (folder / "page.html").read_text(encoding="utf-8")
    cases = list(ElementTree.parse(folder / "junit.xml").iter("testcase"))
    assert len(cases) == 4
    assert [case.get("name") for case in cases if case.find("failure") is not None] == []


def test_it_is_red_three_times_and_says_so() -> None:
    assert codes_that_are_told(GUIDE) == 3
