"""docs/suite-guide.md keeps its word: every command in it is run, in order, and ends as it says."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.repo.installing import environment
from tests.repo.sources import fenced, text

GUIDE = Path("docs/suite-guide.md")
ENDS = re.compile(r"^(bindproof .*)  # exit code (\d+)$", re.MULTILINE)


def blocks() -> Iterator[str]:
    """The guide's commands; one that has to fail is held to the exit code that stands beside it."""
    for language, block in fenced(text(GUIDE)):
        if language == "sh":
            yield ENDS.sub(r'code=0; \1 || code=$?; [ "$code" = \2 ] || { echo "exit code $code"; exit 9; }', block)


def test_every_command_ends_with_a_known_code() -> None:
    shown = [block for language, block in fenced(text(GUIDE)) if language == "sh"]
    assert len(shown) > 5
    assert sum(len(ENDS.findall(block)) for block in shown) == sum(block.count("# exit code") for block in shown) > 3


@pytest.mark.binding
def test_every_command_of_the_guide_is_run(tmp_path: Path) -> None:
    python = environment(tmp_path)
    folder = tmp_path / "empty"
    folder.mkdir()
    script = tmp_path / "guide.sh"
    script.write_text("\n".join(["set -eux", *blocks()]), encoding="utf-8")
    path = os.pathsep.join([str(python.parent), os.environ["PATH"]])
    ran = subprocess.run(
        ["sh", script], cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, (ran.stdout + ran.stderr)[-4000:]
    assert "each of the 3 faults breaks what it names and nothing else" in ran.stdout
