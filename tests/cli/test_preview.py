"""`bindproof preview`: of which releases and logs, and how it ends."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from bindproof.cli import main
from bindproof.core.request import RunRequest
from bindproof.results import AdapterLine, Broken, Emit, Fold, Line, RunLine, Speaks, VerdictLine, encode


def lines_of(run: RunLine, request: RunRequest, broken: Sequence[str]) -> list[Line]:
    """What a run is that has one scenario, which some of the adapters break."""
    lines: list[Line] = [replace(run, request=request, adapters=request.adapters)]
    spoken = (Speaks("relay", request.edition or "0.9", "python", 1),)
    lines += [
        AdapterLine(name, "ready", target="nemo-relay", version=name.partition("@")[2], suites=spoken)
        for name in request.adapters
    ]
    for name in request.adapters:
        if name in broken:
            lines.append(VerdictLine("v", "relay", name, "diverges", broken=(Broken("OUT-001"),), scenario={}))
        else:
            lines.append(VerdictLine("v", "relay", name, "conforms", held=("OUT-001",)))
    return lines


@pytest.fixture
def asked(run_line: RunLine, monkeypatch: pytest.MonkeyPatch) -> list[RunRequest]:
    """What is judged now: python@0.10.4 breaks its one scenario."""
    requests: list[RunRequest] = []

    def execute(request: RunRequest, emit: Emit, progress: object) -> None:
        requests.append(request)
        for line in lines_of(run_line, request, ["python@0.10.4"]):
            emit(line)

    monkeypatch.setattr("bindproof.runner.execute", execute)
    return requests


@pytest.fixture
def log(run_line: RunLine, tmp_path: Path) -> str:
    """The log of a run of python@0.9.4, which conforms."""
    lines = lines_of(run_line, RunRequest(adapters=("python@0.9.4",)), [])
    path = tmp_path / "run.jsonl"
    path.write_bytes(b"".join(map(encode, [*lines, Fold.over(lines).summary()])))
    return str(path)


@pytest.mark.long
def test_two_releases_are_judged_under_the_edition_of_the_newer(
    asked: list[RunRequest], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["preview", "python@0.9.4", "python@0.10.4"]) == 1
    assert (asked[0].adapters, asked[0].edition) == (("python@0.9.4", "python@0.10.4"), "0.10")
    out = capsys.readouterr().out
    assert "OUT-001 An outcome is used (1 verdict)\n  it holds in 0.9, 0.10\n  v: conforms → diverges (OUT-001)" in out
    assert "to know more: bindproof explain OUT-001" in out
    assert main(["preview", "python@0.10.4", "python@0.9.4", "--json", "--edition", "0.9"]) == 0
    assert asked[1].edition == "0.9"
    assert json.loads(capsys.readouterr().out)["changed"] == 1


@pytest.mark.long
def test_what_a_log_names_is_judged_where_it_is_trusted(
    log: str, asked: list[RunRequest], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["preview", log]) == 2
    assert f"bindproof preview {log} --trust-log" in capsys.readouterr().err
    assert asked == []
    assert main(["preview", log, "--trust-log"]) == 0
    assert "1 verdict as before, 0 changed, nothing worse" in capsys.readouterr().out
    assert main(["preview", log, "python@0.10.4"]) == 1
    assert [request.adapters for request in asked] == [("python@0.9.4",), ("python@0.10.4",)]


@pytest.mark.long
def test_two_logs_are_taken_as_they_are(log: str, asked: list[RunRequest], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["preview", log, log]) == 0
    assert asked == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["python@0.9.4"], "bindproof preview python@0.9.4 NAME@RELEASE"),
        (["python@0.9.4", "LOG"], "the earlier one is a log too"),
        (["LOG", "LOG", "--edition", "0.9"], "leave out --edition"),
        (["LOG", "--suite", "relay"], "leave out --suite"),
        (["no.jsonl", "python"], "there is no such log"),
        (["LOG", "--adapter", "python@0.10.4"], "to hold it against the log: bindproof preview "),
        (["nothing@1", "nothing@2"], "nothing"),
    ],
)
def test_what_cannot_be_previewed_is_told(
    words: list[str], said: str, log: str, asked: list[RunRequest], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["preview", *(log if word == "LOG" else word for word in words)]) == 2
    assert said in capsys.readouterr().err
    assert asked == []
