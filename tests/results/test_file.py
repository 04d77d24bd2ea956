"""A log comes back from disk as it was written, and a broken one is refused with its line."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path

import msgspec
import pytest

from bindproof.core.errors import LogError, UsageError
from bindproof.core.model import Defect, Evidence, Judgement, Plan, Verdict
from bindproof.core.origins import FromVector
from bindproof.core.request import RunRequest
from bindproof.results import Line, RunLine, Writer, encode, read, verdict_line


def test_what_was_written_is_read(tmp_path: Path, mixed_log: list[Line]) -> None:
    path, copy = tmp_path / "run.jsonl", io.BytesIO()
    with Writer(path, copy) as writer:
        for line in mixed_log:
            writer.write(line)
    assert list(read(path)) == mixed_log
    assert copy.getvalue() == path.read_bytes()


def test_every_line_is_on_disk_before_the_next_comes(tmp_path: Path, mixed_log: list[Line]) -> None:
    path = tmp_path / "run.jsonl"
    with Writer(path) as writer:
        for count, line in enumerate(mixed_log, 1):
            writer.write(line)
            assert path.read_bytes().count(b"\n") == count


def test_a_line_says_its_type_and_leaves_defaults_out(run_line: RunLine) -> None:
    line = json.loads(encode(run_line))
    assert line["type"] == "run"
    assert "request" not in line
    asked = msgspec.structs.replace(run_line, request=RunRequest(fault="swap_marks"))
    assert json.loads(encode(asked))["request"] == {"fault": "swap_marks"}


@pytest.mark.parametrize(
    ("content", "line", "what"),
    [
        (b"", None, "the file is empty"),
        (b"garbage\n", 1, "this is no line of a bindproof result log"),
        (b'{"type":"verdict","plan":"p","suite":"s","adapter":"a","outcome":"conforms"}\n', 1, "starts with a line"),
        (b'RUN{"type":"verdict","plan":"p","suite":"s","adapter":"a","outcome":"fine"}\n', 2, "Invalid enum value"),
        (b'RUN{"type":"verdict","plan":"cut o', 2, "this is no line of a bindproof result log"),
    ],
)
def test_a_broken_log_names_the_line(
    tmp_path: Path, run_line: RunLine, content: bytes, line: int | None, what: str
) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(content.replace(b"RUN", encode(run_line)))
    with pytest.raises(LogError) as caught:
        list(read(path))
    assert caught.value.line == line
    assert what in str(caught.value)


def test_a_log_of_another_format_is_refused(tmp_path: Path, run_line: RunLine) -> None:
    path = tmp_path / "run.jsonl"
    first = json.loads(encode(run_line))
    old = {name: value for name, value in first.items() if name != "format"} | {"arguments": ["run"], "seed": 0}
    for line, written in ((old, 1), (first | {"format": 3}, 3)):
        path.write_text(json.dumps(line), encoding="utf-8")
        with pytest.raises(LogError, match=f"run.jsonl:1: this log has format {written}, and this .* reads format 2: "):
            list(read(path))


def test_a_log_that_cannot_be_opened_is_the_users_to_mend(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"missing.jsonl: the log cannot be read: No such file"):
        list(read(tmp_path / "missing.jsonl"))
    with pytest.raises(UsageError, match="the results cannot be written there"):
        Writer(tmp_path / "no" / "folder.jsonl")


EVIDENCE = (Evidence("s", "swapped", 1, [1], [2]),)
PLAN = Plan(
    FromVector("relay/x"), "relay", {"steps": []}, "a title", ("MRK-001",), Defect("/a", "AUT-002", "content_changed")
)
JUDGEMENTS = (Judgement("OUT-001"), Judgement("MRK-001", EVIDENCE), Judgement("MRK-002", EVIDENCE))


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(LogError, match="pipe: a result log is read from a file; this is none"):
        list(read(pipe))


@pytest.mark.parametrize("cut_short", [False, True])
def test_a_line_that_is_too_long_is_not_read_to_its_end(
    tmp_path: Path, run_line: RunLine, monkeypatch: pytest.MonkeyPatch, *, cut_short: bool
) -> None:
    first = encode(run_line)
    monkeypatch.setattr("bindproof.results.file.LONGEST_LINE", 1 << 20)
    log = tmp_path / "run.jsonl"
    log.write_bytes(first + b'"' + b"x" * (1 << 20) + b'"\n')
    with pytest.raises(LogError, match=r"run.jsonl:2: this line is longer than \d+ MB; no line of a bindproof result"):
        list(read(log, cut_short=cut_short))


def test_a_diverging_verdict_keeps_what_a_reader_needs() -> None:
    verdict = Verdict(PLAN, "a", "diverges", JUDGEMENTS, "r", "always", None, {"log": []}, {"lanes": {}})
    line = verdict_line(verdict, expected={"MRK-002": "shipped#1"}, stderr="noise")
    assert line.held == ("OUT-001",)
    assert [(b.requirement, b.expected_by) for b in line.broken] == [("MRK-001", None), ("MRK-002", "shipped#1")]
    assert (line.scenario, line.defect, line.observation) == ({"steps": []}, PLAN.defect, {"log": []})
    assert line.unexpected
    assert line.stderr == ""


def test_a_conforming_verdict_is_small() -> None:
    verdict = Verdict(PLAN, "a", "conforms", JUDGEMENTS[:1], observation={"log": []})
    assert json.loads(encode(verdict_line(verdict))) == {
        "type": "verdict",
        "plan": "relay/x",
        "suite": "relay",
        "adapter": "a",
        "outcome": "conforms",
        "held": ["OUT-001"],
    }


def test_a_crash_keeps_the_tail_of_stderr() -> None:
    line = verdict_line(Verdict(PLAN, "a", "crash", reason="signal 6"), stderr="abort")
    assert (line.stderr, line.scenario, line.observation) == ("abort", {"steps": []}, None)
