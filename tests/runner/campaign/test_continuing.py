"""A campaign that was cut short, wherever that was, is finished to the log of one that was not."""

from __future__ import annotations

from pathlib import Path

import pytest

from bindproof.cli import main
from bindproof.results import AdapterLine, ChoicesLine, FindingLine, Line, VerdictLine, encode, read
from tests.runner.test_execute import program

EXAMPLES = 10
SEED = 7
"""Of this seed the first three scenarios do not show the fault, and two findings are soon small."""


def words(log: Path, *more: str) -> list[str]:
    adapter = ("--adapter-command", f"reference={program('reference')}", "--fault", "drop_end")
    return ["fuzz", *adapter, "--examples", str(EXAMPLES), "--seed", str(SEED), "--results", str(log), *more]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The log of a whole campaign, with findings."""
    log = tmp_path_factory.mktemp("whole") / "fuzz.jsonl"
    assert main(words(log)) == 1
    return log


def told(log: Path) -> tuple[object, ...]:
    """What a log says in the end, in an order of its own."""
    lines: list[Line] = list(read(log))
    verdicts = [(line.plan, line.outcome, line.found) for line in lines if isinstance(line, VerdictLine)]
    findings = [(line.id, line.breaks, line.acted) for line in lines if isinstance(line, FindingLine)]
    never = [line.never for line in lines if isinstance(line, ChoicesLine)]
    return sorted(map(str, verdicts)), sorted(findings), never


@pytest.mark.long
@pytest.mark.parametrize("kept", [1, 10])
def test_a_killed_campaign_is_finished(whole: Path, tmp_path: Path, kept: int) -> None:
    """The last line is left half written, as a kill may do."""
    lines = whole.read_bytes().splitlines(keepends=True)
    log = tmp_path / "fuzz.jsonl"
    log.write_bytes(b"".join(lines[:kept]) + lines[kept][:20])
    assert main(["fuzz", "--trust-log", "--continue", str(log)]) == 1
    assert told(log) == told(whole)


@pytest.mark.long
def test_what_was_judged_is_not_acted_out_again(whole: Path, tmp_path: Path) -> None:
    lines = list(read(whole))[:-1]
    judged = next(line for line in lines if isinstance(line, VerdictLine) and line.outcome == "conforms")
    marked = VerdictLine(judged.plan, "relay", "reference", "conforms", origin=judged.origin)
    log = tmp_path / "fuzz.jsonl"
    log.write_bytes(b"".join(encode(marked if line == judged else line) for line in lines))
    assert main(["fuzz", "--trust-log", "--continue", str(log)]) == 1
    (again,) = [line for line in read(log) if isinstance(line, VerdictLine) and line.plan == judged.plan]
    assert again.held == ()


@pytest.mark.long
def test_the_log_of_another_command_and_other_choices_are_refused(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "fuzz.jsonl"
    log.write_bytes(whole.read_bytes().splitlines(keepends=True)[0])
    assert main(["run", "--continue", str(log)]) == 2
    assert "no log of bindproof run, but of bindproof fuzz" in capsys.readouterr().err
    assert main(["fuzz", "--continue", str(log), "--seed", "4"]) == 2
    assert "leave out --seed" in capsys.readouterr().err


@pytest.fixture(scope="module")
def leaky(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The log of a whole campaign in which scenarios end in a fault of the adapter."""
    log = tmp_path_factory.mktemp("leaky") / "fuzz.jsonl"
    adapter = f"leaves_marks_registered={program('leaves_marks_registered')}"
    assert main(["fuzz", "--adapter-command", adapter, "--seed", "6", "--examples", "16", "--results", str(log)]) == 4
    return log


@pytest.mark.long
def test_faults_of_the_adapter_are_found_again_and_no_line_of_it_is_repeated(leaky: Path, tmp_path: Path) -> None:
    log = tmp_path / "fuzz.jsonl"
    log.write_bytes(b"".join(leaky.read_bytes().splitlines(keepends=True)[:-2]))
    assert main(["fuzz", "--trust-log", "--continue", str(log)]) == 4
    assert told(log) == told(leaky)
    assert [line.state for line in read(log) if isinstance(line, AdapterLine)] == ["ready"]


@pytest.mark.long
def test_an_adapter_that_failed_is_not_started_again_and_the_rest_is_counted(whole: Path, tmp_path: Path) -> None:
    lines = [line for line in read(whole) if not isinstance(line, FindingLine)]
    log = tmp_path / "fuzz.jsonl"
    failed = AdapterLine("reference", "failed", required=True, reason="it died")
    log.write_bytes(b"".join(map(encode, [*lines[:5], failed])))
    assert main(["fuzz", "--trust-log", "--continue", str(log)]) == 4
    verdicts = [line for line in read(log) if isinstance(line, VerdictLine)]
    assert len(verdicts) == EXAMPLES
    assert {line.reason for line in verdicts if line.outcome == "not_run"} == {"it died"}
