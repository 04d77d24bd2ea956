"""`bindproof smoke`: every step is taken, or it is said what is missing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bindproof.cli import main

FAKES = Path(__file__).parents[1] / "fakes"


@pytest.mark.long
def test_the_reference_takes_every_step(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["smoke", "reference"])
    lines = capsys.readouterr().out.splitlines()

    assert code == 0
    assert all(line.startswith("ok ") for line in lines[:-1])
    assert lines[-1] == f"all {len(lines) - 1} steps are taken; next: bindproof run --adapter reference"


@pytest.mark.long
@pytest.mark.parametrize(
    ("fake", "code", "text"),
    [
        ("answers_well", 1, "LIF-005, the provider is called once: expected 1, observed 0"),
        ("speaks_protocol_2", 4, "protocol"),
        ("prints_a_banner", 4, "MISSING  speaks the protocol"),
    ],
)
def test_what_is_missing_is_said(capsys: pytest.CaptureFixture[str], fake: str, code: int, text: str) -> None:
    assert main(["smoke", f"{sys.executable} -S {FAKES / fake}.py"]) == code
    assert text in capsys.readouterr().out


@pytest.mark.long
def test_a_program_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["smoke", "no-such-program-here"]) == 4
    assert "bindproof new-adapter no-such-program-here --language python" in capsys.readouterr().out


def test_a_folder_without_a_manifest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["smoke", str(tmp_path)]) == 2
    err = capsys.readouterr().err
    assert f"{tmp_path} is a folder without adapter.toml" in err
    assert f"`bindproof new-adapter {tmp_path} --language python` writes one" in err


def test_a_file_that_is_no_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.py"
    file.write_text("print()\n")
    assert main(["smoke", str(file)]) == 2
    err = capsys.readouterr().err
    assert f"{file} may not be executed: `chmod +x` it" in err
    assert f"`bindproof smoke 'python3 {file}'`" in err


@pytest.mark.long
def test_both_ends_of_what_an_adapter_wrote_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "adapter.py"
    program.write_text("import sys; sys.exit('first' + 2000 * 'x' + 'last')", encoding="utf-8")
    assert main(["smoke", f"{sys.executable} {program}"]) == 4
    said = capsys.readouterr().out
    assert ("firstxxx" in said, "xxxlast" in said) == (True, True), said


OTHER = """\
from fake_adapter import FakeAdapter


class Other(FakeAdapter):
    def introduction(self):
        return {**super().introduction(), "suites": {"relay": {"dialect": "mine", "capabilities": []}}}


Other().serve()
"""
"""An adapter in a dialect that the suite does not have."""


@pytest.mark.long
def test_an_adapter_may_bring_its_dialect(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "other.py").write_text(f"import sys\nsys.path.insert(0, {str(FAKES)!r})\n{OTHER}", encoding="utf-8")
    shipped = (repository / "spec/relay/dialects/python.toml").read_text(encoding="utf-8")
    (tmp_path / "mine.toml").write_text(shipped.replace('name = "python"', 'name = "mine"', 1), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    command = f"{sys.executable} -S other.py"
    assert main(["smoke", command, "--suite", "relay"]) == 1
    assert "a new one is a file in dialects/, or of --dialect" in capsys.readouterr().out
    assert main(["smoke", command, "--dialect", "mine.toml"]) == 2
    assert "--dialect mine.toml is of one suite: say which by --suite" in capsys.readouterr().err
    code = main(["smoke", command, "--suite", "relay", "--dialect", "mine.toml"])
    out = capsys.readouterr().out
    assert (code, "suite relay, dialect mine" in out, "LIF-005" in out) == (1, True, True), out
