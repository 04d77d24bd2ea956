"""One adapter process: the only user of `subprocess` for adapters.

Enters: an `AdapterCommand`. Leaves: a running adapter with nonblocking pipes, and how it ended.
Must not know messages, sessions or verdicts. Linux and macOS only. What is started here is a guard, which starts the
adapter and lives until it and all its descendants are gone (`guard`).
"""

from __future__ import annotations

import marshal
import os
import signal
import subprocess
import sys
from pathlib import Path

from bindproof.core.model import AdapterCommand

CHUNK = 1 << 18
"""Bytes asked for in one read of stdout."""

_PIPE_BYTES = 1 << 20
_END_GRACE = 0.5
_STDERR_READS = 256
_GUARD = str(Path(__file__).with_name("guard.py"))
_GUARD_GRACE = 5.0
"""Seconds that a guard has to end all that an adapter left; then it is killed, and the adapter with it."""


class StartError(Exception):
    """The program could not be started; the text says why."""


class UnsupportedPlatformError(StartError):
    """Sessions and nonblocking pipes are used as Linux and macOS have them."""


class AdapterProcess:
    """A started adapter under a guard, so that it and its descendants die together: with `end`, with the adapter's own
    process, and with ours, however that ends.

    command: what to start. stderr_limit: how many bytes of the end of stderr are kept.
    Raises StartError when nothing can be started. Whether the program could be is told by the first `read`, so that
    nobody waits for it meanwhile.
    """

    def __init__(self, command: AdapterCommand, stderr_limit: int) -> None:
        if sys.platform not in {"linux", "darwin"}:
            raise UnsupportedPlatformError(f"adapters run on Linux and macOS, not on {sys.platform}")
        self._command = command
        self._child, self._control, self._told = _started(command)
        if not (self._child.stdin and self._child.stdout and self._child.stderr):
            raise StartError("the process has no pipes")
        self.stdin = self._child.stdin.fileno()
        self.stdout = self._child.stdout.fileno()
        self.stderr = self._child.stderr.fileno()
        for descriptor in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(descriptor, False)
        _enlarge(self.stdin, self.stdout)
        self._stderr_limit = stderr_limit
        self._stderr_tail = bytearray()
        self._unsent = memoryview(b"")

    def read(self) -> bytes | None:
        """What stdout has now: None when it has nothing, empty when it ended.

        The first time it waits until the program runs; raises StartError when it could not be started.
        """
        if self._told >= 0:
            self._hold_started()
        try:
            return os.read(self.stdout, CHUNK)
        except BlockingIOError:
            return None

    def read_stderr(self) -> bool:
        """Keep the tail of what stderr has now; False when it ended."""
        try:
            data = os.read(self.stderr, CHUNK)
        except BlockingIOError:
            return True
        self._keep(data)
        return bool(data)

    def stderr_tail(self) -> str:
        """The last of what the process wrote to stderr, read up to now (up to `end`, when that came first)."""
        if self._child.returncode is None:
            self._drain_stderr()
        return bytes(self._stderr_tail[-self._stderr_limit :]).decode("utf-8", "replace")

    def send(self, lines: list[bytes]) -> bool:
        """Write the lines, or as much as the pipe takes now; True when nothing waits.

        A process that reads no more is no error here: its silence or its end is seen on stdout.
        """
        data = memoryview(b"".join([self._unsent, *lines]) if lines else self._unsent)
        try:
            written = os.write(self.stdin, data) if data else 0
        except BlockingIOError:
            written = 0
        except BrokenPipeError:
            written = len(data)
        self._unsent = data[written:]
        return not self._unsent

    def end(self, grace: float = _END_GRACE) -> str:
        """Make sure that the whole group is gone, close the pipes, and say how the process ended, in plain words.

        grace: seconds to wait for it to end by itself before it is killed.
        """
        ended = self._ended_within(grace)
        if self._told >= 0:
            os.close(self._told)
        os.close(self._control)
        if not ended and not self._ended_within(_GUARD_GRACE):
            self._child.kill()
        self._drain_stderr()
        status = self._child.wait()
        for pipe in (self._child.stdin, self._child.stdout, self._child.stderr):
            if pipe is not None:
                pipe.close()
        return _described(status) if ended else "it was killed"

    def _hold_started(self) -> None:
        told, self._told = self._told, -1
        problem = _read_all(told)
        os.close(told)
        if problem:
            raise _unstarted(self._command, problem)

    def _drain_stderr(self) -> None:
        for _ in range(_STDERR_READS):
            try:
                data = os.read(self.stderr, CHUNK)
            except BlockingIOError:
                return
            if not data:
                return
            self._keep(data)

    def _keep(self, data: bytes) -> None:
        tail = self._stderr_tail
        tail += data
        if len(tail) > 2 * self._stderr_limit + CHUNK:
            del tail[: len(tail) - self._stderr_limit]

    def _ended_within(self, grace: float) -> bool:
        try:
            self._child.wait(timeout=grace)
        except subprocess.TimeoutExpired:
            return False
        return True


def _started(command: AdapterCommand) -> tuple[subprocess.Popen[bytes], int, int]:
    """Start a guard and through it the adapter.

    Return the guard, the pipe whose end ends both, and the one on which it is told why the adapter was not started.
    """
    told_to, control = os.pipe()
    told, tells = os.pipe()
    guard: subprocess.Popen[bytes] | None = None
    try:
        guard = subprocess.Popen(
            (sys.executable, "-I", "-S", _GUARD, str(told_to), str(tells)),
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd="/",
            env={},
            start_new_session=True,
            pass_fds=(told_to, tells),
        )
        os.close(tells)
        tells = -1
        _write(control, marshal.dumps((list(command.argv), dict(command.env), command.cwd)))
    except OSError as error:
        os.close(control)
        os.close(told)
        if guard is not None:
            guard.communicate()
        raise _unstarted(command, str(error).encode()) from error
    except BaseException:  # interrupted: whoever goes on without us, such as pytest, is left with no process of ours
        os.close(control)
        os.close(told)
        raise
    finally:
        for descriptor in (told_to, tells):
            if descriptor >= 0:
                os.close(descriptor)
    return guard, control, told


def _unstarted(command: AdapterCommand, problem: bytes) -> StartError:
    what = " ".join(command.argv) or "nothing"
    return StartError(f"cannot start {what}: {problem.decode('utf-8', 'replace')}")


def _write(descriptor: int, data: bytes) -> None:
    rest = memoryview(len(data).to_bytes(4, "big") + data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _read_all(descriptor: int) -> bytes:
    data = b""
    while chunk := os.read(descriptor, CHUNK):
        data += chunk
    return data


def _enlarge(*descriptors: int) -> None:
    """Give pipes a bigger buffer where the system can (Linux): fewer, larger reads and writes."""
    import fcntl

    command = getattr(fcntl, "F_SETPIPE_SZ", None)
    if command is None:
        return
    for descriptor in descriptors:
        try:
            fcntl.fcntl(descriptor, command, _PIPE_BYTES)
        except OSError:
            return  # the user's share of pipe memory is used up; the default size works too


def _described(status: int) -> str:
    if status >= 0:
        return f"it exited with status {status}"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = "unknown"
    return f"it was ended by signal {-status} ({name})"
