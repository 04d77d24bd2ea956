"""`bindproof program`."""

from __future__ import annotations

from pathlib import Path

import pytest

from bindproof.cli import main

VECTOR = "relay/marks/two-in-order"


@pytest.mark.long
def test_it_prints_a_program_that_says_how_it_is_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["program", VECTOR, "--adapter", "python@0.9.4"]) == 0
    printed = capsys.readouterr().out
    assert "pip install nemo-relay==0.9.4" in printed
    assert "python marks_two_in_order.py" in printed
    assert "bindproof" not in printed.replace(f"From the scenario {VECTOR} of bindproof", "")


@pytest.mark.long
def test_a_folder_gets_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["program", VECTOR, "--adapter", "python", "-o", str(tmp_path)]) == 0
    assert "import nemo_relay" in (tmp_path / "marks_two_in_order.py").read_text()
    assert "is written" in capsys.readouterr().out


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["relay/marks/no-such", "--adapter", "python"], "matches no vector"),
        (["relay/marks/*", "--adapter", "python"], "name one vector"),
        ([VECTOR, "--adapter", "worker-raw"], "programs are written in c, go, node, python, rust"),
        ([VECTOR, "--adapter", "llm-stack"], "does not speak the suite"),
        (["interceptors/retry/nested", "--adapter", "llm-stack"], "writes no programs"),
        ([VECTOR, "--adapter", "python@0.4.0"], "edition 0.5"),
    ],
)
def test_what_has_no_program_is_told(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["program", *words]) == 2
    assert said in capsys.readouterr().err
