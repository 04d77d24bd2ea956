"""The wheel carries what a checkout has, and runs from an empty folder."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.repo.installing import environment

pytestmark = pytest.mark.binding


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of a fresh environment into which the wheel, and what it depends on, was installed."""
    return environment(tmp_path_factory.mktemp("installed"))


def test_the_reference_is_judged_from_an_empty_folder(python: Path, tmp_path: Path) -> None:
    command = [str(python.parent / "bindproof"), "run", "--adapter", "reference"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.rstrip().splitlines()[-1].startswith("1 of 1 adapter judged: ")
    assert list(tmp_path.iterdir()) == []


def test_a_page_is_made_there_too(python: Path, tmp_path: Path) -> None:
    """Its template, style and script are in the wheel."""
    page = tmp_path / "page.html"
    words = ["run", "--adapter", "reference", "--vector", "relay/marks/two-*", "--html", str(page)]
    subprocess.run([str(python.parent / "bindproof"), *words], cwd=tmp_path, capture_output=True, check=True)
    text = page.read_text(encoding="utf-8")
    assert all(part in text for part in ("MRK-002", ":root{", "addEventListener"))


def test_the_spec_and_the_adapters_are_there(python: Path, tmp_path: Path) -> None:
    for words in (["spec", "list"], ["adapters", "list"]):
        command = [str(python), "-m", "bindproof", *words]
        listed = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
        assert ("MRK-002" in listed) == (words[0] == "spec")
        assert ("reference (judged by default where its suite is named)" in listed) == (words[0] == "adapters")
