"""A manifest whose suite lacks its dialect is told with its line, before anything is run."""

from __future__ import annotations

from pathlib import Path

import pytest

from bindproof.core.paths import data_root
from bindproof.spec import load
from bindproof.targets import manifest
from bindproof.targets.manifest_check import manifest_problems

MANIFEST = """\
name = "mine"
title = "mine"
target = "t"
languages = ["python"]
suites = ["interceptors"]
dialect = "{}"
get = {{ from = "folder", folder = "." }}
start = {{ program = "adapter.py" }}
"""


def test_a_class_that_the_suite_lacks_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "adapters" / "mine" / "adapter.toml"
    file.parent.mkdir(parents=True)
    file.write_text(MANIFEST.format("wire") + 'claims.interceptors = ["core", "all"]\n', encoding="utf-8")
    monkeypatch.setattr(manifest, "homes", lambda: [tmp_path])
    found = list(manifest_problems(load(data_root(), "interceptors")))
    text = "suite interceptors has no class 'all'; write core, tools"
    assert [(one.file, one.line, one.text) for one in found] == [(str(file), 9, text)]


@pytest.mark.parametrize(
    ("dialect", "said"),
    [("wire", []), ("dutch", ["suite interceptors has no dialect 'dutch'; write llm-stack, wire, or add its file"])],
)
def test_a_dialect_that_the_suite_lacks_is_a_problem(
    dialect: str, said: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "adapters" / "mine" / "adapter.toml"
    file.parent.mkdir(parents=True)
    file.write_text(MANIFEST.format(dialect), encoding="utf-8")
    monkeypatch.setattr(manifest, "homes", lambda: [tmp_path])
    found = list(manifest_problems(load(data_root(), "interceptors")))
    assert [(one.file, one.line, one.text) for one in found] == [(str(file), 6, text) for text in said]
