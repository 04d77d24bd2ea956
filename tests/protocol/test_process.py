"""The process layer: start, pipes, stderr's tail, and that nobody outlives the end."""

from __future__ import annotations

import os
import select
import sys
from pathlib import Path

import pytest

from bindproof.core.model import AdapterCommand
from bindproof.protocol.process import AdapterProcess, StartError, UnsupportedPlatformError


def python(code: str) -> AdapterCommand:
    return AdapterCommand("p", (sys.executable, "-S", "-c", code), {}, str(Path.cwd()))


def read_all(process: AdapterProcess) -> bytes:
    data = b""
    while True:
        select.select([process.stdout], [], [], 20)
        chunk = process.read()
        if chunk == b"":
            return data
        data += chunk or b""


def test_what_is_sent_comes_back() -> None:
    echo = "import os\nwhile data := os.read(0, 65536):\n    while data: data = data[os.write(1, data):]"
    process = AdapterProcess(python(echo), 10)
    assert process.read() is None
    data = os.urandom(3 << 20)
    sent_all = process.send([data[:100], data[100:]])
    got = b""
    while len(got) < len(data):
        select.select([process.stdout], [] if sent_all else [process.stdin], [], 20)
        sent_all = sent_all or process.send([])
        got += process.read() or b""
    process.end(grace=0.0)

    assert got == data


def test_a_program_runs_as_who_named_it() -> None:
    process = AdapterProcess(python("import os; print([os.getresuid(), os.getresgid(), os.getgroups()])"), 10)
    said = read_all(process)
    process.end(grace=20.0)

    assert said.decode().strip() == str([os.getresuid(), os.getresgid(), os.getgroups()])


@pytest.mark.long
@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("pass", "it exited with status 0"),
        ("raise SystemExit(7)", "it exited with status 7"),
        ("import os; os.kill(os.getpid(), 9)", "it was ended by signal 9 (SIGKILL)"),
    ],
)
def test_how_it_ended(code: str, says: str) -> None:
    process = AdapterProcess(python(code), 10)
    read_all(process)

    assert process.end(grace=20.0) == says


def test_one_that_does_not_end_is_killed() -> None:
    process = AdapterProcess(python("import time; time.sleep(3600)"), 10)

    assert process.end(grace=0.0) == "it was killed"


def test_the_tail_of_stderr_is_kept() -> None:
    code = "import os\nfor n in range(300): os.write(2, b'%04d' % n * 1000)\nos.write(2, b'the end')"
    process = AdapterProcess(python(code), 100)
    while process.read_stderr():
        select.select([process.stderr], [], [], 20)
    tail = process.stderr_tail()
    process.end()

    assert len(tail) == 100
    assert tail.endswith("0299the end")
    assert process.stderr_tail() == tail


def test_stderr_that_nobody_read_is_there_after_the_end() -> None:
    process = AdapterProcess(python("import os; os.write(2, b'why it died')"), 100)
    read_all(process)
    process.end(grace=20.0)

    assert process.stderr_tail() == "why it died"


def test_a_process_that_reads_no_more_is_no_error() -> None:
    process = AdapterProcess(python("pass"), 10)
    read_all(process)

    assert process.send([b"anybody there?\n"])
    process.end()


@pytest.mark.long
@pytest.mark.parametrize("argv", [("/nowhere/adapter",), (), ("with\0nul",)])
def test_what_cannot_be_started(argv: tuple[str, ...]) -> None:
    process = AdapterProcess(AdapterCommand("p", argv, {}, "/"), 10)
    with pytest.raises(StartError, match="cannot start"):
        process.read()
    process.end()


def test_another_platform_is_told_clearly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(UnsupportedPlatformError, match="Linux and macOS, not on win32"):
        AdapterProcess(python("pass"), 10)
