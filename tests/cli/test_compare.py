"""`bindproof compare`: of which logs and adapters, and how it ends."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest
from msgspec.structs import replace

from bindproof.cli import main
from bindproof.core.request import RunRequest
from bindproof.results import AdapterLine, Emit, Line, RunLine, VerdictLine, encode

pytestmark = pytest.mark.long

RUN = ["run", "--suite", "relay", "--adapter", "reference", "--vector", "relay/marks/two-*"]


@pytest.fixture
def logs(tmp_path: Path) -> tuple[str, str]:
    """The logs of two real runs; in the second a fault is planted, of which its request then says nothing."""
    before, after = tmp_path / "before.jsonl", tmp_path / "after.jsonl"
    assert main([*RUN, "--results", str(before)]) == 0
    assert main([*RUN, "--results", str(after), "--fault", "swap_marks"]) == 1
    after.write_text(
        after.read_text(encoding="utf-8").replace('"fault":"swap_marks"', '"fault":null'), encoding="utf-8"
    )
    return str(before), str(after)


def test_what_broke_is_exit_1_and_what_was_mended_is_not(
    logs: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    before, after = logs
    assert main(["compare", before, after]) == 1
    assert "MRK-002 Marks keep their order: held → broken" in capsys.readouterr().out
    assert main(["compare", after, before]) == 0
    assert "mended (1)" in capsys.readouterr().out
    assert main(["compare", before, before]) == 0
    assert main(["compare", after, after]) == 0
    assert "broke" not in capsys.readouterr().out


def test_json_has_all_of_it(logs: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *logs, "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert [(one["kind"], one["requirement"]) for one in told["changes"]] == [("broke", "MRK-002")]
    assert told["new"]["adapter"] == "reference"


def test_a_log_that_was_cut_short_is_not_compared(logs: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    before, after = logs
    whole = Path(after).read_bytes()
    for data in (whole[:-5], whole[: whole.rindex(b'{"type":"summary"')]):
        Path(after).write_bytes(data)
        assert main(["compare", before, after]) == 2
        assert "this run was cut short; finish it first: bindproof run --continue" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["compare"], "name two logs, or two adapters"),
        (["compare", "--adapter", "python"], "name two logs, or two adapters"),
        (["compare", "a", "b", "c"], "two logs are compared"),
        (["compare", "a", "b", "--suite", "relay"], "leave out --suite"),
        (["compare", "no.jsonl", "no.jsonl"], "there is no such log"),
    ],
)
def test_what_cannot_be_compared_is_told(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert said in capsys.readouterr().err


def test_logs_of_other_scenarios_are_not_compared(
    logs: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other.jsonl"
    assert main([*RUN[:-1], "relay/marks/two-in-order", "--results", str(other)]) == 0
    assert main(["compare", logs[0], str(other)]) == 2
    assert "another choice of vectors" in capsys.readouterr().err


def test_only_the_scenarios_that_are_named_are_compared(
    logs: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", *logs, "--vector", "relay/marks/two-in-order", "--json"]) == 1
    (change,) = json.loads(capsys.readouterr().out)["changes"]
    assert (change["requirement"], change["scenarios"]) == ("MRK-002", ["relay/marks/two-in-order"])
    assert main(["compare", *logs, "--vector", "relay/marks/nobody", "--vector", "relay/marks/two-*"]) == 2
    assert "no scenario of reference in these logs is called relay/marks/nobody" in capsys.readouterr().err


def written(path: Path, lines: Iterable[Line]) -> str:
    path.write_bytes(b"".join(map(encode, lines)))
    return str(path)


def test_of_several_adapters_one_is_named(
    mixed_log: list[Line], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = written(tmp_path / "log.jsonl", mixed_log)
    assert main(["compare", log, log]) == 2
    assert "which adapter? Name it with --adapter" in capsys.readouterr().err
    assert main(["compare", log, log, "--adapter", "nod"]) == 2
    assert "no adapter 'nod' in the log; name one of its own: node, reference, python" in capsys.readouterr().err
    assert main(["compare", log, log, "--adapter", "node"]) == 0
    assert main(["compare", log, "--adapter", "reference", "--adapter", "node"]) == 1
    assert "MRK-001 Marks keep their order: held → broken" in capsys.readouterr().out


def test_two_adapters_are_judged_now(
    run_line: RunLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[RunRequest] = []

    def execute(request: RunRequest, emit: Emit, progress: object) -> None:
        asked.append(request)
        lines: list[Line] = [replace(run_line, request=request, adapters=request.adapters)]
        for name in request.adapters:
            lines.append(AdapterLine(name, "ready", target="t"))
        for line in lines:
            emit(line)
        emit(VerdictLine("v", "relay", request.adapters[0], "conforms", held=("OUT-001",)))
        emit(VerdictLine("v", "relay", request.adapters[1], "crash", reason="it ended"))

    monkeypatch.setattr("bindproof.runner.execute", execute)
    words = ["compare", "--adapter", "t@1", "--adapter", "t@2", "--vector", "relay/marks/*"]
    words += ["--results", str(tmp_path / "log.jsonl")]
    assert main(words) == 2
    assert "nothing was judged of t@2" in capsys.readouterr().err
    assert (asked[0].adapters, asked[0].vectors) == (("t@1", "t@2"), ("relay/marks/*",))
    assert (tmp_path / "log.jsonl").read_bytes().count(b"\n") == 6
