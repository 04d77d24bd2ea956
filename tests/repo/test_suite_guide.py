"""docs/suite-guide.md keeps its word: every command in it is run, in order, and ends as it says."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.repo.installing import environment_beside, wheel_of
from tests.repo.sources import ROOT, fenced, text
from tests.warm import Warm

PAGES = (Path("docs/suite-guide.md"), Path("docs/suite-authors.md"))
"""The second is run where the first left off: an environment of their own costs more than both."""

ENDS = re.compile(r"^(bindproof .*)  # exit code (\d+)$", re.MULTILINE)

COMMAND = """
trap 'echo "the end" > "$ASK"' EXIT
bindproof() {
    printf '%s\\n' "$@" > "$ASK"
    read -r code < "$ANSWER"
    return "$code"
}
"""
"""The command, without the time that each start of it would take: who reads ASK acts it out (see `tests.warm`)."""


def blocks() -> Iterator[str]:
    """The commands of the pages; one that has to fail is held to the exit code that stands beside it."""
    for language, block in (block for page in PAGES for block in fenced(text(page))):
        if language == "sh":
            yield ENDS.sub(r'code=0; \1 || code=$?; [ "$code" = \2 ] || { echo "exit code $code"; exit 9; }', block)


def test_every_command_ends_with_a_known_code() -> None:
    shown = [block for page in PAGES for language, block in fenced(text(page)) if language == "sh"]
    assert len(shown) > 5
    assert sum(len(ENDS.findall(block)) for block in shown) == sum(block.count("# exit code") for block in shown) > 3


@pytest.mark.binding
def test_every_command_of_the_guide_is_run(tmp_path: Path) -> None:
    python = environment_beside(tmp_path, wheel_of(ROOT, tmp_path))
    folder = tmp_path / "empty"
    folder.mkdir()
    for name in ("ask", "answer"):
        os.mkfifo(tmp_path / name)
    script = tmp_path / "guide.sh"
    script.write_text("\n".join(["set -eux", COMMAND, *blocks()]), encoding="utf-8")
    path = os.pathsep.join([str(python.parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "ASK": str(tmp_path / "ask"), "ANSWER": str(tmp_path / "answer")}
    environment |= {"PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0"}  # 0 means none, as pip reads it
    with (tmp_path / "said").open("w") as said:
        shell = subprocess.Popen(["sh", script], cwd=folder, env=environment, stdout=said, stderr=said)
    commands = answer_until_its_end(Warm(python), python, folder, tmp_path)
    code, text = shell.wait(), (tmp_path / "said").read_text(encoding="utf-8")
    assert code == 0, (commands + text)[-4000:]
    assert "each of the 3 faults breaks what it names and nothing else" in commands


def answer_until_its_end(warm: Warm, python: Path, folder: Path, tmp_path: Path) -> str:
    """Act out the commands that the guide's shell asks for; return all that they say."""
    (site,) = python.parent.parent.glob("lib/python*/site-packages")
    said: list[str] = []
    while (words := (tmp_path / "ask").read_text(encoding="utf-8").splitlines()) != ["the end"]:
        ran = warm.run(*words, folder=folder, sites=[site])
        said += [f"{words}\n", ran.out, ran.err, f"exit code {ran.code}\n"]
        (tmp_path / "answer").write_text(f"{ran.code}\n", encoding="utf-8")
    return "".join(said)
