"""The file of a result log, open for one writer at a time.

Enters: a path, bytes. Leaves: the same bytes on disk, whole lines only; or a LogError in words. Must not know lines.

The lock is on the file itself and not beside it: nothing is left behind by whoever is killed, and the log of another
name for the same file is the same log.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from bindproof.core.errors import LogError
from bindproof.core.paths import resolved


class LogFile:
    """A log that this process alone writes, until `close`.

    path: as the user wrote it; links in it are followed. A device or a pipe that somebody reads will do, too.

    Raises LogError where nothing can be written, where another bindproof writes, and for a pipe that nobody reads:
    nobody would know why it waits.
    """

    def __init__(self, path: Path, *, create: bool = True) -> None:
        self._path = path
        self._descriptor = _opened(path, os.O_CREAT if create else 0)
        self._written = 0
        self._begins = False

    @classmethod
    def of_earlier(cls, path: Path) -> Self:
        """Return the log of a run that was cut short, with its lines; raises LogError where there is none."""
        if not path.exists():
            what = "there is no such log to go on with; a run that is given it as --results writes one"
            raise LogError(path, None, what)
        earlier = cls(path, create=False)
        if not earlier._is_regular:
            earlier.close()
            raise LogError(path, None, "only a file can be continued; name the --results of the run that was cut short")
        return earlier

    def begin(self) -> None:
        """Throw away what the file had, with the first line that is written: a run that comes to none costs nothing."""
        self._begins = self._is_regular
        self._written = 0

    def begin_with(self, data: bytes) -> None:
        """Put other lines in the place of those that it had; those are there until the others are all on disk."""
        place = resolved(self._path)
        part = place.with_name(f"{place.name}.part")
        try:
            part.unlink(missing_ok=True)
            fresh = os.open(
                part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, stat.S_IMODE(os.fstat(self._descriptor).st_mode)
            )
        except OSError as error:
            raise LogError(part, None, f"the results cannot be written there: {error.strerror}") from error
        before, self._descriptor, self._written = self._descriptor, fresh, 0
        try:
            _lock(fresh)
            self.write(data)
            part.replace(place)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        finally:
            os.close(before)

    def write(self, data: bytes) -> None:
        """Append whole lines; what could not be written as a whole is not there. Raises LogError."""
        rest = data
        try:
            if self._begins:
                os.ftruncate(self._descriptor, 0)
                self._begins = False
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
        except OSError as error:
            if self._is_regular:
                with suppress(OSError):
                    os.ftruncate(self._descriptor, self._written)
            what = f"the results could not be written: {error.strerror}; what was written before is kept"
            raise LogError(self._path, None, what) from error
        self._written += len(data)

    def close(self) -> None:
        """Let others write."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
        self._descriptor = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    @property
    def _is_regular(self) -> bool:
        return stat.S_ISREG(os.fstat(self._descriptor).st_mode)


def _opened(path: Path, more: int) -> int:
    while True:
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_NONBLOCK | more, 0o666)
        except OSError as error:
            what = "it is a pipe that nobody reads" if error.errno == errno.ENXIO else error.strerror
            raise LogError(path, None, f"the results cannot be written there: {what}") from error
        os.set_blocking(descriptor, True)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return descriptor
        if not _lock(descriptor):
            os.close(descriptor)
            what = "another bindproof is writing its results there; wait for it, or name another file"
            raise LogError(path, None, what)
        if _is_still_at(path, descriptor):
            return descriptor
        os.close(descriptor)  # it was replaced while it was opened


def _is_still_at(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except OSError:
        return False


def _lock(descriptor: int) -> bool:
    """Take the lock; False where another process has it. A file system without locks has none that could be held."""
    from filelock import lock_descriptor  # slow to import, and only runs with --results need it

    try:
        return lock_descriptor(descriptor, blocking=False)
    except OSError:
        return True
