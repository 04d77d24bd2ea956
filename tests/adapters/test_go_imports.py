"""Adapters in Go that only build where a user provides the package: what can be seen of them without it."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.repo.sources import ROOT

IMPORT = re.compile(r'^(?:import )?\s*(?:(\w+) )?"([\w./-]+)"$', re.MULTILINE)
BLOCK = re.compile(r"^import \((.*?)^\)", re.MULTILINE | re.DOTALL)
FILES = sorted((ROOT / "adapters").rglob("*.go"))


def names(source: str) -> Counter[str]:
    """How often each name stands for what a source imports."""
    found = [one for block in BLOCK.findall(source) for one in IMPORT.findall(block)]
    return Counter(name or path.rsplit("/", 1)[-1] for name, path in found)


def test_a_name_of_two_imports_is_seen() -> None:
    source = 'package a\n\nimport (\n\t"bindproof/adapter/relay"\n\n\trelay "example.org/x"\n)\n'
    assert names(source) == {"relay": 2}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT / "adapters")))
def test_no_two_imports_of_a_file_have_one_name(path: Path) -> None:
    twice = [name for name, count in names(path.read_text("utf-8")).items() if count > 1 and name not in "._"]
    assert twice == []
