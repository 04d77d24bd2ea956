"""Stands between the harness and an adapter, and does what its script says, and nothing else.

Enters: a script as JSON, the command line of an adapter. Leaves: its replies, but for what the script does to them; in
a file that the script names, which scenarios were hit. Standard library only, and quick to start: there is one of it
for each process of the adapter.
"""

from __future__ import annotations

import json
import os
import random
import select
import signal
import sys
import time
import zlib
from collections import deque
from typing import Any, NoReturn

from tests.chaos.deeds import DEEDS, Scene
from tests.chaos.reference import be, hand_on

CHUNK = 1 << 18


class Proxy:
    """One process. script: see `tests.chaos.stories.Script`."""

    def __init__(self, script: dict[str, Any], adapter: list[str]) -> None:
        self._script = script
        self._manner = script.get("manner", {})
        self._chance = random.Random(f"{script['seed']} {self._note(b'start')}")
        self._pending: deque[tuple[int, str, bytes]] = deque()
        self._waiting = b""
        self._merged = 0
        self._count = 0
        self._into, self._out = _started(adapter)

    def serve(self) -> None:
        """Hand lines on, both ways, until one side ends."""
        self._start_strangely()
        request, reply = b"", b""
        patience = 0.005 if self._manner.get("merge") else None
        while True:
            ready, _, _ = select.select([0, self._out], [], [], patience if self._waiting else None)
            if not ready:
                self._flush()
            if self._out in ready:
                data = os.read(self._out, CHUNK)
                if not data:
                    self._flush()
                    os._exit(0)
                *lines, reply = (reply + data).split(b"\n")
                for line in lines:
                    self._replied(line)
            if 0 in ready:
                data = os.read(0, self._manner.get("reads", CHUNK))
                if not data:
                    self._end_of_input()
                *lines, request = (request + data).split(b"\n")
                for line in lines:
                    self._asked(line)

    def _asked(self, line: bytes) -> None:
        message = json.loads(line)
        self._pending.append((message["id"], message["method"], line))
        _all(self._into, line + b"\n")

    def _replied(self, line: bytes) -> None:
        number, method, request = self._pending.popleft()
        self._count += method == "run"
        deed = self._due(method, request)
        if "delay" in self._manner:
            time.sleep(self._chance.random() * self._manner["delay"])
        if self._manner.get("respell"):
            line = _respelled(line, self._of(request))
        if deed is None:
            self._say(line + b"\n")
            return
        self._note(b"hit " + request)
        self._flush()
        scene = Scene(number, line, self._of(request), _at_once)
        said = DEEDS[deed].act(scene)
        if said is not None:
            self._say(said)

    def _of(self, request: bytes) -> random.Random:
        """A source of chance that is the same whenever this is asked."""
        return random.Random(f"{self._script['seed']} {zlib.crc32(_told(request))}")

    def _due(self, method: str, request: bytes) -> str | None:
        """The deed that this request is answered with, None for a true reply."""
        for when in self._script.get("deeds", ()):
            deed: str = when["deed"]
            if method != when.get("method", "run"):
                continue
            if "scenario" in when and zlib.crc32(_told(request)) % 1000 in when["scenario"]:
                return deed
            if "nth" in when and self._count == when["nth"]:
                return deed
            if when.get("always"):
                return deed
        return None

    def _say(self, data: bytes) -> None:
        self._waiting += data
        self._merged += 1
        if self._merged >= self._manner.get("merge", 1) or not self._pending:
            self._flush()

    def _flush(self) -> None:
        data, self._waiting, self._merged = self._waiting, b"", 0
        most = self._manner.get("split")
        if not most or len(data) > 1 << 20:
            _at_once(data)
            return
        at = 0
        while at < len(data):
            size = self._chance.randint(1, most)
            _at_once(data[at : at + size])
            at += size

    def _start_strangely(self) -> None:
        manner = self._manner
        if manner.get("deaf_to_signals"):
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
        if manner.get("stderr"):
            _all(2, b"\xff\x1b]0;noise\x07 \xe2\x80\xae\n" * manner["stderr"])
        if manner.get("closes_stderr"):
            os.close(2)
        for _ in range(manner.get("holders", 0)):
            self._leave_a_daemon()

    def _leave_a_daemon(self) -> None:
        if os.fork():
            return
        os.setsid()
        if os.fork():
            os._exit(0)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        time.sleep(3600)
        os._exit(0)

    def _end_of_input(self) -> NoReturn:
        if self._manner.get("outlives_its_input"):
            time.sleep(3600)
        os._exit(0)

    def _note(self, what: bytes) -> int:
        """Note what happened; return how often something has."""
        place = self._script.get("notes")
        if place is None:
            return 0
        file = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        _all(file, what + b"\n")
        at = os.lseek(file, 0, os.SEEK_END)
        os.close(file)
        return at


def _told(request: bytes) -> bytes:
    """What is asked, whatever the id."""
    return request[request.find(b'"params"') :]


def _started(adapter: list[str]) -> tuple[int, int]:
    """Start the adapter; return the pipes to and from it.

    adapter: the file of its program, in Python, and its words, or the socket at which one is ready. Either way it is a
    process of its own that has this interpreter and what is imported here behind it.
    """
    read_in, write_in = os.pipe()
    read_out, write_out = os.pipe()
    if os.fork() == 0:
        os.dup2(read_in, 0)
        os.dup2(write_out, 1)
        for descriptor in (read_in, write_in, read_out, write_out):  # it must hold no end of what is to end it
            os.close(descriptor)
        hand_on(adapter[0]) if len(adapter) == 1 else be(adapter)
    os.close(read_in)
    os.close(write_out)
    return write_in, read_out


def _respelled(line: bytes, chance: random.Random) -> bytes:
    """The same message, its members in another order, with blanks and escapes."""
    message = json.loads(line)
    members = list(message.items())
    chance.shuffle(members)
    return json.dumps(
        dict(members), ensure_ascii=chance.random() < 0.5, separators=chance.choice(((" , ", " : "), (",", ":\t")))
    ).encode()


def _at_once(data: bytes) -> None:
    _all(1, data)


def _all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def main() -> None:
    """Serve, by the words of the command line."""
    try:
        Proxy(json.loads(sys.argv[1]), sys.argv[2:]).serve()
    except BrokenPipeError:  # the harness reads no more
        os._exit(1)
