"""docs/tutorial.md and docs/reviewing.md keep their word: their commands end as they say, and print what they show."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.repo.guides import acted_out, warm
from tests.repo.sources import fenced, text

NOT_RUN = ("bindproof evolve report", "bindproof adapters check")
"""Begin commands that are shown, and are for files that the reader has."""


@pytest.mark.binding
@pytest.mark.parametrize("name", ["tutorial", "reviewing"])
def test_its_commands_end_as_the_page_says(name: str, tmp_path: Path) -> None:
    page = Path("docs") / f"{name}.md"
    folder = tmp_path / "empty"
    folder.mkdir()
    code, said = acted_out([page], folder, tmp_path, warm(folder), dict(os.environ), "bindproof")
    assert code == 0, said[-6000:]
    shown = [block for language, block in fenced(text(page)) if language == "text" and not block.startswith(NOT_RUN)]
    assert [line for block in shown for line in block.splitlines() if line not in said] == []
    assert "MRK-002" in (folder / "page.html").read_text(encoding="utf-8")
