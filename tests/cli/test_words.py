"""What the command line says when it is asked for help, or asked for what it cannot do."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from bindproof import __version__
from bindproof.cli import main

COMMANDS = (
    ["run"],
    ["merge"],
    ["report"],
    ["compare"],
    ["matrix"],
    ["verify"],
    ["trend"],
    ["preview"],
    ["replay"],
    ["explain"],
    ["new-suite"],
    ["adapters"],
    ["cache"],
    ["cache", "list"],
    ["cache", "clear"],
    ["doctor"],
    ["completion"],
    ["man"],
    ["expectations"],
    ["expectations", "update"],
    ["expectations", "check"],
    ["expectations", "prune"],
    ["adapters", "list"],
    ["adapters", "build"],
    ["adapters", "check"],
    ["spec"],
    ["spec", "check"],
    ["spec", "list"],
    ["spec", "show"],
)


@pytest.mark.long
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_teaches_with_examples(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command, "--help"]) == 0
    out = capsys.readouterr().out
    assert f"usage: bindproof {' '.join(command)}" in out
    assert f"examples:\n  bindproof {' '.join(command)}" in out


def test_help_names_every_command_and_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    out = capsys.readouterr().out
    for command in ("run", "merge", "report", "compare", "replay", "explain", "adapters", "spec"):
        assert f"\n    {command} " in out
    for code in (0, 1, 2, 3, 4, 70, 130):
        assert f"{code} " in out.partition("exit codes:")[2]


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "usage: bindproof"),
        (["judge"], "invalid choice: 'judge'"),
        (["run", "--speed", "9"], "unrecognized arguments: --speed"),
        (["run", "--adapter-command", "mine"], "'mine' is not NAME=CMD"),
        (["run", "--timeout", "0"], "'0' is not a number of seconds above 0"),
        (["run", "--jobs", "0"], "'0' is not a whole number above 0"),
        (["run", "--shard", "3/2"], "'3/2' is not I/N with I from 1 to N"),
        (["run", "--shard", "0/2"], "'0/2' is not I/N with I from 1 to N"),
        (["merge"], "the following arguments are required: LOG"),
        (["run", "--timeout", "soon"], "'soon' is not a number of seconds above 0"),
        (["replay"], "the following arguments are required: VECTOR|FILE"),
        (["adapters"], "the following arguments are required: PART"),
        (["run", "--timeout", "1e300"], "'1e300' is not a number of seconds above 0, up to 1000000"),
        (["run", "--jobs", "9" * 5000], "9'… is not a whole number above 0, up to 1000"),
        (["fuzz", "--seed", "9" * 5000], "9'… is not a whole number between -2^63 and 2^63"),
        (["fuzz", "--first", str(2**64)], f"'{2**64}' is not a whole number from 0 up"),
        (["run", "--adapter=--"], "--adapter is given `--`, which is no value"),
        (["run", "--adap", "node"], "unrecognized arguments: --adap"),
    ],
)
def test_bad_usage_is_exit_2(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err


@pytest.mark.long
@pytest.mark.parametrize("words", [["spec", "list"], ["new-suite", "x"], ["run", "--results", "log.jsonl"]])
def test_a_working_folder_that_is_gone_is_exit_2(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "the folder that you are in cannot be used: No such file or directory; cd to another one" in err


def test_help_needs_no_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert main(["--help"]) == 0


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"bindproof {__version__}\n"


@pytest.mark.long
def test_starting_imports_no_slow_package() -> None:
    slow = {"rich", "jsonschema_rs", "packaging", "asyncio", "selectors", "pydantic", "re2"}
    script = f"import sys, bindproof.cli; print(sorted({slow!r} & sys.modules.keys()))"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=environment)
    assert run.stdout == "[]\n"


def test_the_entry_point_is_main() -> None:
    try:
        scripts = metadata.distribution("bindproof").entry_points
    except metadata.PackageNotFoundError:
        pytest.skip("bindproof is not installed here; tox installs it")
    assert next(s for s in scripts if s.name == "bindproof").value == "bindproof.cli:main"


def test_an_unknown_option_is_told_with_the_usage_of_its_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["spec", "check", "--frob"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("usage: bindproof spec check ")
    assert "\nbindproof spec check: error: unrecognized arguments: --frob\n" in said
    assert said.endswith("\n`bindproof spec check --help` shows how it is used\n")


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "following"),
    [
        (["report", "no.jsonl"], "; `bindproof run --results no.jsonl` writes one\n"),
        (["report", __file__], "`bindproof report --help` shows how it is used\n"),
        (["coverage", "--adapter", "reference"], "`bindproof coverage --help` shows how it is used\n"),
        (["judge"], "`bindproof --help` shows how it is used\n"),
        (["run", "--jobs", "0"], "`bindproof run --help` shows how it is used\n"),
        (["report", os.devnull], "`bindproof report --help` shows how it is used\n"),
        (["run", "--continue", "no.jsonl"], "`bindproof run --help` shows how it is used\n"),
        (["preview", "python@0.9.4"], "bindproof preview python@0.9.4 NAME@RELEASE\n"),
    ],
)
def test_an_error_says_what_to_type_next(words: list[str], following: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert capsys.readouterr().err.endswith(following)
