"""`run` and `replay`, with an engine that emits a log which was written beforehand."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bindproof.cli import main
from bindproof.core.errors import UsageError
from bindproof.core.request import RunRequest, Shard
from bindproof.results import AdapterLine, Line, RunLine, Speaks, VerdictLine, read


class Engine:
    """Stands in for the runner's: keeps the request, emits `lines`, then raises `ends_with` if there is one."""

    def __init__(self) -> None:
        self.requests: list[RunRequest] = []
        self.lines: list[Line] = []
        self.ends_with: BaseException | None = None

    def execute(self, request: RunRequest, emit: Callable[[Line], None], progress: Callable[[str], None]) -> None:
        self.requests.append(request)
        progress("building nothing")
        for line in self.lines:
            emit(line)
        if self.ends_with is not None:
            raise self.ends_with


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch, run_line: RunLine) -> Engine:
    engine = Engine()
    engine.lines = [
        run_line,
        AdapterLine("reference", "ready", suites=(Speaks("relay", "0.9", "wire", 1),)),
        VerdictLine("relay/a", "relay", "reference", "conforms", held=("OUT-001",)),
    ]
    monkeypatch.setattr("bindproof.runner.execute", engine.execute)
    return engine


def test_run_prints_progress_to_stderr_and_the_report_to_stdout(
    engine: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run"]) == 0
    out, err = capsys.readouterr()
    assert err == "building nothing\n"
    assert out.endswith("\n1 of 1 adapter judged: 1 scenario, 0 unexpected divergences, 0 known\n")


def test_run_asks_for_what_was_typed(engine: Engine) -> None:
    words = (
        "run --suite relay --adapter node --adapter python@0.9.4 --adapter-command mine=./a=b --edition 0.9 "
        "--requirement MRK-* --requirement OUT-* --vector relay/* --fault swap_marks --timeout 2.5 --expectations none "
        "--jobs 3 --shard 2/8"
    )
    main(words.split())
    assert engine.requests == [
        RunRequest(
            suite="relay",
            adapters=("node", "python@0.9.4"),
            adapter_commands=(("mine", "./a=b"),),
            edition="0.9",
            requirements=("MRK-*", "OUT-*"),
            vectors=("relay/*",),
            files=(),
            fault="swap_marks",
            timeout=2.5,
            expectations="none",
            processes=3,
            shard=Shard(2, 8),
        )
    ]


NOTHING: dict[str, Any] = dict.fromkeys(("suite", "edition", "fault", "timeout", "expectations")) | dict.fromkeys(
    ("adapters", "adapter_commands", "requirements", "vectors", "files"), ()
)


def test_run_without_words_asks_for_nothing_special(engine: Engine) -> None:
    main(["run"])
    assert engine.requests == [RunRequest(**NOTHING)]


@pytest.mark.long
def test_replay_asks_for_a_vector_by_its_id(engine: Engine) -> None:
    words = ("replay", "relay/marks/two-in-order", "--adapter", "node")
    main(words)
    assert engine.requests == [RunRequest(**NOTHING | {"vectors": (words[1],), "adapters": ("node",), "details": True})]


def test_replay_asks_for_a_file(engine: Engine, tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text("{}", encoding="utf-8")
    main(["replay", str(file)])
    assert engine.requests == [RunRequest(**NOTHING | {"files": (str(file),), "details": True})]


def test_replay_of_a_file_that_is_not_there(engine: Engine, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "./mine.json"]) == 2
    assert capsys.readouterr().err == (
        "bindproof: mine.json: there is no such file; a vector's id has no .json: "
        "`bindproof spec list --vectors` shows the ids\n"
    )


@pytest.mark.long
def test_replay_of_a_vector_that_does_not_exist(engine: Engine, capsys: pytest.CaptureFixture[str]) -> None:
    for written, hint in (("two-in-order", "did you mean relay/marks/two-in-order?"), ("zebra", "spec list --vectors")):
        assert main(["replay", written]) == 2
        err = capsys.readouterr().err
        assert err.startswith(f"bindproof: there is no vector {written!r}; ")
        assert hint in err
    assert engine.requests == []


def test_json_is_all_that_stdout_gets(engine: Engine, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results = tmp_path / "run.jsonl"
    assert main(["run", "--json", "--results", str(results)]) == 0
    out, err = capsys.readouterr()
    assert [json.loads(line)["type"] for line in out.splitlines()] == ["run", "adapter", "verdict", "summary"]
    assert out == results.read_text(encoding="utf-8")
    assert err == "building nothing\n"


def test_json_says_on_stderr_why_it_fails(
    engine: Engine, mixed_log: list[Line], capsys: pytest.CaptureFixture[str]
) -> None:
    engine.lines = mixed_log[:-1]
    assert main(["run", "--json"]) == 4
    assert capsys.readouterr().err == "building nothing\nbindproof: 1 scenario ended in a fault of the adapter\n"


def test_an_interrupt_keeps_results(engine: Engine, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    engine.ends_with = KeyboardInterrupt()
    results = tmp_path / "run.jsonl"
    assert main(["run", "--results", str(results)]) == 130
    assert [type(line).__name__ for line in read(results)] == ["RunLine", "AdapterLine", "VerdictLine", "SummaryLine"]
    out = capsys.readouterr().out
    assert "interrupted; what was judged so far is kept\n1 of 1 adapter judged: 1 scenario" in out


def test_a_bug_keeps_results_and_says_whose_it_is(
    engine: Engine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    engine.ends_with = RuntimeError("boom-17!")
    results = tmp_path / "run.jsonl"
    assert main(["run", "--results", str(results)]) == 70
    summary = list(read(results))[-1]
    assert "boom-17!" in str(summary)
    err = capsys.readouterr().err
    assert "RuntimeError: boom-17!" in err
    assert "This is a bug in bindproof" in err


def test_a_usage_error_in_the_midst_keeps_results(engine: Engine, capsys: pytest.CaptureFixture[str]) -> None:
    engine.ends_with = UsageError("relay/b: its file went away")
    assert main(["run"]) == 2
    assert "relay/b: its file went away\n1 of 1 adapter judged" in capsys.readouterr().out


def test_a_usage_error_before_any_adapter_is_all_that_is_said(
    engine: Engine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    engine.lines, engine.ends_with = engine.lines[:1], UsageError("there is no adapter 'cobol'")
    results = tmp_path / "run.jsonl"
    assert main(["run", "--results", str(results)]) == 2
    assert capsys.readouterr() == ("", "building nothing\nbindproof: there is no adapter 'cobol'\n")
    assert [type(line).__name__ for line in read(results)] == ["RunLine", "SummaryLine"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (UsageError("no fault 'x'"), 2, "bindproof: no fault 'x'\n`bindproof run --help` shows how it is used\n"),
        (KeyboardInterrupt(), 130, "bindproof: interrupted\n"),
        (RuntimeError("boom-18!"), 70, "command that you typed.\n"),
        (MemoryError(), 2, "bindproof: there is not enough memory to go on; what was judged before is kept\n"),
    ],
)
def test_what_ends_a_run_before_its_first_line(
    engine: Engine, capsys: pytest.CaptureFixture[str], error: BaseException, code: int, said: str
) -> None:
    engine.lines, engine.ends_with = [], error
    assert main(["run"]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith(said)


def test_results_that_cannot_be_written(engine: Engine, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--results", str(tmp_path / "no" / "run.jsonl")]) == 2
    assert "the results cannot be written there" in capsys.readouterr().err
    assert engine.requests == []


@pytest.mark.long
def test_a_replay_shows_every_verdict_in_full(
    engine: Engine, mixed_log: list[Line], capsys: pytest.CaptureFixture[str]
) -> None:
    engine.lines = mixed_log[:-1]
    main(["replay", "relay/dialects/*"])
    out = capsys.readouterr().out
    assert "relay/dialects/one on node (nemo-relay-node 0.9.2, edition 0.9): diverges\n" in out
    assert "known because: the package spells it so\n" in out
    assert "relay/outcomes/one on reference" in out
