"""Nothing that an adapter started is left, wherever it hid and whoever died first."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from bindproof.core.model import AdapterCommand
from bindproof.protocol import process as process_module
from bindproof.protocol.process import AdapterProcess, StartError
from tests.conftest import REPOSITORY
from tests.drive.test_drive import gone
from tests.protocol.test_process import python, read_all

linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux gives orphans to an ancestor")

LINGERS = "import os, signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
CHILD_IN_ITS_OWN_GROUP = LINGERS + (
    "child = os.fork()\nif not child:\n    os.setpgid(0, 0); os.write(1, b'%d\\n' % os.getpid()); time.sleep(3600)\n"
)
CHILD_IN_ITS_OWN_SESSION = CHILD_IN_ITS_OWN_GROUP.replace("setpgid(0, 0)", "setsid()")
DAEMON = LINGERS + (
    "if not os.fork():\n"
    "    os.setsid()\n"
    "    if os.fork(): os._exit(0)\n"
    "    os.write(1, b'%d\\n' % os.getpid()); time.sleep(3600)\n"
    "os.wait()\n"
)
HIDDEN = (CHILD_IN_ITS_OWN_GROUP, CHILD_IN_ITS_OWN_SESSION, DAEMON)


def told(process: AdapterProcess) -> int:
    """The id that the adapter's descendant writes."""
    select.select([process.stdout], [], [], 20)
    return int(process.read() or b"")


@pytest.mark.long
@linux
@pytest.mark.parametrize("code", HIDDEN)
def test_a_descendant_that_left_the_group_ends_with_the_adapter(code: str) -> None:
    process = AdapterProcess(python(f"{code}time.sleep(3600)"), 10)
    hidden = told(process)
    assert process.end(grace=0.0) == "it was killed"
    assert gone(hidden)


@pytest.mark.long
@linux
@pytest.mark.parametrize("code", HIDDEN)
def test_the_end_of_an_adapter_is_seen_though_a_descendant_holds_its_pipes(code: str) -> None:
    process = AdapterProcess(python(f"{code}os.read(0, 1); os._exit(7)"), 10)
    hidden = told(process)
    process.send([b"x"])
    assert read_all(process) == b""
    assert process.end(grace=20.0) == "it exited with status 7"
    assert gone(hidden)


HARNESS = """
import sys, time
from bindproof.core.model import AdapterCommand
from bindproof.protocol.process import AdapterProcess
process = AdapterProcess(AdapterCommand("p", (sys.executable, "-S", "-c", sys.argv[1]), {}, "/"), 10)
seen = b""
while seen.count(b"\\n") < 2:
    seen += process.read() or b""
    time.sleep(0.01)
print(*seen.decode().split(), flush=True)
time.sleep(3600)
"""


@pytest.mark.long
@linux
@pytest.mark.parametrize("code", HIDDEN)
def test_no_process_outlives_a_harness_that_is_killed(code: str) -> None:
    ignores_the_end = f"{code}os.write(1, b'%d\\n' % os.getpid()); time.sleep(3600)"
    path = os.pathsep.join(map(str, (REPOSITORY / "conformance", REPOSITORY / "reference_impl")))
    harness = subprocess.Popen(
        [sys.executable, "-c", HARNESS, ignores_the_end],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert harness.stdout is not None
    started = [int(word) for word in harness.stdout.readline().split()]
    harness.kill()
    harness.communicate()
    assert len(started) == 2
    assert all(gone(process) for process in started)


@linux
def test_an_adapter_ends_with_its_guard(tmp_path: Path) -> None:
    """The one that is killed itself cannot take the folder away."""
    code = "import os, time; os.write(1, b'%d\\n' % os.getpid()); os.kill(os.getppid(), 9); time.sleep(3600)"
    argv = (sys.executable, "-S", "-c", code)
    process = AdapterProcess(AdapterCommand("p", argv, {"TMPDIR": str(tmp_path)}, "/"), 10)
    adapter = told(process)
    assert read_all(process) == b""
    assert process.end(grace=20.0) == "it was ended by signal 9 (SIGKILL)"
    assert gone(adapter)


def test_an_adapter_that_signals_its_group_and_its_parent_ends_alone() -> None:
    code = "import os, signal; os.kill(os.getppid(), signal.SIGTERM); os.kill(0, signal.SIGTERM)"
    process = AdapterProcess(python(code), 10)
    read_all(process)
    assert process.end(grace=20.0) == "it was ended by signal 15 (SIGTERM)"


def test_an_adapter_starts_with_the_signals_descriptors_and_variables_of_a_program_that_a_shell_starts() -> None:
    code = (
        "import os, signal\n"
        "ignored = [n for n in signal.Signals if signal.getsignal(n) == signal.SIG_IGN and n not in\n"
        "           (signal.SIGPIPE, signal.SIGXFSZ)]\n"  # Python itself ignores these two
        "opened = [n for n in range(3, 50) if os.path.exists(f'/dev/fd/{n}') and os.get_inheritable(n)]\n"
        "print(ignored, opened, sorted(set(os.environ) - {'LC_CTYPE'}), os.getpid() == os.getsid(0), os.getcwd())\n"
    )
    command = AdapterCommand("p", (sys.executable, "-S", "-c", code), {"A": "ä"}, str(Path("/").resolve()))
    process = AdapterProcess(command, 10)
    said = read_all(process)
    process.end(grace=20.0)
    assert said.decode() == "[] [] ['A', 'TMPDIR'] True /\n"


def test_a_start_that_is_interrupted_leaves_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    guards: list[subprocess.Popen[bytes]] = []

    def started(*words: Any, **how: Any) -> subprocess.Popen[bytes]:
        guards.append(popen(*words, **how))
        return guards[0]

    def interrupted(descriptor: int, data: bytes) -> None:
        raise KeyboardInterrupt

    popen, before = subprocess.Popen, len(list(Path("/dev/fd").iterdir()))
    monkeypatch.setattr("bindproof.protocol.process.subprocess.Popen", started)
    monkeypatch.setattr(process_module, "_write", interrupted)
    with pytest.raises(KeyboardInterrupt):
        AdapterProcess(python("import time; time.sleep(3600)"), 10)
    (guard,) = guards
    guard.communicate(timeout=60)
    assert guard.returncode == 1
    assert len(list(Path("/dev/fd").iterdir())) == before


def test_a_folder_that_is_missing_is_told() -> None:
    command = AdapterCommand("p", (sys.executable, "-c", ""), {}, "/nowhere/at/all")
    process = AdapterProcess(command, 10)
    with pytest.raises(StartError, match=r"cannot start .*No such file or directory: '/nowhere/at/all'"):
        process.read()
    process.end()


@pytest.mark.long
def test_nothing_of_an_adapter_stays_open_here() -> None:
    before = len(list(Path("/dev/fd").iterdir()))
    process = AdapterProcess(python("pass"), 10)
    process.end(grace=20.0)
    unstarted = AdapterProcess(AdapterCommand("p", ("/nowhere/adapter",), {}, "/"), 10)
    with pytest.raises(StartError):
        unstarted.read()
    unstarted.end(grace=20.0)
    AdapterProcess(python("pass"), 10).end()  # ended before anything of it was read
    assert len(list(Path("/dev/fd").iterdir())) == before
    assert signal.getsignal(signal.SIGCHLD) == signal.SIG_DFL


LEAVES = (
    "import os, sys, time\n"
    "folder = os.environ['TMPDIR']\n"
    "os.makedirs(folder + '/of/a/worker'); open(folder + '/of/socket', 'w').close()\n"
    "os.write(1, folder.encode() + b'\\n')\n"
)
"""An adapter that leaves something in its own folder for temporary files."""


def left(process: AdapterProcess) -> Path:
    """The folder that the adapter writes the name of."""
    select.select([process.stdout], [], [], 20)
    return Path((process.read() or b"").decode().strip())


@pytest.mark.long
@pytest.mark.parametrize("end", ["os._exit(7)", "os.kill(os.getpid(), 9)", "time.sleep(3600)"])
def test_what_an_adapter_leaves_in_its_folder_for_temporary_files_goes_with_it(end: str, tmp_path: Path) -> None:
    """However it ends: by itself, killed by somebody, or because the harness wants no more."""
    argv = (sys.executable, "-S", "-c", f"{LEAVES}{end}")
    process = AdapterProcess(AdapterCommand("p", argv, {"TMPDIR": str(tmp_path)}, "/"), 10)
    folder = left(process)
    assert folder.parent == tmp_path
    process.end(grace=0.0 if "sleep" in end else 20.0)
    assert list(tmp_path.iterdir()) == []


def test_no_folder_outlives_a_harness_that_is_killed(tmp_path: Path) -> None:
    harness = HARNESS.replace("{}, ", f"{{'TMPDIR': {str(tmp_path)!r}}}, ")
    code = f"{LEAVES}os.write(1, b'x\\n'); time.sleep(3600)"
    run = subprocess.Popen([sys.executable, "-c", harness, code], stdout=subprocess.PIPE, cwd=REPOSITORY)
    with run:
        assert run.stdout is not None
        folder = Path(run.stdout.readline().decode().split()[0])
        assert folder.is_dir()
        run.kill()
    until = time.monotonic() + 20
    while folder.exists() and time.monotonic() < until:
        time.sleep(0.01)
    assert list(tmp_path.iterdir()) == []


def test_an_adapter_starts_where_no_folder_can_be_made() -> None:
    argv = (sys.executable, "-S", "-c", "import os; print(os.environ['TMPDIR'])")
    process = AdapterProcess(AdapterCommand("p", argv, {"TMPDIR": "/nonexistent"}, "/"), 10)
    assert read_all(process) == b"/nonexistent\n"
    assert process.end(grace=20.0) == "it exited with status 0"
