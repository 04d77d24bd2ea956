"""docs/spec-change.md keeps its word: an editor's afternoon is gone through, red and green where the page says so."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.new_suites import bindproof, installed
from tests.repo.guides import acted_out, codes_that_are_told
from tests.repo.sources import fenced, text

GUIDE = Path("docs/spec-change.md")


@pytest.mark.skipif(shutil.which("patch") is None, reason="unavailable: no patch; to have it: apt-get install patch")
def test_the_afternoon_is_as_the_page_tells_it(tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    site = folder / "bindproof-tally"

    def act(words: list[str]) -> tuple[int, str]:
        if words[0] == "pip":
            installed(site, "tally")
            return 0, ""
        return bindproof(site, *words[1:], folder=folder)

    code, said = acted_out([GUIDE], folder, tmp_path, act, dict(os.environ), "bindproof", "pip")
    assert code == 0, said[-6000:]
    shown = [line for language, block in fenced(text(GUIDE)) if language == "text" for line in block.splitlines()]
    assert [line for line in shown if line not in said] == []


def test_it_is_red_four_times_and_says_so() -> None:
    assert codes_that_are_told(GUIDE) == 5
