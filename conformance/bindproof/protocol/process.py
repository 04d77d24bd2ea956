"""One adapter process: the only user of `subprocess` for adapters.

Enters: an `AdapterCommand`. Leaves: a running process group with nonblocking pipes, and how it ended.
Must not know messages, sessions or verdicts. Linux and macOS only.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys

from bindproof.core.model import AdapterCommand

CHUNK = 1 << 18
"""Bytes asked for in one read of stdout."""

_PIPE_BYTES = 1 << 20
_END_GRACE = 0.5
_STDERR_READS = 256


class StartError(Exception):
    """The program could not be started; the text says why."""


class UnsupportedPlatformError(StartError):
    """Process groups and nonblocking pipes are used as Linux and macOS have them."""


class AdapterProcess:
    """A started adapter in its own session and process group, so that it and its children die together.

    command: what to start. stderr_limit: how many bytes of the end of stderr are kept.
    Raises StartError when the program cannot be started.
    """

    def __init__(self, command: AdapterCommand, stderr_limit: int) -> None:
        if sys.platform not in {"linux", "darwin"}:
            raise UnsupportedPlatformError(f"adapters run on Linux and macOS, not on {sys.platform}")
        try:
            self._child = subprocess.Popen(
                command.argv,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=command.cwd,
                env=dict(command.env),
                start_new_session=True,
            )
        except (OSError, ValueError, IndexError) as problem:
            raise StartError(f"cannot start {' '.join(command.argv) or 'nothing'}: {problem}") from problem
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
        """What stdout has now: None when it has nothing, empty when it ended."""
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
        self._kill_group()
        self._drain_stderr()
        status = self._child.wait()
        for pipe in (self._child.stdin, self._child.stdout, self._child.stderr):
            if pipe is not None:
                pipe.close()
        return _described(status) if ended else "it was killed"

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

    def _kill_group(self) -> None:
        try:
            # The group's id is the child's, because it was started as the leader of its own session.
            os.killpg(self._child.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            return  # the group is gone; macOS says "not permitted" of a group of zombies


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
