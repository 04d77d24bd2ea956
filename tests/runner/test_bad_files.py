"""Files that a user names and that cannot be used: exit 2, with the place and without a traceback."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from bindproof.cli import main

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
