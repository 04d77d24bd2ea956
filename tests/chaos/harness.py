"""One start of the harness, watched from outside: what it said, how it ended, what it took, what it left.

Enters: words of a command line, what its surroundings are like, what to do to it when. Leaves: an `EndedRun`.
Must not know what it should have done.
"""

from __future__ import annotations

import os
import random
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

import msgspec

from tests.chaos.descendants import below, called, reaped

PATIENCE = 120.0
"""Seconds after which a harness hangs, if it has not ended."""

LINGER = 10.0
"""Seconds in which what a killed harness started has to be gone; so too where one was interrupted as it started it."""

INTERRUPTED = 130

apart: dict[int, int] = {}
"""Processes that belong to no harness, each with what ends it when closed. They, and what is below them, are left by
nobody.
"""


class Surroundings(msgspec.Struct, frozen=True):
    """What a harness finds. stdout and stderr: where they go, None for closed. stdin: is open, and empty.

    file_limit, memory_limit: bytes. jumps: seed of a wall clock that jumps. slow: all that is waited for may take so
    many times as long as usual.
    """

    stdout: str | None = "out"
    stderr: str | None = "err"
    stdin: bool = True
    reader_leaves_after: int | None = None
    file_limit: int | None = None
    memory_limit: int | None = None
    jumps: int | None = None
    cache: Path | None = None
    afresh: bool = False
    slow: float = 1.0


class EndedRun(msgspec.Struct):
    """How a start ended. code: as a shell has it, negative for a signal, None for one that hung and was killed.

    peak: bytes of memory at most, None where that is not known. left: who was alive when it had ended.
    """

    code: int | None
    seconds: float
    peak: int | None
    out: str
    err: str
    left: list[str]
    killed: bool = False


class Harness:
    """A harness that runs. folder: for what it prints. Its words are those behind `bindproof`."""

    def __init__(self, words: Sequence[str], folder: Path, around: Surroundings) -> None:
        self._folder, self._around = folder, around
        self._begun = time.monotonic()
        self._number = sum(1 for _ in folder.glob("*.out"))
        self._out = folder / f"{self._number}.out"
        self._err = folder / f"{self._number}.err"
        self._out.touch()
        self._err.touch()
        self._reader, self._pipe = _reader_of(around.reader_leaves_after)
        told, self._tells = os.pipe()
        self._told = told
        self._status: int | None = None
        self._killed = False
        self.process = os.fork()
        if self.process == 0:
            os.close(told)
            for held in apart.values():
                os.close(held)
            self._be(list(words))
        os.close(self._tells)
        if self._pipe is not None:
            os.close(self._pipe)

    @property
    def runs(self) -> bool:
        """Whether it is still there."""
        if self._status is None:
            process, status = os.waitpid(self.process, os.WNOHANG)
            if process:
                self._status = status
        return self._status is None

    def when(self, condition: Callable[[], bool], do: Callable[[], object]) -> None:
        """Do something to it once a condition holds, unless it has ended by then."""
        until = self._begun + PATIENCE * self._around.slow
        while self.runs and time.monotonic() < until:
            if condition():
                do()
                return
            time.sleep(0.002)

    def send(self, number: int) -> None:
        """Send it a signal, if it is there."""
        self._killed = self._killed or number == signal.SIGKILL
        with suppress(ProcessLookupError):
            os.kill(self.process, number)

    def pause(self, seconds: float, *, everybody: bool) -> None:
        """Stop it, alone or with all that it started, and let it go on."""
        stopped = [self.process, *(below(self.process) if everybody else ())]
        for number in (signal.SIGSTOP, signal.SIGCONT):
            for process in stopped:
                with suppress(ProcessLookupError):
                    os.kill(process, number)
            if number == signal.SIGSTOP:
                time.sleep(seconds)

    def ended(self, others: Sequence[Harness] = ()) -> EndedRun:
        """Wait for its end. others: those beside it, whose descendants are their own."""
        hung = False
        while self.runs:
            if time.monotonic() - self._begun > PATIENCE * self._around.slow:
                hung = True
                self.send(signal.SIGKILL)
            time.sleep(0.005)
        seconds = time.monotonic() - self._begun
        left = self._left(others)
        with os.fdopen(self._told) as told:
            peak = told.read().strip()
        code = None if hung else os.waitstatus_to_exitcode(self._status or 0)
        out, err = (path.read_text(encoding="utf-8", errors="replace") for path in (self._out, self._err))
        return EndedRun(code, seconds, int(peak) if peak else None, out, err, left, self._killed)

    def _left(self, others: Sequence[Harness]) -> list[str]:
        theirs = {process for one in others for process in (one.process, *below(one.process))}
        theirs |= {process for one in apart for process in (one, *below(one))}
        theirs |= set() if self._reader is None else {self._reader}
        ended_itself = not self._killed and self._status is not None and os.WIFEXITED(self._status)
        interrupted = ended_itself and os.WEXITSTATUS(self._status or 0) == INTERRUPTED
        until = time.monotonic() + (0.0 if ended_itself and not interrupted else LINGER * self._around.slow)
        while True:
            theirs |= {process for one in apart for process in below(one)}
            reaped({self.process, *theirs})
            left = [process for process in below(os.getpid()) if process not in theirs]
            if not left or time.monotonic() >= until:
                break
            time.sleep(0.01)
        told = [called(process) for process in left]
        for process in left:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        return told

    # In the new process.

    def _be(self, words: list[str]) -> NoReturn:
        code = 99
        try:
            os.setpgid(0, 0)
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
            self._be_surrounded()
            if self._around.afresh:
                os.execv(sys.executable, [sys.executable, "-m", "bindproof", *words])
            code = _main(words)
        except BaseException:
            with open(self._err, "a", encoding="utf-8") as file:  # noqa: PTH123
                traceback.print_exc(file=file)
        with suppress(OSError):
            os.write(self._tells, b"%d" % (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10))
        os._exit(code)

    def _be_surrounded(self) -> None:
        around = self._around
        out, err = self._place(around.stdout, self._out), self._place(around.stderr, self._err)
        out = self._pipe or out
        for number, descriptor in ((1, out), (2, err)):
            if descriptor is None:
                os.close(number)
            else:
                os.dup2(descriptor, number)
        # as Python finds them: the ones from before would still seek, were they files, in what is now a pipe
        sys.stdout = None if out is None else open(1, "w", closefd=False)  # noqa: SIM115  (open as long as the process lives)
        sys.stderr = None if err is None else open(2, "w", closefd=False)  # noqa: SIM115  (open as long as the process lives)
        if not around.stdin:
            os.close(0)
        self._hold_limits()

    def _hold_limits(self) -> None:
        around = self._around
        if around.cache is not None:
            os.environ["BINDPROOF_CACHE"] = str(around.cache)
        for what, most in ((resource.RLIMIT_FSIZE, around.file_limit), (resource.RLIMIT_AS, around.memory_limit)):
            if most is not None:
                resource.setrlimit(what, (most, most))
        if around.jumps is not None:
            _let_the_clock_jump(around.jumps)

    def _place(self, name: str | None, usual: Path) -> int | None:
        if name is None:
            return None
        path = usual if name in {"out", "err"} else Path(name)
        return os.open(path, os.O_WRONLY | os.O_APPEND)


def _reader_of(size: int | None) -> tuple[int | None, int | None]:
    """Start who reads so many bytes at most; return it, and the pipe from which it reads. It ends with its writer."""
    if size is None:
        return None, None
    here, there = os.pipe()
    reader = os.fork()
    if reader == 0:
        os.close(there)
        while size > 0 and (data := os.read(here, size)):
            size -= len(data)
        os._exit(0)
    os.close(here)
    return reader, there


def _main(words: list[str]) -> int:
    from bindproof.cli import main

    code = main(words)
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()
    return code


def _let_the_clock_jump(seed: int) -> None:
    """The time of day jumps by up to thirty years at each look, both ways. The steady clock of the system does not."""
    chance, true = random.Random(seed), time.time
    time.time = lambda: true() + chance.uniform(-1e9, 1e9)
