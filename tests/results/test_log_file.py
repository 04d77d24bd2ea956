"""The file of a log has one writer, is where its links lead, and never waits for a reader."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bindproof.cli import main
from bindproof.core.errors import LogError
from bindproof.results import Line, LogFile, RunLine, Writer, read

BUSY = "another bindproof is writing its results there; wait for it, or name another file"


def test_a_second_writer_is_refused_until_the_first_has_closed(tmp_path: Path, mixed_log: list[Line]) -> None:
    path = tmp_path / "run.jsonl"
    with Writer(path) as writer:
        for line in mixed_log:
            writer.write(line)
        for second in (LogFile, LogFile.of_earlier):
            with pytest.raises(LogError, match=f"run.jsonl: {BUSY}"):
                second(path)
    assert list(read(path)) == mixed_log
    LogFile(path).close()


def test_the_log_is_the_same_by_another_name(tmp_path: Path) -> None:
    path, link, hard = (tmp_path / name for name in ("run.jsonl", "link.jsonl", "hard.jsonl"))
    link.symlink_to(path)
    with LogFile(path):
        hard.hardlink_to(path)
        for name in (link, hard):
            with pytest.raises(LogError, match=BUSY):
                LogFile(name)


def test_a_log_that_goes_on_has_one_writer_too(tmp_path: Path, mixed_log: list[Line]) -> None:
    path = tmp_path / "run.jsonl"
    with Writer(path) as writer:
        writer.write(mixed_log[0])
    with Writer(LogFile.of_earlier(path), first=mixed_log[:3]):
        with pytest.raises(LogError, match=BUSY):
            LogFile(path)
        assert list(read(path)) == mixed_log[:3]


@pytest.mark.long
def test_who_was_killed_holds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    code = "import os, sys; from pathlib import Path; from bindproof.results import LogFile\n"
    code += "log = LogFile(Path(sys.argv[1])); os.kill(os.getpid(), 9)"
    subprocess.run([sys.executable, "-c", code, str(path)], check=False)

    LogFile(path).close()
    assert [one.name for one in tmp_path.iterdir()] == ["run.jsonl"]


@pytest.mark.parametrize("words", [["run", "--results"], ["run", "--continue"], ["merge", "other.jsonl", "-o"]])
def test_a_command_that_would_write_into_a_log_that_is_written_is_exit_2(
    words: list[str], tmp_path: Path, mixed_log: list[Line], capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "run.jsonl"
    with Writer(path) as writer:
        writer.write(mixed_log[0])
        before = path.read_bytes()

        assert main([*words, str(path)]) == 2
        assert capsys.readouterr().err.startswith(f"bindproof: {path}: {BUSY}\n")
        assert path.read_bytes() == before


def test_a_log_behind_a_link_goes_on_there(tmp_path: Path, mixed_log: list[Line]) -> None:
    (tmp_path / "logs").mkdir()
    path, link = tmp_path / "logs" / "run.jsonl", tmp_path / "link.jsonl"
    link.symlink_to(path)
    with Writer(link) as writer:
        writer.write(mixed_log[0])
    with Writer(LogFile.of_earlier(link), first=mixed_log[:2]) as writer:
        writer.write(mixed_log[2])

    assert link.is_symlink()
    assert list(read(path)) == mixed_log[:3]


def test_a_link_in_the_place_of_the_new_lines_is_not_followed(tmp_path: Path, mixed_log: list[Line]) -> None:
    path, other = tmp_path / "run.jsonl", tmp_path / "other"
    (tmp_path / "run.jsonl.part").symlink_to(other)
    with Writer(path) as writer:
        writer.write(mixed_log[0])
    Writer(LogFile.of_earlier(path), first=mixed_log[:2]).close()

    assert not other.exists()
    assert list(read(path)) == mixed_log[:2]


def test_a_pipe_that_nobody_reads_is_refused(tmp_path: Path, run_line: RunLine) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for opened in (LogFile, LogFile.of_earlier):
        with pytest.raises(LogError, match="pipe: the results cannot be written there: it is a pipe that nobody reads"):
            opened(pipe)

    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with pytest.raises(LogError, match="only a file can be continued"):
        LogFile.of_earlier(pipe)
    with Writer(pipe) as writer:
        writer.write(run_line)
        assert os.read(reader, 9) == b'{"type":"'
    os.close(reader)


@pytest.mark.long
def test_a_run_that_comes_to_no_line_leaves_an_earlier_log_as_it_was(
    tmp_path: Path, mixed_log: list[Line], capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "run.jsonl"
    with Writer(path) as writer:
        for line in mixed_log:
            writer.write(line)
    assert main(["run", "--vector", "no/such", "--results", str(path)]) == 2
    assert main(["merge", str(tmp_path / "none.jsonl"), "-o", str(path)]) == 2
    assert "none.jsonl: there is no such log" in capsys.readouterr().err
    assert list(read(path)) == mixed_log
    with Writer(path) as writer:
        writer.write(mixed_log[0])
    assert list(read(path)) == mixed_log[:1]
