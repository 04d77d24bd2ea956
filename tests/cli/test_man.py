"""The manual page has every command, and a formatter takes it."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from bindproof.cli import COMMANDS, main


def formatted(page: str) -> str:
    """Return a page as a reader sees it; a formatter's warning is a failure."""
    ran = subprocess.run(
        ["groff", "-man", "-Tutf8", "-k", "-ww", "-P-cbou"], input=page, capture_output=True, text=True, check=True
    )
    assert ran.stderr == ""
    return ran.stdout


def test_it_has_every_command_and_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["man"]) == 0
    page = capsys.readouterr().out
    for module in COMMANDS:
        name = module.__name__.rpartition(".")[2].replace("_", "\\-")
        assert f"\\fI\\,{name}".replace("import\\-table", "import") in page
    assert "\\fB\\-\\-versions\\fR" in page


@pytest.mark.skipif(shutil.which("groff") is None, reason="unavailable: no groff")
def test_a_formatter_takes_the_page_of_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["man", "spec", "check"]) == 0
    seen = formatted(capsys.readouterr().out)
    assert "bindproof spec check" in seen
    assert "--every-setting" in seen
    assert "examples:" in seen


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nothing"], "there is no command `bindproof nothing`; there is run, merge"),
        (["run", "more"], "there is no command `bindproof run more`; there is none below it"),
    ],
)
def test_a_command_that_there_is_not_is_exit_2(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["man", *words]) == 2
    assert said in capsys.readouterr().err
