"""How much is told, and what is noted of it."""

from __future__ import annotations

import argparse
import io
import re
from pathlib import Path

import pytest

from bindproof.cli import main
from bindproof.cli.progress import Progress
from bindproof.cli.telling import PROGRESS, current, telling
from bindproof.core.visible import visible

RUN = ["run", "--suite", "relay", "--adapter", "reference", "--vector", "relay/marks/two-in-order"]


@pytest.mark.long
def test_a_quiet_run_tells_its_report_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*RUN, "--fault", "swap_marks", "--quiet"]) == 1
    out, err = capsys.readouterr()
    assert err == ""
    assert "MRK-002" in out


def test_a_quiet_command_tells_errors(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "no.jsonl", "--quiet"]) == 2
    assert "no.jsonl: there is no such log" in capsys.readouterr().err


@pytest.mark.long
def test_a_verbose_run_tells_each_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*RUN, "--verbose"]) == 0
    assert "reference relay/marks/two-in-order: conforms\n" in capsys.readouterr().err


def test_progress_is_drawn_told_or_left_out() -> None:
    seen = {}
    for how in PROGRESS:
        stream = io.StringIO()
        stream.isatty = lambda: True  # type: ignore[method-assign]
        with telling(argparse.Namespace(progress=how)), Progress(stream) as progress:
            progress.say("building")
        seen[how] = stream.getvalue()
    assert "\x1b[" in seen["auto"]
    assert seen["plain"] == "building\n"
    assert seen["none"] == ""


@pytest.mark.long
def test_verdicts_that_are_asked_for_are_no_progress(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*RUN, "--verbose", "--progress", "none"]) == 0
    assert capsys.readouterr().err == "reference relay/marks/two-in-order: conforms\n"


def test_both_at_once_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*RUN, "--quiet", "--verbose"]) == 2
    assert "not allowed with argument --quiet" in capsys.readouterr().err


@pytest.mark.long
def test_what_is_told_is_noted_with_its_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "told.log"
    assert main([*RUN, "--verbose", "--log-file", str(log)]) == 0
    assert main(["report", "no\u202e.jsonl", "--quiet", "--log-file", str(log)]) == 2
    capsys.readouterr()
    lines = log.read_text(encoding="utf-8").splitlines()
    assert all(re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00 \S", line) for line in lines)
    words = [line.partition(" ")[2] for line in lines]
    assert words.index("reference relay/marks/two-in-order: conforms") < words.index("exit code 0")
    assert words[-1].startswith("ended by LogError: no\\u202e.jsonl: there is no such log")
    assert visible("".join(lines)) == "".join(lines)


def test_a_file_that_cannot_be_written_is_exit_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*RUN, "--log-file", str(tmp_path / "no" / "log")]) == 2
    assert "what is told cannot be noted there" in capsys.readouterr().err


def test_the_log_of_results_is_no_place_for_notes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "x")
    assert main([*RUN, "--results", path, "--log-file", path]) == 2
    assert "name another" in capsys.readouterr().err


def test_without_options_a_command_tells_as_ever() -> None:
    assert (current().quiet, current().verbose) == (False, False)
    stream = io.StringIO()
    Progress(stream).say("building")
    assert stream.getvalue() == "building\n"
