"""Streams that are closed or full, and disks that are: what was judged is kept, and one sentence says what is wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bindproof.results import SummaryLine, VerdictLine, read
from tests.conftest import REPOSITORY

pytestmark = pytest.mark.long

PATHS = os.pathsep.join(str(REPOSITORY / name) for name in ("conformance", "reference_impl"))
FULL = Path("/dev/full")
full = pytest.mark.skipif(not FULL.exists(), reason="this system has no device that is always full")


def ran(shell: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run bindproof by a line of shell, in which "$@" stands for it."""
    program = [sys.executable, "-m", "bindproof", *words]
    return subprocess.run(
        ["sh", "-c", shell, "sh", *program],
        env={**os.environ, "PYTHONPATH": PATHS},
        capture_output=True,
        text=True,
        check=False,
    )


def judging(*more: str) -> tuple[str, ...]:
    return ("run", "--adapter", "reference", "--vector", "relay/marks/*", *more)


CLOSED = "standard output is closed; what should be printed there is lost"
NO_SPACE = "output cannot be written: No space left on device"


@pytest.mark.parametrize(
    ("shell", "told"),
    [
        ('exec "$@" >&-', CLOSED),
        ('exec "$@" <&- >&-', CLOSED),
        pytest.param('exec "$@" >/dev/full', NO_SPACE, marks=full),
    ],
)
def test_a_report_that_cannot_be_printed_is_told_and_the_log_is_whole(shell: str, told: str, tmp_path: Path) -> None:
    log = tmp_path / "run.jsonl"
    result = ran(shell, *judging("--results", str(log)))

    assert (result.returncode, result.stderr) == (2, f"bindproof: {told}\n")
    (*_, summary) = read(log)
    assert isinstance(summary, SummaryLine)
    assert summary.exit == 0


@pytest.mark.parametrize("shell", ['exec "$@" 2>&-', pytest.param('exec "$@" 2>/dev/full', marks=full)])
def test_without_a_stderr_everything_else_is_as_it_is(shell: str) -> None:
    result = ran(shell, *judging())

    assert result.returncode == 0
    assert result.stdout.splitlines()[-1].startswith("1 of 1 adapter judged: 41 scenarios")


def test_without_any_stream_the_exit_code_tells(tmp_path: Path) -> None:
    result = ran('exec "$@" <&- >&- 2>&-', *judging("--results", str(tmp_path / "run.jsonl")))

    assert result.returncode == 2
    assert isinstance(list(read(tmp_path / "run.jsonl"))[-1], SummaryLine)


def test_a_log_that_may_not_grow_keeps_what_it_has_and_the_report_is_given(tmp_path: Path) -> None:
    whole, log = tmp_path / "whole.jsonl", tmp_path / "run.jsonl"
    assert ran('exec "$@"', *judging("--results", str(whole))).returncode == 0
    before = whole.read_bytes().index(b'{"type":"verdict"')
    blocks = (before + whole.stat().st_size) // 2 // 512
    result = ran(f'ulimit -f {blocks}; exec "$@"', *judging("--results", str(log)))
    kept = [line for line in read(log) if isinstance(line, VerdictLine)]

    assert result.returncode == 2
    assert result.stderr == (
        f"bindproof: {log}: the results could not be written: File too large; what was written before is kept\n"
    )
    assert 0 < len(kept) < 41
    assert f"1 of 1 adapter judged: {len(kept) + 1} scenarios" in result.stdout

    assert ran('exec "$@"', "run", "--continue", str(log)).returncode == 0
    assert len({line.plan for line in read(log) if isinstance(line, VerdictLine)}) == 41


@full
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("spec", "list"), NO_SPACE),
        (judging("--json"), "the results cannot be printed on standard output: No space left on device"),
        (judging("--results", "/dev/full"), "/dev/full: the results could not be written: No space left on device; "),
    ],
)
def test_where_nothing_can_be_written_one_sentence_says_so(words: tuple[str, ...], told: str) -> None:
    result = ran('exec "$@" >/dev/full', *words)

    assert result.returncode == 2
    assert result.stderr.startswith(f"bindproof: {told}")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "words", [("explain", "MRK-002"), ("spec", "list", "relay"), judging()], ids=lambda one: one[0]
)
def test_what_the_encoding_of_a_terminal_does_not_have_is_shown_all_the_same(words: tuple[str, ...]) -> None:
    result = ran('PYTHONIOENCODING=ascii exec "$@"', *words)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.isascii()
