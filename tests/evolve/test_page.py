"""The page on evolution shows what is really said, and the figures that its catalogue gives."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bindproof.cli import main
from tests.conftest import REPOSITORY
from tests.evolve.decisions import cases

PAGE = (REPOSITORY / "docs" / "evolution.md").read_text(encoding="utf-8")


def block(name: str) -> str:
    found = re.search(rf"<!-- {re.escape(name)} -->\n```\w+\n(.*?)```", PAGE, re.DOTALL)
    assert found
    return found[1]


@pytest.mark.long
def test_the_example_says_what_the_page_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("old.json", "new.json"):
        (tmp_path / name).write_text(block(name), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["evolve", "diff", "old.json", "new.json"]) == 1
    assert capsys.readouterr().out.strip() == block("told").strip()


def test_the_figures_are_those_of_the_catalogue() -> None:
    decided = [word for case in cases() for word in (case.old_to_new, case.new_to_old)]
    by_values = [
        word
        for case in cases()
        for word in (case.old_to_new, case.new_to_old)
        if case.file != "meaning" and word != "undecidable"
    ]
    assert f"Of its {len(decided)} decisions, {len(by_values)} are decided by values" in " ".join(PAGE.split())
