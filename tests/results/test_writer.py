"""A log is on disk as it was written, line by line."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from bindproof.core.errors import UsageError
from bindproof.core.model import Defect, Evidence, Judgement, Plan, Verdict
from bindproof.core.origins import FromVector
from bindproof.core.request import RunRequest
from bindproof.results import Line, RunLine, Writer, encode, read, verdict_line


def test_what_was_written_is_read(tmp_path: Path, mixed_log: list[Line]) -> None:
    path = tmp_path / "run.jsonl"
    with Writer(path) as writer:
        for line in mixed_log:
            writer.write(line)
    assert list(read(path)) == mixed_log
    assert path.read_bytes() == b"".join(map(encode, mixed_log))


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


def test_a_file_that_cannot_be_opened_is_the_users_to_mend(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="the results cannot be written there"):
        Writer(tmp_path / "no" / "folder.jsonl")


EVIDENCE = (Evidence("s", "swapped", 1, [1], [2]),)
PLAN = Plan(
    FromVector("relay/x"), "relay", {"steps": []}, "a title", ("MRK-001",), Defect("/a", "AUT-002", "content_changed")
)
JUDGEMENTS = (Judgement("OUT-001"), Judgement("MRK-001", EVIDENCE), Judgement("MRK-002", EVIDENCE))


def test_a_diverging_verdict_keeps_what_a_reader_needs() -> None:
    verdict = Verdict(PLAN, "a", "diverges", JUDGEMENTS, "r", "always", None, [{"fact": "x"}], {"lanes": {}})
    line = verdict_line(verdict, expected={"MRK-002": "shipped#1"}, stderr="noise")
    assert line.held == ("OUT-001",)
    assert [(b.requirement, b.expected_by) for b in line.broken] == [("MRK-001", None), ("MRK-002", "shipped#1")]
    assert (line.scenario, line.defect, line.observation) == ({"steps": []}, PLAN.defect, [{"fact": "x"}])
    assert line.unexpected
    assert line.stderr == ""


def test_a_conforming_verdict_is_small() -> None:
    verdict = Verdict(PLAN, "a", "conforms", JUDGEMENTS[:1], observation=[])
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
