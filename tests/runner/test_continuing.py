"""A run that was cut short, wherever that was, is finished to the log of a run that was not."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bindproof.cli import main
from bindproof.core.request import Campaign, RunRequest
from bindproof.results import AdapterLine, Line, RunLine, SummaryLine, VerdictLine, encode, read
from tests.conftest import REPOSITORY
from tests.runner.test_execute import expectations, program

pytestmark = pytest.mark.long


def words(fake: str, log: Path, *more: str) -> list[str]:
    command = ("--adapter-command", f"{fake}={program(fake)}", "--vector", "relay/marks/*", "--results", str(log))
    return ["run", *command, *more]


def comparable(log: Path) -> list[bytes]:
    return sorted(encode(line) for line in read(log) if not isinstance(line, RunLine))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The log of a whole run, with divergences that are known, others that are not, and a stale expectation."""
    folder = tmp_path_factory.mktemp("whole")
    known = expectations(folder, requirement="MRK-002")
    assert main(words("swaps_marks", folder / "run.jsonl", "--expectations", known)) == 1
    return folder / "run.jsonl"


@pytest.mark.parametrize("kept", [20, *(pytest.param(kept, marks=pytest.mark.long) for kept in (1, 2, 3, -1))])
def test_a_killed_run_is_finished(whole: Path, tmp_path: Path, kept: int) -> None:
    """The last line is left half written, as a kill may do."""
    lines = whole.read_bytes().splitlines(keepends=True)
    log = tmp_path / "run.jsonl"
    log.write_bytes(b"".join(lines[:kept]) + lines[kept][:20])

    assert main(["run", "--trust-log", "--continue", str(log)]) == 1
    assert comparable(log) == comparable(whole)
    assert not list(tmp_path.glob("*.part"))


def test_what_was_judged_is_not_acted_out_again(whole: Path, tmp_path: Path) -> None:
    lines = list(read(whole))
    judged = [line for line in lines if isinstance(line, VerdictLine) and line.outcome == "conforms"]
    told = [encode(line) for line in lines if not isinstance(line, SummaryLine)]
    told[told.index(encode(judged[0]))] = encode(
        VerdictLine(judged[0].plan, "relay", "swaps_marks", "conforms", origin=judged[0].origin)
    )
    log = tmp_path / "run.jsonl"
    log.write_bytes(b"".join(told))

    assert main(["run", "--trust-log", "--continue", str(log)]) == 1
    assert [line.held for line in read(log) if isinstance(line, VerdictLine) and line.plan == judged[0].plan] == [()]


def test_ctrl_c_keeps_a_log_that_can_be_continued(tmp_path: Path) -> None:
    log = tmp_path / "run.jsonl"
    path = os.pathsep.join(map(str, (REPOSITORY / "conformance", REPOSITORY / "reference_impl")))
    run = subprocess.Popen(
        [sys.executable, "-m", "bindproof", *words("takes_its_time", log)],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    until = time.monotonic() + 60
    while time.monotonic() < until and not (log.is_file() and log.read_bytes().count(b'"type":"verdict"') > 3):
        time.sleep(0.01)
    run.send_signal(signal.SIGINT)
    assert run.wait(60) == 130
    lines = list(read(log))
    assert isinstance(lines[-1], SummaryLine)
    assert (lines[-1].exit, lines[-1].interrupted) == (130, True)
    before = [line for line in lines if isinstance(line, VerdictLine)]

    assert main(["run", "--trust-log", "--continue", str(log), "--jobs", "2"]) == 0
    after = list(read(log))
    (adapter,) = [line for line in after if isinstance(line, AdapterLine)]
    assert 3 < len(before) < adapter.suites[0].selected == sum(isinstance(line, VerdictLine) for line in after)
    assert [line for line in after if isinstance(line, VerdictLine)][: len(before)] == before


def test_an_adapter_that_failed_before_is_not_tried_again(whole: Path, tmp_path: Path) -> None:
    lines = list(read(whole))
    failed = AdapterLine("swaps_marks", "failed", required=True, reason="it died")
    log = tmp_path / "run.jsonl"
    log.write_bytes(b"".join(map(encode, [*lines[:5], failed])))

    assert main(["run", "--trust-log", "--continue", str(log)]) == 4
    verdicts = [line for line in read(log) if isinstance(line, VerdictLine)]
    assert [line.outcome for line in verdicts if line not in lines[2:5]] == ["not_run"] * (len(verdicts) - 3)
    assert {line.reason for line in verdicts[3:]} == {"it died"}


def changed(lines: list[Line], **fields: object) -> list[Line]:
    return [line if at != fields["at"] else _with(line, fields) for at, line in enumerate(lines[:9])]


def _with(line: Line, fields: dict[str, object]) -> Line:
    return msgspec.structs.replace(line, **{name: value for name, value in fields.items() if name != "at"})


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"at": 0, "bindproof": "9.9"}, "run.jsonl:1: it cannot be continued, the version of bindproof differs"),
        ({"at": 0, "spec": "00"}, "run.jsonl:1: it cannot be continued, the spec differs; start the run anew"),
        (
            {"at": 0, "request": RunRequest(details=True)},
            "this is no log of bindproof run, but of bindproof replay\n`bindproof run --help` shows how",
        ),
        ({"at": 1, "version": "0.9"}, "adapter swaps_marks has changed since the run began: version; start the run"),
        ({"at": 1, "program": "00"}, "adapter swaps_marks has changed since the run began: its own code; start the"),
    ],
)
def test_another_run_is_not_continued(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], fields: dict[str, object], said: str
) -> None:
    log = tmp_path / "run.jsonl"
    log.write_bytes(b"".join(map(encode, changed(list(read(whole)), **fields))))
    assert main(["run", "--trust-log", "--continue", str(log)]) == 2
    out, err = capsys.readouterr()
    assert said in f"{' '.join(out.split())} {err}"


def test_a_run_that_was_killed_just_after_its_end_is_reported_again(
    whole: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = whole.read_bytes()
    assert main(["run", "--continue", str(whole)]) == 1
    out, err = capsys.readouterr()
    assert "run.jsonl: this run came to its end; this is its report" in err
    assert "MRK-002" in out
    assert whole.read_bytes() == before


def test_an_adapter_that_is_missing_again_has_one_line(tmp_path: Path) -> None:
    log = tmp_path / "run.jsonl"
    assert main(words("swaps_marks", log, "--adapter", "reference@0")) == 1
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:-1]))
    assert main(["run", "--trust-log", "--continue", str(log)]) == 1
    states = [(line.name, line.state) for line in read(log) if isinstance(line, AdapterLine)]
    assert sorted(states) == [("reference@0", "unavailable"), ("swaps_marks", "ready")]


def test_other_choices_are_refused(whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "run.jsonl"
    log.write_bytes(whole.read_bytes().splitlines(keepends=True)[0])
    assert main(["run", "--continue", str(log), "--adapter", "node", "--edition", "0.9"]) == 2
    assert "takes its choices from the log, which has others; leave out --adapter, --edition" in capsys.readouterr().err
    empty = tmp_path / "empty.jsonl"
    empty.write_bytes(b"")
    assert main(["run", "--continue", str(empty)]) == 2
    assert "the file is empty" in capsys.readouterr().err
    assert main(["run", "--continue", str(tmp_path / "none.jsonl")]) == 2
    assert "none.jsonl: there is no such log to go on with" in capsys.readouterr().err


def cut_short(folder: Path, run: RunLine, **asked: Any) -> Path:
    """A log that has its first line alone, of a run that was asked for so."""
    log = folder / "run.jsonl"
    request = msgspec.structs.replace(run.request, **asked)
    log.write_bytes(encode(msgspec.structs.replace(run, request=request)))
    return log


@pytest.fixture
def first(whole: Path) -> RunLine:
    line = next(iter(read(whole)))
    assert isinstance(line, RunLine)
    return line


@pytest.mark.parametrize("command", ["run", "fuzz"])
def test_a_program_that_a_log_names_is_shown_and_not_started(
    command: str, first: RunLine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    touched = tmp_path / "touched"
    twice = (("swaps_marks", "x"), ("swaps_marks", f"touch {touched}\x1b[8m"))
    campaign = Campaign() if command == "fuzz" else None
    log = cut_short(tmp_path, first, adapter_commands=twice, campaign=campaign)
    written = log.read_bytes()
    assert main([command, "--continue", str(log), "--adapter-command", "swaps_marks=x"]) == 2
    told = capsys.readouterr().err
    assert f"--adapter-command 'swaps_marks=touch {touched}\\x1b[8m'\n" in told
    assert f"bindproof {command} --continue {log} --trust-log" in told
    assert "swaps_marks=x" not in told
    assert (touched.exists(), log.read_bytes()) == (False, written)


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ({"adapters": ("python@./evil.whl",)}, "--adapter python@./evil.whl"),
        ({"adapters": ("node@9.9.9",)}, "--adapter node@9.9.9"),
        ({"adapters": ("./evil",)}, "--adapter ./evil"),
        ({"expectations": "/dev/zero"}, "--expectations /dev/zero"),
        ({"campaign": Campaign(save="/etc")}, "--save /etc"),
    ],
)
def test_what_a_log_would_get_read_or_write_is_shown_and_not_used(
    asked: dict[str, Any],
    shown: str,
    first: RunLine,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    log = cut_short(tmp_path, first, **({"adapter_commands": (), "expectations": None} | asked))
    assert main(["fuzz" if "campaign" in asked else "run", "--continue", str(log)]) == 2
    assert f"paths to use:\n  {shown}\nNothing was started." in capsys.readouterr().err


def test_what_is_given_again_is_confirmed(whole: Path, first: RunLine, tmp_path: Path) -> None:
    log = cut_short(tmp_path, first)
    assert first.request.expectations is not None
    again = ["--adapter-command", f"swaps_marks={program('swaps_marks')}"]
    assert main(["run", "--continue", str(log), *again]) == 2
    assert main(["run", "--continue", str(log), *again, "--expectations", first.request.expectations]) == 1
    assert comparable(log) == comparable(whole)
