"""A report is a module and a line in the table; whoever offers reports offers it then, and nothing else changes."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from types import ModuleType
from typing import TextIO

import pytest

from bindproof.cli import main
from bindproof.core.errors import UsageError
from bindproof.core.request import RunRequest
from bindproof.report import REPORTS, Entry, Report, report_of
from bindproof.results import Emit, Fold, Line, RunLine, VerdictLine, encode


class Plans:
    """A report that names each plan with its outcome at once, and counts the lines in the end."""

    for_programs = False

    def __init__(self, stream: TextIO) -> None:
        self._stream, self._count = stream, 0

    def add(self, line: Line) -> None:
        self._count += 1
        if isinstance(line, VerdictLine):
            self._stream.write(f"{line.plan} {line.outcome}\n")

    def end(self) -> None:
        self._stream.write(f"{self._count} lines\n")


@pytest.fixture
def plans(monkeypatch: pytest.MonkeyPatch) -> None:
    """The report `plans`, made known as any other is."""
    module = ModuleType("reports_of_ours")
    module.report = Plans  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(REPORTS, "plans", Entry(module.__name__, "plans and outcomes"))


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch, mixed_log: list[Line]) -> None:
    """`bindproof run` emits the mixed log."""

    def execute(request: RunRequest, emit: Emit, progress: object) -> None:
        for line in mixed_log[:-1]:
            emit(line)

    monkeypatch.setattr("bindproof.runner.execute", execute)


def stream_of(file: io.BytesIO) -> TextIO:
    return io.TextIOWrapper(file, encoding="utf-8", write_through=True)


@pytest.mark.usefixtures("plans", "engine")
def test_a_new_report_is_offered_and_given_without_any_other_change(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--help"]) == 0
    assert "plans: plans and outcomes" in " ".join(capsys.readouterr().out.split())
    assert main(["run", "--report", "plans"]) == 4
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "relay/marks/two conforms"
    assert out[-1] == "14 lines"


@pytest.mark.long
@pytest.mark.usefixtures("engine")
def test_each_report_can_be_asked_for(capsys: pytest.CaptureFixture[str], mixed_log: list[Line]) -> None:
    told = {}
    for name in REPORTS:
        assert main(["run", "--report", name]) == 4
        told[name] = capsys.readouterr().out
    assert "Pending marks   1 broken" in told["requirements"]
    assert "relay/marks/two on reference (bindproof_reference 0.1.0, edition 0.10): conforms" in told["verdicts"]
    assert told["json"].encode() == b"".join(map(encode, mixed_log))
    assert main(["run", "--json"]) == 4
    assert capsys.readouterr().out == told["json"]


@pytest.mark.parametrize(("words", "usual"), [(["run"], "requirements"), (["replay", "relay/x"], "verdicts")])
def test_each_command_has_a_usual_report(
    words: list[str], usual: str, monkeypatch: pytest.MonkeyPatch, mixed_log: list[Line]
) -> None:
    asked: list[str] = []
    monkeypatch.setattr("bindproof.cli.run.perform", lambda engine, *, report, **_: asked.append(report))
    monkeypatch.setattr("bindproof.cli.replay.perform", lambda engine, *, report, **_: asked.append(report))
    monkeypatch.setattr("bindproof.cli.replay._hold_known", lambda vector: None)
    main(words)
    assert asked == [usual]


def test_two_reports_at_once_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--json", "--report", "verdicts"]) == 2
    assert "argument --report: not allowed with argument --json" in capsys.readouterr().err


def test_a_report_that_is_none_is_refused_with_the_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--report", "xunit"]) == 2
    err = capsys.readouterr().err
    assert "invalid choice: 'xunit'" in err
    assert all(name in err for name in REPORTS)


def test_a_line_is_printed_as_json_before_the_next_comes(mixed_log: list[Line]) -> None:
    file = io.BytesIO()
    report = report_of("json", stream_of(file))
    for count, line in enumerate(mixed_log, 1):
        report.add(line)
        assert file.getvalue().count(b"\n") == count
    report.end()
    assert file.getvalue() == b"".join(map(encode, mixed_log))


class Full(io.RawIOBase):
    """A stream that takes nothing."""

    def __init__(self, error: OSError) -> None:
        self._error = error

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        raise self._error


@pytest.mark.parametrize(
    ("error", "raised"), [(OSError(28, "No space left on device"), UsageError), (BrokenPipeError(), BrokenPipeError)]
)
def test_a_stream_that_takes_no_json_ends_it(error: OSError, raised: type[Exception], run_line: RunLine) -> None:
    stream = io.TextIOWrapper(Full(error), encoding="utf-8")  # type: ignore[type-var]
    report: Report = report_of("json", stream)
    with pytest.raises(raised):
        report.add(run_line)


def test_the_reports_for_people_say_nothing_of_a_run_that_ended_before_it_began(
    run_line: RunLine, mixed_log: list[Line]
) -> None:
    summary = Fold.over([run_line]).summary(usage="there is no adapter 'x'")
    for name in ("requirements", "verdicts"):
        stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        report = report_of(name, stream)
        report.add(run_line)
        report.add(summary)
        report.end()
        stream.seek(0)
        assert stream.read() == ""


def test_every_report_is_in_the_table() -> None:
    """A module with a function `report` that nobody can ask for would be dead."""
    folder = Path(sys.modules["bindproof.report"].__file__ or "").parent
    having = {path.stem for path in folder.glob("*.py") if "\ndef report(stream: TextIO)" in path.read_text("utf-8")}
    assert {entry.module for entry in REPORTS.values()} == {f"bindproof.report.{name}" for name in having}
