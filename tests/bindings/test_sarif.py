"""SARIF is valid by its published schema, as the tool of its authors reads it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from bindproof.results import Line
from tests.report.formats import made
from tests.report.hostile import hostile_log

TOOL = "@microsoft/sarif-multitool@5.7.0"

pytestmark = [
    pytest.mark.binding,
    pytest.mark.skipif(shutil.which("npm") is None, reason="unavailable: no npm; to have it: install Node.js"),
]


@pytest.fixture(scope="module")
def multitool(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("npm")
    words = ["npm", "install", "--prefix", str(folder), "--no-audit", "--no-fund", "--silent", TOOL]
    subprocess.run(words, check=True)
    return folder / "node_modules" / ".bin" / "sarif-multitool"


def test_it_is_valid(multitool: Path, mixed_log: list[Line], tmp_path: Path) -> None:
    for name, lines in (("mixed", mixed_log), ("hostile", hostile_log())):
        file = tmp_path / f"{name}.sarif"
        file.write_text(made("sarif", lines), encoding="utf-8")
        run = subprocess.run([multitool, "validate", str(file)], capture_output=True, text=True, check=False)
        assert ": error " not in run.stdout, run.stdout
        assert "Analysis completed successfully" in run.stdout
        assert run.returncode == 0


def test_a_file_that_is_not_is_refused(multitool: Path, mixed_log: list[Line], tmp_path: Path) -> None:
    file = tmp_path / "broken.sarif"
    file.write_text(made("sarif", mixed_log).replace('"ruleId"', '"rule"'), encoding="utf-8")
    run = subprocess.run([multitool, "validate", str(file)], capture_output=True, text=True, check=False)
    assert ": error " in run.stdout
