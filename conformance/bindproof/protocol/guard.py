"""Stands between the harness and one adapter, as a program of its own, so that nothing of the adapter outlives either.

Enters: on descriptor 0 to 2 the adapter's own streams; on the control pipe what to start, and then only its end, which
comes when the harness wants no more or was killed. Leaves: on the other pipe why nothing was started; the adapter's own
exit status, once all its descendants are gone, and the folder that was their TMPDIR. Must not know the harness: it is
started by its path, and imports what starts fast.

On Linux orphans come back to it, whatever session or group they are in, and the adapter dies with it. On macOS there is
neither: a process that left the adapter's group is not found.
"""

from __future__ import annotations

import marshal
import os
import resource
import select
import sys

TYPE_CHECKING = False  # `typing`, `contextlib` and the enums of `signal` take 7 of the 22 ms until an adapter starts
if TYPE_CHECKING:
    import signal
    from types import FrameType
else:
    import _signal as signal

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
HEARD = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What an adapter might send to its parent. It ends when the adapter or the harness has ended, and not before."""
AS_USUAL = (*HEARD, signal.SIGPIPE, signal.SIGXFSZ, signal.SIGCHLD)
"""What Python or this program changes for itself; an adapter starts without."""


def main(control: int, told: int) -> None:
    """Start what `control` says, wait until it or the harness has ended, end all that is left, and exit as it did."""
    for pipe in (control, told):
        os.set_inheritable(pipe, False)  # `told` ends when the adapter runs
    argv, env, cwd = marshal.loads(_all_of(control))  # noqa: S302  (ours, from the same Python)
    for number in HEARD:
        signal.signal(number, signal.SIG_IGN)
    death, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, _noted)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    orphans_come = _prctl(PR_SET_CHILD_SUBREAPER, 1)
    guard = os.getpid()
    folder = _own_folder(env)
    child = os.fork()
    if child == 0:
        _become(argv, env, cwd, told, guard)
    os.close(told)
    _let_go_of_streams()
    status = _ended(child, control, death)
    _end_all(child, orphans_come=orphans_come)
    _remove(folder)
    _exit_as(status)


def _all_of(control: int) -> bytes:
    """Return one message: its length in four bytes, then itself."""
    length = int.from_bytes(_exactly(control, 4), "big")
    return _exactly(control, length)


def _exactly(descriptor: int, size: int) -> bytes:
    data = b""
    while len(data) < size:
        chunk = os.read(descriptor, size - len(data))
        if not chunk:
            sys.exit(1)  # the harness is gone before it has said what to start
        data += chunk
    return data


def _own_folder(env: dict[str, str]) -> str:
    """Make the folder that is the adapter's TMPDIR, and that of all that it starts; empty where none can be made.

    What is killed cannot take away its own sockets and files. Its name is short: a socket's path may have 107 bytes.
    """
    folder = os.path.join(env.get("TMPDIR") or "/tmp", f"bindproof-{os.urandom(6).hex()}")  # noqa: PTH118, S108
    try:
        os.mkdir(folder, 0o700)  # noqa: PTH102
    except OSError:
        return ""
    env["TMPDIR"] = folder
    return folder


def _remove(folder: str) -> None:
    """Take the folder away with all in it; nobody is there any more who could write."""
    try:
        if folder:
            os.rmdir(folder)  # noqa: PTH106
    except OSError:
        import shutil  # most leave nothing, and do not wait for this

        shutil.rmtree(folder, ignore_errors=True)


def _noted(number: int, frame: FrameType | None) -> None:
    """Nothing; that it came stands in the wake-up pipe."""


def _prctl(option: int, value: int) -> bool:
    """Set what Linux has for a process; False where that cannot be."""
    if sys.platform != "linux":
        return False
    try:
        import ctypes

        done: int = ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), 0, 0, 0)
    except (ImportError, OSError, AttributeError):  # a Python without ctypes, a library without prctl
        return False
    return done == 0


def _become(argv: list[str], env: dict[str, str], cwd: str, told: int, guard: int) -> None:
    """Be the adapter, in a session of its own; or say why not."""
    try:
        os.setsid()
        _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != guard:
            os._exit(1)
        signal.set_wakeup_fd(-1)
        for number in AS_USUAL:
            signal.signal(number, signal.SIG_DFL)
        os.chdir(cwd)
        os.execvpe(argv[0], argv, env)  # noqa: S606
    except BaseException as problem:
        try:  # noqa: SIM105
            os.write(told, str(problem).encode("utf-8", "replace"))
        except OSError:
            pass  # nobody is there any more who would be told
    os._exit(127)


def _let_go_of_streams() -> None:
    """Keep none of the adapter's pipes open, so that their ends are told by the adapter alone."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)


def _ended(child: int, control: int, death: int) -> int:
    """Return the wait status of the adapter; of one that the harness wants no more, that of a kill."""
    while True:
        while (found := _reaped(os.WNOHANG)) is not None:
            if found[0] == child:
                return found[1]
        ready, _, _ = select.select([control, death], [], [])
        if control in ready:
            return int(signal.SIGKILL)
        os.read(death, 512)


def _reaped(options: int) -> tuple[int, int] | None:
    try:
        process, status = os.waitpid(-1, options)
    except ChildProcessError:
        return None
    return (process, status) if process else None


def _kill(process: int) -> None:
    """Kill a process, or the group of one that is negative."""
    try:  # noqa: SIM105
        os.kill(process, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass  # gone; macOS says "not permitted" of a group of zombies


def _end_all(child: int, *, orphans_come: bool) -> None:
    """Kill the adapter's group, and what is left of it anywhere: with each that dies its own children come here."""
    _kill(-child)
    while True:
        for process in _children() if orphans_come else ():
            _kill(process)
        if _reaped(0) is None:
            return


def _children() -> list[int]:
    try:
        with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:  # noqa: PTH123
            return [int(word) for word in file.read().split()]
    except OSError:  # a kernel without that file
        return []


def _exit_as(status: int) -> None:
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        os._exit(code)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # the adapter's own core is enough
    try:  # noqa: SIM105
        signal.signal(-code, signal.SIG_DFL)
    except (OSError, ValueError):
        pass  # SIGKILL has no other way than its own
    os.kill(os.getpid(), -code)
    os._exit(128 - code)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
