"""The reference, ready in a process of its own: whoever asks gets a fork of it, which is another adapter each time.

An adapter's start, an interpreter and what the reference imports, costs more than all the scenarios of a story. So an
adapter here hands bytes on, both ways, between its pipes and such a fork, and ends when either side does. A story that
is started afresh has adapters that are started as users' are.

Enters: the words of the reference as an adapter, a path for a socket. Leaves: replies, each from the reference itself.
Standard library only, and quick to start.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import socket
import sys
from contextlib import suppress
from typing import NoReturn

CHUNK = 1 << 18


def ready(place: str, words: list[str], paths: list[str]) -> tuple[int, int]:
    """Start the process that is forked from; return its id once it takes connections, and what ends it when closed.

    paths: the folders in which it finds what it imports. It ends with this process at the latest, and has waited for
    all its forks by then.
    """
    here, there = os.pipe()
    life, held = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(held)
        os.close(here)
        sys.path[:0] = paths
        _serve(place, words, there, life)
    os.close(there)
    os.close(life)
    if os.read(here, 1) != b"r":
        raise RuntimeError("the reference could not be made ready")
    os.close(here)
    return process, held


def _serve(place: str, words: list[str], ready_at: int, life: int) -> NoReturn:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(place)
        listening.listen(64)
        for name in ("bindproof_reference.relay", _placed(words)):
            __import__(name)
        gc.collect()
        gc.freeze()
        os.write(ready_at, b"r")
        while True:
            asked, _, _ = select.select([listening.fileno(), life], [], [])
            _reaped(0 if life in asked else os.WNOHANG)
            if life in asked:
                os._exit(0)
            connection, _ = listening.accept()
            if os.fork() == 0:
                for number in (0, 1):
                    os.dup2(connection.fileno(), number)
                connection.close()
                listening.close()
                be(words)
            connection.close()


def _reaped(how: int) -> None:
    """Take leave of the forks that ended, so that their time is counted as this process's."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, how)[0]:
            pass


def _placed(words: list[str]) -> str:
    """The module of an adapter's program, which can be imported from now on."""
    folder, name = os.path.split(words[0])
    if folder not in sys.path:
        sys.path.insert(0, folder)
    return name.removesuffix(".py")


def be(words: list[str]) -> NoReturn:
    """Be the adapter of these words, the file of its program first, with the streams of this process."""
    sys.argv = words
    code = 1
    try:
        __import__(_placed(words)).main()
        code = 0
    except (BrokenPipeError, ConnectionResetError):
        pass  # nobody asks any more
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(code)


def hand_on(place: str) -> NoReturn:
    """Be an adapter whose replies are those of a fork of the reference."""
    with suppress(OSError), socket.socket(socket.AF_UNIX) as connection:
        connection.connect(place)
        both = {0: connection.fileno(), connection.fileno(): 1}
        while True:
            for source in select.select(list(both), [], [])[0]:
                data = os.read(source, CHUNK)
                if not data:
                    os._exit(0)
                rest = memoryview(data)
                while rest:
                    rest = rest[os.write(both[source], rest) :]
    os._exit(1)
