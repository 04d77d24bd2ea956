"""Files that a user names and that cannot be used: exit 2, with the place and without a traceback."""

from __future__ import annotations

import errno
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from bindproof.cli import main
from bindproof.cli.blame import is_the_users, told

pytestmark = pytest.mark.long

JUDGED = ("--adapter", "reference", "--suite", "relay")
GOOD = '[[divergence]]\ntarget = "a"\nvectors = ["*"]\nreason = "r"\nsource = "s"\nrequirement = "OUT-001"\n'


def deep(levels: int) -> str:
    request = f'{{"headers": {{}}, "content": {"[" * levels}{"]" * levels}}}'
    call = f'{{"step": "call", "name": "gpt", "request": {request}}}'
    return f'{{"title": "t", "exercises": [],\n"scenario": {{"steps": [{call}]}}}}'


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'{"title":\n"\xff"}', "bad.json:2: byte 0xff is no UTF-8"),
        (deep(330).encode(), "bad.json:2: this is nested deeper than 200 lists and objects"),
        (deep(20_000).encode(), "bad.json:2: this is nested deeper than 200 lists and objects"),
        (b"", "bad.json:1: this is no JSON"),
        (b"[]", "bad.json:1: this file is a list; write an object"),
        (b'{"title": "t", "exercises": [], "scenario": {}, "seconds": -1}', "bad.json:1: `seconds` is -1"),
        (b'{"title": "t", "title": "u"}', "bad.json:1: `title` stands twice"),
        (b'{"title": 1' + b"0" * 5000 + b"}", "bad.json:1: this is nothing that can be read"),
    ],
)
def test_a_vector_that_cannot_be_read_is_exit_2(
    data: bytes, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.json").write_bytes(data)
    assert main(["replay", str(tmp_path / "bad.json"), *JUDGED]) == 2
    out, err = capsys.readouterr()
    assert said in err
    assert "Traceback" not in out + err


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'\n[[divergence]]\ntarget = "\xff"', "bad.toml:3: byte 0xff is no UTF-8"),
        (GOOD.encode() + b'generated = "(?!x)"', "bad.toml:7: `/divergence/0/generated`: '(?!x)' is no regular"),
        (GOOD.encode() + b'versions = [">=' + b"9" * 5000 + b'"]', "bad.toml:7: `/divergence/0/versions/0`: "),
        (b"divergence = " + b"9" * 5000, "bad.toml:1: this is nothing that can be read"),
        (b"divergence = " + b"[" * 2000 + b"]" * 2000, "bad.toml:1: this is nested deeper than"),
        (b'divergence = 3\nother = "x"', "bad.toml:2: `other` is unknown; there is divergence"),
    ],
)
def test_expectations_that_cannot_be_read_are_exit_2(
    data: bytes, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.toml").write_bytes(data)
    words = ["--expectations", str(tmp_path / "bad.toml"), "--vector", "relay/marks/two-in-order"]
    assert main(["run", *JUDGED, *words]) == 2
    out, err = capsys.readouterr()
    assert said in err
    assert "Traceback" not in out + err


@pytest.mark.parametrize("kind", ["folder", "pipe", "loop"])
@pytest.mark.parametrize("words", [["replay"], ["run", "--expectations"]], ids=" ".join)
def test_what_is_no_file_is_exit_2_at_once(
    kind: str, words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.json"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(path)
    assert main([*words, str(path), *JUDGED]) == 2
    assert "bad.json" in capsys.readouterr().err


def test_a_vector_as_deep_as_one_may_be_is_judged(tmp_path: Path) -> None:
    (tmp_path / "deep.json").write_text(deep(190))
    assert json.loads(deep(190))
    assert main(["replay", str(tmp_path / "deep.json"), *JUDGED]) == 0


def test_a_lock_beside_a_built_library_that_is_no_text_is_exit_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in (f"libnemo_relay_ffi.{'dylib' if sys.platform == 'darwin' else 'so'}", "nemo_relay.h"):
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "Cargo.lock").write_bytes(b"\xff")
    code = main(["run", "--suite", "relay", "--adapter", f"c@{tmp_path}", "--vector", "relay/marks/two-in-order"])
    out, err = capsys.readouterr()
    assert code in (2, 3)  # 3 without a C compiler
    assert "Traceback" not in out + err


def logged(path: Path, *words: str) -> list[Any]:
    """The lines of the log of a short run, but for its summary."""
    assert main(["run", *JUDGED, "--vector", "relay/marks/two-in-order", "--results", str(path), *words]) == 0
    return [json.loads(line) for line in path.read_text().splitlines()]


def written(path: Path, lines: list[Any]) -> str:
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return str(path)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"timeout": 1e300}, "bad.jsonl:1: "),
        ({"timeout": -1}, "bad.jsonl:1: "),
        ({"processes": 0}, "bad.jsonl:1: "),
        ({"processes": 10**9}, "bad.jsonl:1: "),
        ({"shard": {"number": 1, "of": 0}}, "bad.jsonl:1: "),
        ({"shard": {"number": 3, "of": 2}}, "there is no shard 3/2"),
        ({"campaign": {"seconds": -3.0}}, "bad.jsonl:1: "),
        ({"campaign": {"first": -1}}, "bad.jsonl:1: "),
        ({"campaign": {"examples": 0}}, "bad.jsonl:1: "),
        ({"suite": "meters"}, "--suite 'meters'"),
    ],
)
def test_a_log_that_asks_for_what_nobody_can_ask_is_exit_2(
    asked: dict[str, Any], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = logged(tmp_path / "bad.jsonl")[:-1]
    lines[0]["request"] |= asked
    command = "fuzz" if "campaign" in asked else "run"
    assert main([command, "--continue", written(tmp_path / "bad.jsonl", lines), "--trust-log"]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("plan", ["relay/none/such", "generated/0/0"])
def test_a_log_with_a_verdict_on_a_scenario_that_the_run_does_not_have_is_exit_2(
    plan: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = logged(tmp_path / "bad.jsonl")[:-1]
    lines.append(lines[-1] | {"plan": plan})
    assert main(["run", "--continue", written(tmp_path / "bad.jsonl", lines)]) == 2
    assert f"it has a verdict of reference on {plan}" in capsys.readouterr().err


def test_a_shard_with_two_verdicts_on_a_scenario_is_exit_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = logged(tmp_path / "bad.jsonl", "--shard", "1/2")
    two = written(tmp_path / "bad.jsonl", [*lines[:-1], lines[-2], lines[-1]])
    assert main(["merge", two]) == 2
    assert "two verdicts of reference on relay/marks/two-in-order" in capsys.readouterr().err


def test_a_folder_that_was_deleted_is_exit_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert main(["spec", "list"]) == 2
    assert "the folder that you are in cannot be used" in capsys.readouterr().err


@pytest.mark.parametrize("number", [errno.EACCES, errno.EPERM, errno.ELOOP, errno.EMFILE])
def test_what_the_system_does_not_give_is_no_bug(number: int) -> None:
    error = OSError(number, "it said no", "here/it.is")
    assert is_the_users(error)
    assert told(error) == "here/it.is cannot be used: it said no"
