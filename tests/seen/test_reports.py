"""What a command prints and how it ends: how a failure is repeated, which one was confirmed, the worst exit code."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import bindproof.runner
import bindproof.targets
from bindproof.cli import main
from bindproof.core.model import AdapterCommand, Unavailable
from bindproof.runner.fault_trials import Planted
from bindproof.suites import Fault
from tests.relay import SUB, call, intercept, marks
from tests.seen.conftest import program, scenario_file

Json = Any


def printed(out: str, label: str) -> list[str]:
    """What stands behind a label in a report, wherever it does."""
    return [line.removeprefix(label).strip() for line in out.splitlines() if line.startswith(label)]


def again(words: Sequence[str], capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The words of the command by which a report says that its one divergence is repeated."""
    assert main(list(words)) == 1
    (command, *_) = printed(capsys.readouterr().out, "replay ")
    assert command.startswith("bindproof ")
    return shlex.split(command)[1:]


def failing(folder: Path) -> list[str]:
    """The words that replay a scenario of a file on an adapter that tells of its marks in the wrong order."""
    file = scenario_file(folder, SUB, intercept(marks("m1", "m2")), call())
    return ["replay", str(file), "--suite", "relay", "--adapter-command", f"mine={program('swaps_marks')}"]


@pytest.mark.long
def test_printed_command_for_a_scenario_of_a_file_repeats_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = again(failing(tmp_path), capsys)
    assert main(command) == 1, capsys.readouterr().err


@pytest.mark.long
def test_printed_command_for_a_scenario_of_a_file_keeps_its_suite(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = again(failing(tmp_path), capsys)
    assert "--suite relay" in " ".join(command)


PAIR = ("relay/streams/failure-in-intercepts", "relay/streams/many")
"""Two that fail alike where marks are swapped: the first is the smaller as Python writes it, the second as JSON."""


@pytest.mark.long
def test_scenario_that_is_shown_is_the_one_that_was_confirmed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = tmp_path / "run.jsonl"
    chosen = [word for vector in PAIR for word in ("--vector", vector)]
    adapter = ("--adapter-command", f"mine={program('swaps_marks')}")
    assert main(["run", "--suite", "relay", *adapter, *chosen, "--results", str(results)]) == 1
    lines = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
    verdicts = [line for line in lines if line["type"] == "verdict"]
    assert sorted(line["plan"] for line in verdicts if line["outcome"] == "diverges") == sorted(PAIR)
    confirmed = [line["plan"] for line in verdicts if "reproduced" in line]
    shown = [words.split()[0] for words in printed(capsys.readouterr().out, "vector ")]
    assert shown == confirmed


FAULTY = Planted(Fault("swap_marks", "t", ("A-001",), lambda *_: None), frozenset({"A-001"}), frozenset(), 1)
"""A planted fault that breaks nothing, which is red."""


@pytest.mark.parametrize("names", [("there", "missing"), ("missing", "there")])
def test_red_adapter_beside_an_unavailable_one_ends_the_check_as_red(
    names: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = {
        "there": AdapterCommand("there", ("none",), {}, "."),
        "missing": Unavailable("missing", "it is not there", "install it"),
    }
    monkeypatch.setattr(bindproof.targets, "resolve", lambda name, **_: found[name])
    monkeypatch.setattr(bindproof.runner, "check_faults", lambda name, progress: [FAULTY])
    assert main(["adapters", "check", *names, "--faults"]) == 1


BAD = """\
[[divergence]]
target = "bindproof-reference"
requirment = "MRK-002"
vectors = ["relay/marks/*"]
reason = "a key that is misspelt"
source = "tests"

[[divergence]]
target = "bindproof-reference"
requirement = "MRK-002"
vectors = "relay/marks/*"
reason = "a text for a list"
source = "tests"
"""


def complaint(folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """What is said of an expectations file with two faults, in its lines 3 and 11."""
    file = folder / "bad.toml"
    file.write_text(BAD, encoding="utf-8")
    words = ["run", "--suite", "relay", "--adapter", "reference", "--vector", "relay/marks/none"]
    assert main([*words, "--expectations", str(file)]) == 2
    out, err = capsys.readouterr()
    return out + err


def test_misspelt_key_of_an_expectation_is_told_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "bad.toml:3:" in complaint(tmp_path, capsys)


@pytest.mark.long
def test_second_fault_of_an_expectations_file_is_told_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "bad.toml:11:" in complaint(tmp_path, capsys)
