"""`bindproof evolve migrate`: what it reads, writes and never writes over, and how it ends."""

from __future__ import annotations

import io
import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from bindproof.cli import main

OLD = '{"request": {"headers": {}, "content": null},  "annotated_request": null, "pending_marks": []}'
NAME = '{"name":  "m"}'
WRONG = '{"x":  1}'
STEP = ("--from", "0.5", "--to", "0.6")


def migrate(path: Path, text: str, *words: str) -> int:
    path.write_text(text, encoding="utf-8")
    return main(["evolve", "migrate", str(path), *STEP, *words])


@pytest.mark.long
def test_lines_that_stay_keep_every_byte_and_others_are_migrated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.jsonl"
    assert migrate(tmp_path / "in.jsonl", f"{OLD}\n\n{NAME}\n", "-o", str(out)) == 0
    first, second = out.read_text(encoding="utf-8").splitlines()
    assert json.loads(first) == {**json.loads(OLD), "optimization_contributions": []}
    assert second == NAME
    told = capsys.readouterr()
    assert told.out == ""
    assert "2 objects to edition 0.6: 1 changed, 1 as they were, 0 undecided" in told.err
    assert "read: 0.5 → 0.6: An outcome may list optimization contributions" in told.err


@pytest.mark.long
def test_without_an_output_it_is_printed_and_the_file_stays(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert migrate(tmp_path / "in.jsonl", f"{NAME}\n") == 0
    assert capsysbinary.readouterr().out == f"{NAME}\n".encode()
    assert (tmp_path / "in.jsonl").read_text(encoding="utf-8") == f"{NAME}\n"


@pytest.mark.long
def test_what_is_undecided_is_told_with_its_line_and_not_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, rest = tmp_path / "out.jsonl", tmp_path / "rest.jsonl"
    words = ("-o", str(out), "--rest", str(rest))
    assert migrate(tmp_path / "in.jsonl", f"{NAME}\n{WRONG}\n{{\n", *words) == 4
    assert out.read_text(encoding="utf-8") == f"{NAME}\n"
    assert rest.read_text(encoding="utf-8") == f"{WRONG}\n{{\n"
    said = capsys.readouterr().err
    assert "in.jsonl:2: undecided: it is no object (annotated-request, " in said
    assert "in.jsonl:3: undecided: this is no JSON" in said


@pytest.mark.long
def test_a_file_is_replaced_by_itself_only_where_nothing_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    assert migrate(path, f"{OLD}\n{WRONG}\n", "-o", str(path)) == 4
    assert path.read_text(encoding="utf-8") == f"{OLD}\n{WRONG}\n"
    assert migrate(path, f"{OLD}\n", "-o", str(path)) == 0
    assert "optimization_contributions" in path.read_text(encoding="utf-8")
    assert sorted(tmp_path.iterdir()) == [path]


@pytest.mark.long
def test_json_is_one_object_or_a_list_of_them(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert migrate(tmp_path / "in.json", OLD, "--schema", "outcome") == 0
    assert json.loads(capsysbinary.readouterr().out)["optimization_contributions"] == []
    assert migrate(tmp_path / "in.json", f"[{NAME},\n{WRONG}]") == 4
    told = capsysbinary.readouterr()
    assert json.loads(told.out) == [json.loads(NAME)]
    assert b"in.json:2: undecided" in told.err


@pytest.mark.long
def test_lines_come_from_stdin_too(monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(NAME.encode())))
    assert main(["evolve", "migrate", "-", *STEP]) == 0
    assert capsysbinary.readouterr().out == f"{NAME}\n".encode()


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "words", "code", "said"),
    [
        ("", (), 3, "0 objects"),
        (NAME, ("--schema", "other"), 2, "edition 0.5 of relay has no schema 'other'"),
        (NAME, ("--suite", "interceptors"), 2, "suite interceptors has no edition '0.5'"),
        (NAME, ("--to", "0.99"), 2, "no suite has the editions 0.5 and 0.99"),
        (NAME, ("--to", "0.5"), 2, "0.5 does not come after 0.5"),
        (NAME, ("-o", "/nowhere/at/all"), 2, "/nowhere/at/all cannot be written"),
    ],
)
def test_how_it_ends(
    tmp_path: Path, text: str, words: tuple[str, ...], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert migrate(tmp_path / "in.jsonl", text, *words) == code
    assert said in capsys.readouterr().err


@pytest.mark.long
def test_a_file_that_is_not_there_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evolve", "migrate", str(tmp_path / "no.jsonl"), *STEP]) == 2
    assert main(["evolve", "migrate", str(tmp_path / "no.json"), *STEP]) == 2
    assert capsys.readouterr().err.count("no.json") == 2
