"""`bindproof report`, and reports in files: of logs as they are found, and files that are whole or not there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from msgspec.structs import replace

from benchmarks.logs import lines as large_log
from bindproof.cli import main, parser
from bindproof.cli.outputs import files_of
from bindproof.report import REPORTS
from bindproof.results import AdapterLine, Fold, Line, RunLine, SummaryLine, VerdictLine, encode, read, together
from tests.conftest import REPOSITORY

Log = Callable[..., Path]


@pytest.fixture
def log(tmp_path: Path) -> Log:
    """Writes lines into a file, and gives its path."""

    def write(lines: Iterable[Line], name: str = "run.jsonl") -> Path:
        path = tmp_path / name
        path.write_bytes(b"".join(map(encode, lines)))
        return path

    return write


def only(lines: list[Line], adapter: str) -> list[Line]:
    """The log of a run of one adapter alone."""
    run, *rest, _ = lines
    assert isinstance(run, RunLine)
    kept = [line for line in rest if getattr(line, "adapter", getattr(line, "name", adapter)) == adapter]
    first = replace(run, adapters=(adapter,), request=replace(run.request, adapters=(adapter,)))
    return [first, *kept, Fold.over([first, *kept]).summary()]


def test_it_tells_again_what_the_run_told(log: Log, mixed_log: list[Line], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(log(mixed_log))]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("2 of 3 adapters judged: 4 scenarios")


@pytest.mark.long
def test_every_report_in_a_file_has_its_option(
    log: Log, mixed_log: list[Line], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = [entry.option for entry in REPORTS.values() if entry.option is not None]
    assert set(options) >= {"html", "junit", "markdown", "sarif", "badge", "summary"}
    files = {name: tmp_path / f"out.{name}" for name in options}
    words = [word for name, path in files.items() for word in (f"--{name}", str(path))]
    assert main(["report", str(log(mixed_log)), *words]) == 0
    capsys.readouterr()
    for name, path in files.items():
        assert main(["report", str(log(mixed_log)), "--report", name]) == 0
        assert capsys.readouterr().out == path.read_text(encoding="utf-8")
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix == ".part") == []


@pytest.mark.long
def test_a_run_writes_its_reports_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["run", "--suite", "relay", "--adapter", "reference", "--vector", "relay/marks/two-in-order"]
    out = tmp_path / "run"
    files = ["--html", f"{out}.html", "--junit", f"{out}.xml", "--markdown", f"{out}.md", "--badge", f"{out}.json"]
    assert main([*words, *files, "--fault", "swap_marks", "--results", f"{out}.jsonl"]) == 1
    assert "MRK-002" in Path(f"{out}.html").read_text(encoding="utf-8")
    assert "<failure" in Path(f"{out}.xml").read_text(encoding="utf-8")
    assert json.loads(Path(f"{out}.json").read_text(encoding="utf-8"))["color"] == "red"
    assert "scenarios" in capsys.readouterr().out or Path(f"{out}.md").exists()


# Logs as they are found


@pytest.mark.long
@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "the file is empty"),
        (b'{"type":"run","form', "its first line was cut off"),
        (b"no log\n", "this is no line of a bindproof result log"),
        (b'{"type":"run"}\n', "this log has format 1, and this bindproof reads format 2"),
        (b'{"type":"run","format":3}\n', "this log has format 3, and this bindproof reads format 2"),
    ],
    ids=["empty", "cut off", "no log", "older", "newer"],
)
def test_what_is_no_log_is_refused_in_words(
    data: bytes, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(data)
    page = tmp_path / "run.html"
    assert main(["report", str(path), "--html", str(page)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert not page.exists()


@pytest.mark.long
def test_of_a_log_that_was_cut_off_anywhere_the_whole_lines_are_told(
    log: Log, mixed_log: list[Line], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = log(mixed_log).read_bytes()
    ends = [at for at, byte in enumerate(whole, 1) if byte == 10]
    for end in (ends[3] + 1, ends[6] - 1, ends[-1] - 2):
        path = tmp_path / "cut.jsonl"
        path.write_bytes(whole[:end])
        badge = tmp_path / "badge.json"
        assert main(["report", str(path), "--badge", str(badge)]) == 0
        out, err = capsys.readouterr()
        assert "the run was cut short" in err
        assert "interrupted; what was judged so far is kept" in out
        assert json.loads(badge.read_text(encoding="utf-8"))["color"] == "red"


@pytest.mark.long
def test_memory_does_not_grow_with_a_log(tmp_path: Path) -> None:
    """Ten times the verdicts, crashes and known outcomes among them, and hardly more memory in any report."""
    peaks = []
    for verdicts in (3_000, 30_000):
        path = tmp_path / f"{verdicts}.jsonl"
        with path.open("wb") as file:
            for line in large_log(2, 20, verdicts, diverging=0):
                file.write(encode(line))
                if isinstance(line, AdapterLine):
                    name = line.name
                if isinstance(line, VerdictLine):
                    crash = replace(line, outcome="crash", held=(), stderr="x" * 400, expected_by="known")
                    file.write(encode(crash))
                    file.write(encode(replace(crash, adapter=name, expected_by=None)))
        words = ["--junit", os.devnull, "--markdown", os.devnull, "--sarif", os.devnull, "--badge", os.devnull]
        script = (
            "import resource, sys; from bindproof.cli import main; "
            f"code = main(['report', {str(path)!r}, *{words!r}]); "
            "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr); sys.exit(code)"
        )
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        ran = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True, env=environment
        )
        peaks.append(int(ran.stderr.splitlines()[-1]))
    assert peaks[1] < 1.2 * peaks[0]


# Several logs


@pytest.mark.long
def test_logs_of_bindings_that_were_judged_apart_make_one_report(
    log: Log, mixed_log: list[Line], capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [log(only(mixed_log, name), f"{name}.jsonl") for name in ("node", "reference", "python")]
    told = list(together([read(path) for path in paths]))
    run, summary = told[0], told[-1]
    assert isinstance(run, RunLine)
    assert isinstance(summary, SummaryLine)
    assert run.adapters == ("node", "reference", "python")
    assert {line.adapter for line in told if isinstance(line, VerdictLine)} == {"node", "reference"}
    assert (summary.exit, summary.selected) == (4, 8)
    assert main(["report", *map(str, paths)]) == 0
    assert "2 of 3 adapters judged: 4 scenarios" in capsys.readouterr().out


def test_where_one_of_them_was_cut_short_the_whole_was(log: Log, mixed_log: list[Line]) -> None:
    paths = [log(only(mixed_log, "node"), "node.jsonl"), log(only(mixed_log, "reference")[:-1], "reference.jsonl")]
    *_, summary = together([read(path) for path in paths])
    assert isinstance(summary, SummaryLine)
    assert (summary.exit, summary.interrupted) == (130, True)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda run: run, "adapter 'node' is in"),
        (lambda run: replace(run, spec="cd" * 32), "it was judged by another spec than"),
        (lambda run: replace(run, request=replace(run.request, fault="swap_marks")), "judged with other choices than"),
    ],
    ids=["the same adapter", "another spec", "another fault"],
)
def test_logs_that_do_not_go_together_are_refused(
    change: Callable[[RunLine], RunLine],
    said: str,
    log: Log,
    mixed_log: list[Line],
    capsys: pytest.CaptureFixture[str],
) -> None:
    run, *rest = only(mixed_log, "node")
    assert isinstance(run, RunLine)
    paths = [log([run, *rest], "a.jsonl"), log([change(run), *rest], "b.jsonl")]
    assert main(["report", *map(str, paths)]) == 2
    assert said in capsys.readouterr().err


# Files


def test_a_file_that_cannot_be_written_is_told_before_anything_is_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("bindproof.runner.execute", lambda *_: pytest.fail("it was judged"))
    for path, said in ((tmp_path / "no" / "x.html", "there is no folder"), (tmp_path, "it is a folder")):
        assert main(["run", "--html", str(path)]) == 2
        assert said in capsys.readouterr().err


def test_one_file_is_for_one_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "x")
    assert main(["run", "--html", path, "--junit", path]) == 2
    assert main(["run", "--html", path, "--results", path]) == 2
    assert main(["report", path, "--html", path]) == 2
    assert "a report would take the place of a log" in capsys.readouterr().err


@pytest.mark.long
def test_an_earlier_file_is_there_until_the_new_one_is_whole(
    log: Log, mixed_log: list[Line], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "run.html"
    page.write_text("earlier", encoding="utf-8")
    monkeypatch.setattr(
        "bindproof.cli.outputs.shutil.copyfileobj", lambda *_: (_ for _ in ()).throw(OSError(28, "full"))
    )
    assert main(["report", str(log(mixed_log)), "--html", str(page)]) == 2
    assert page.read_text(encoding="utf-8") == "earlier"
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".part"] == []


@pytest.mark.long
def test_a_report_may_go_to_a_device(log: Log, mixed_log: list[Line], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(log(mixed_log)), "--html", os.devnull]) == 0
    assert Path(os.devnull).is_char_device()


def test_a_log_has_to_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report"]) == 2
    assert "name the result logs to report on" in capsys.readouterr().err


def test_the_schema_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "--schema"]) == 0
    assert "Shown" in json.loads(capsys.readouterr().out)["$defs"]


def test_the_templates_are_in_the_package() -> None:
    """`tests/repo/test_wheel.py` installs it."""
    folder = REPOSITORY / "conformance" / "bindproof" / "report" / "page"
    assert {path.name for path in folder.iterdir() if path.suffix != ".py"} >= {"page.html", "page.css", "page.js"}


@pytest.mark.long
@pytest.mark.parametrize("name", ["html", "junit", "markdown"])
def test_what_is_printed_is_utf_8_whatever_the_locale(name: str, log: Log, mixed_log: list[Line]) -> None:
    lines = [mixed_log[0], mixed_log[2], replace(mixed_log[8], reason="ünï ✓"), mixed_log[-1]]
    path = log(lines)
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(sys.path),
        "PYTHONIOENCODING": "ascii",
        "PYTHONUTF8": "0",
    }
    words = [sys.executable, "-m", "bindproof", "report", str(path), "--report", name]
    ran = subprocess.run(words, capture_output=True, check=True, env=environment)
    assert "ünï" in ran.stdout.decode("utf-8")


@pytest.mark.long
@pytest.mark.parametrize("words", [["run"], ["fuzz"], ["merge", "x"], ["replay", "x"], ["report", "x"]], ids=" ".join)
def test_every_command_that_reports_writes_files(words: list[str]) -> None:
    options = {"html": "a", "junit": "b", "markdown": "c", "sarif": "d", "badge": "e", "summary": "f"}
    given = [word for name, path in options.items() for word in (f"--{name}", path)]
    assert files_of(parser().parse_args([*words, *given])) == {name: Path(path) for name, path in options.items()}
