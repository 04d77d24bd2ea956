"""Each command that reads a log says what is wrong with one that it cannot use, and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from bindproof.cli import main
from bindproof.results import Line, encode

pytestmark = pytest.mark.long

COMMANDS = (["report"], ["compare", "LOG"], ["verify"], ["preview"], ["trend"], ["run", "--continue"])
UNUSABLE = {
    "empty": "the file is empty; a result log starts with a line of type run, `bindproof run --results ",
    "cut in its first line": "its first line was cut off",
    "of an earlier format": "this log has format 1, and this bindproof reads format 2: use the bindproof that wrote it",
    "something else": "this is no line of a bindproof result log",
    "two logs": "another log begins here, and a file holds one; give each its own",
}


@pytest.fixture
def unusable(mixed_log: list[Line], tmp_path: Path) -> dict[str, Path]:
    first = encode(mixed_log[0])
    data = {
        "empty": b"",
        "cut in its first line": first[:40],
        "of an earlier format": encode(replace(mixed_log[0], format=1)),
        "something else": b"\x00\xff<html>\n",
        "two logs": first + first,
    }
    paths = {name: tmp_path / f"{name}.jsonl" for name in data}
    for name, path in paths.items():
        path.write_bytes(data[name])
    return paths


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
@pytest.mark.parametrize(("name", "said"), UNUSABLE.items(), ids=list(UNUSABLE))
def test_it_is_told(
    words: list[str], name: str, said: str, unusable: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(unusable[name])
    assert main([*(path if word == "LOG" else word for word in words), path]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"bindproof: {path}")
    assert said in err
    assert "Traceback" not in err
