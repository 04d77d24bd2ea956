"""A log comes back from disk as typed lines, and a broken one is refused with file and line."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from bindproof.core.errors import LogError
from bindproof.core.origins import FromFile
from bindproof.results import (
    AdapterLine,
    FindingLine,
    Line,
    Log,
    RunLine,
    StaleLine,
    SummaryLine,
    VerdictLine,
    encode,
    read,
)
from tests.results.every_line import EVERY_FIELD

RUN, ADAPTER, VERDICT, FINDING, STALE, SUMMARY = (
    EVERY_FIELD[kind][1] for kind in (RunLine, AdapterLine, VerdictLine, FindingLine, StaleLine, SummaryLine)
)


def written(folder: Path, *lines: Line | bytes) -> Path:
    path = folder / "run.jsonl"
    path.write_bytes(b"".join(line if isinstance(line, bytes) else encode(line) for line in lines))
    return path


def refusal(path: Path, *, cut_short: bool = False) -> LogError:
    with pytest.raises(LogError) as caught:
        list(read(path, cut_short=cut_short))
    assert caught.value.path == path
    return caught.value


def test_every_type_of_line_is_in_the_table() -> None:
    assert set(EVERY_FIELD) == set(get_args(Line))


@pytest.mark.parametrize("kind", EVERY_FIELD)
def test_a_line_with_every_field_is_read_as_its_type(kind: type[Any], tmp_path: Path) -> None:
    on_disk, line = EVERY_FIELD[kind]
    assert on_disk.keys() == {"type", *kind.__struct_fields__}
    before: list[Line] = [] if kind is RunLine else [RUN] if kind is AdapterLine else [RUN, ADAPTER]
    path = written(tmp_path, *before, json.dumps(on_disk).encode() + b"\n")
    assert list(read(path)) == [*before, line]


@pytest.mark.parametrize("kind", EVERY_FIELD)
def test_a_line_is_written_as_it_is_read(kind: type[Any]) -> None:
    on_disk, line = EVERY_FIELD[kind]
    again = json.loads(encode(line))
    if kind in (VerdictLine, FindingLine):  # evidence leaves out what it has not
        again = msgspec.to_builtins(msgspec.convert(again, kind)) | {"type": again["type"]}
        on_disk = msgspec.to_builtins(msgspec.convert(on_disk, kind)) | {"type": on_disk["type"]}
    assert again == on_disk


def test_the_log_knows_its_first_line_before_the_others_are_read(tmp_path: Path) -> None:
    path = written(tmp_path, RUN, b"garbage\n")
    log = read(path)
    assert log == Log(path, RUN)  # type: ignore[arg-type]
    lines = iter(log)
    assert next(lines) == RUN
    with pytest.raises(LogError, match=r"run.jsonl:2: this is no line"):
        next(lines)


def test_a_log_is_read_as_often_as_one_likes(tmp_path: Path, mixed_log: list[Line]) -> None:
    log = read(written(tmp_path, *mixed_log))
    assert list(log) == list(log) == mixed_log


def test_a_verdict_gives_the_records_that_are_allowed_by_lane() -> None:
    assert isinstance(VERDICT, VerdictLine)
    assert VERDICT.allowed == {"s": [{"fact": "settled"}]}
    assert msgspec.structs.replace(VERDICT, prediction=None).allowed == {}


DEEP = b'{"type":"verdict","plan":"p","suite":"s","adapter":"a","outcome":"conforms","scenario":' + b"[" * 100_000


@pytest.mark.parametrize(
    ("content", "line", "what"),
    [
        (b"", None, "the file is empty; a result log starts with a line of type run"),
        (b"garbage\n", 1, "this is no line of a bindproof result log: JSON is malformed"),
        (b"[]\n", 1, "this is no line of a bindproof result log: Expected `object`, got `array`"),
        (b'{"type":"verdict","plan":"p","suite":"s","adapter":"a","outcome":"conforms"}\n', 1, "starts with a line"),
        (b'{"type":"run","format":2}\n', 1, "Object missing required field `bindproof`"),
        (b'RUN{"type":"verdict","plan":"p","suite":"s","adapter":"a","outcome":"fine"}\n', 2, "Invalid enum value"),
        (b'RUN{"type":"verdict","suite":"s","adapter":"a","outcome":"crash"}\n', 2, "missing required field `plan`"),
        (b'RUN{"type":"praise"}\n', 2, "Invalid value 'praise' - at `$.type`"),
        (b'RUN{"name":"node","state":"ready"}\n', 2, "Object missing required field `type`"),
        (b'RUN{"type":"stale","expectation":1}\n', 2, "Expected `str`, got `int` - at `$.expectation`"),
        (b'RUN{"type":"summary","exit":"0"}\n', 2, "Expected `int`, got `str` - at `$.exit`"),
        (b"RUN\n", 2, "this is no line of a bindproof result log"),
        (b'RUN{"type":"verdict","plan":"cut o', 2, "this is no line of a bindproof result log"),
        (b'RUN{"type":"stale","expectation":"\xff"}\n', 2, "this is no line of a bindproof result log: Invalid UTF-8"),
        (b"RUN" + DEEP + b"\n", 2, "this is no line of a bindproof result log: maximum recursion depth"),
    ],
)
def test_a_broken_line_is_refused_with_its_number(tmp_path: Path, content: bytes, line: int | None, what: str) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(content.replace(b"RUN", encode(RUN)))
    error = refusal(path)
    assert error.line == line
    assert what in error.what


OTHER = msgspec.structs.replace(ADAPTER, name="python", suites=())


@pytest.mark.parametrize(
    ("lines", "at", "what"),
    [
        ([RUN, ADAPTER, SUMMARY, RUN, ADAPTER, SUMMARY], 4, "another log begins here, and a file holds one"),
        ([RUN, RUN], 2, "another log begins here, and a file holds one"),
        ([RUN, ADAPTER, SUMMARY, VERDICT], 4, "the log has ended before this line"),
        ([RUN, ADAPTER, SUMMARY, SUMMARY], 4, "the log has ended before this line"),
        ([RUN, VERDICT, ADAPTER], 2, "adapter 'node' is not judged on suite 'relay' by any line before this one"),
        ([RUN, OTHER, FINDING], 3, "adapter 'node' is not judged on suite 'relay' by any line before this one"),
        ([RUN, STALE], 2, "no line before this one is about adapter 'node'"),
    ],
)
def test_a_line_that_cannot_come_there_is_refused(tmp_path: Path, lines: list[Line], at: int, what: str) -> None:
    error = refusal(written(tmp_path, *lines))
    assert error.line == at
    assert what in error.what


def test_an_adapter_that_failed_later_keeps_its_suites(tmp_path: Path) -> None:
    lines = [RUN, ADAPTER, AdapterLine("node", "failed", reason="it died"), VERDICT]
    assert list(read(written(tmp_path, *lines))) == lines


def test_a_last_line_that_was_cut_off_is_left_out_where_that_is_asked_for(tmp_path: Path) -> None:
    path = written(tmp_path, RUN, ADAPTER, encode(VERDICT)[:40])
    assert list(read(path, cut_short=True)) == [RUN, ADAPTER]
    assert refusal(path).line == 3
    whole = written(tmp_path, encode(RUN)[:40])
    assert "its first line was cut off" in refusal(whole, cut_short=True).what


def test_a_log_of_another_format_is_refused(tmp_path: Path) -> None:
    first = EVERY_FIELD[RunLine][0]
    old = {name: value for name, value in first.items() if name != "format"} | {"arguments": ["run"], "seed": 0}
    for line, format_ in ((old, 1), (first | {"format": 3}, 3)):
        error = refusal(written(tmp_path, json.dumps(line).encode() + b"\n"))
        assert str(error).startswith(
            f"{error.path}:1: this log has format {format_}, and this bindproof reads format 2: use"
        )


def test_a_file_that_is_not_there_is_the_users_to_mend(tmp_path: Path) -> None:
    path = tmp_path / "missing.jsonl"
    assert refusal(path).what == f"there is no such log; `bindproof run --results {path}` writes one"


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert refusal(tmp_path / "pipe").what == "a result log is read from a file; this is none"


@pytest.mark.parametrize("cut_short", [False, True])
def test_a_line_that_is_too_long_is_not_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, cut_short: bool
) -> None:
    monkeypatch.setattr("bindproof.results.reader.LONGEST_LINE", 1 << 20)
    error = refusal(written(tmp_path, RUN, b'"' + b"x" * (1 << 20) + b'"\n'), cut_short=cut_short)
    assert (error.line, error.what) == (2, "this line is longer than 1 MB; no line of a bindproof result log is")


def test_a_vector_in_a_file_is_told_from_one_of_the_spec(tmp_path: Path) -> None:
    lines = [RUN, ADAPTER, VerdictLine("file/a.json", "relay", "node", "conforms", origin=FromFile("x/a.json"))]
    *_, verdict = read(written(tmp_path, *lines))
    assert isinstance(verdict, VerdictLine)
    assert verdict.came_from == FromFile("x/a.json")
