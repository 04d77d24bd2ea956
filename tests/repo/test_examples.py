"""What an example's page says of its size is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROW = re.compile(r"^\| (?P<files>`.+`(?:, `.+`)*) \| (?P<counts>[0-9, and]+) \|$", re.MULTILINE)


@pytest.mark.parametrize("name", ["jmespath", "openfeature"])
def test_lines_by_kind_are_those_of_the_files(repository: Path, name: str) -> None:
    folder = repository / "examples" / name
    rows = list(ROW.finditer((folder / "README.md").read_text(encoding="utf-8")))
    assert rows
    for row in rows:
        files = re.findall("`(.+?)`", row["files"])
        counted = [len((folder / f"bindproof_{name}" / one).read_text("utf-8").splitlines()) for one in files]
        assert [int(one) for one in re.findall("[0-9]+", row["counts"])] == counted, row[0]


def test_jmespath_is_as_short_as_it_was_meant_to_be(repository: Path) -> None:
    """So many lines of Python, with blank ones and comments: a table and adapters, and all there is."""
    folder = repository / "examples/jmespath/bindproof_jmespath"
    lines = {path.name: len(path.read_text("utf-8").splitlines()) for path in folder.rglob("*.py")}
    assert lines["__init__.py"] + lines["suite.py"] + lines["adapter.py"] <= 150
    assert sum(lines.values()) <= 350
