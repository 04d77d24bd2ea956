"""The host's process, and its pipes: requests go out, messages come in, in order.

Enters: messages. Leaves: messages. Must not know what a scenario is.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import IO, Any, NoReturn, cast

from frames import HEAD, decoded, framed, length

Json = Any


class Client:
    """One process of the host. A host that ends takes its adapter with it: the scenario that it was at is lost."""

    def __init__(self, program: Path) -> None:
        argv = [sys.executable, "-S", str(program)]
        self._host = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._asked, self._said = cast("IO[bytes]", self._host.stdin), cast("IO[bytes]", self._host.stdout)

    def greet(self) -> str:
        """Begin a connection; return the host's version."""
        self.send({"type": "hello"})
        while True:
            message = self.hear()
            if message["type"] == "ready":
                return str(message["version"])

    def send(self, message: Json) -> None:
        """Send a message."""
        try:
            self._asked.write(framed(message))
            self._asked.flush()
        except BrokenPipeError:
            self._gone()

    def hear(self) -> Json:
        """Return the next message, once it is there."""
        return decoded(self._read(length(self._read(HEAD))))

    def close(self) -> int:
        """Close its pipe: it ends then; return its status."""
        self._host.communicate()
        return self._host.returncode

    def _read(self, count: int) -> bytes:
        found = self._said.read(count)
        if len(found) < count:
            self._gone()
        return found

    def _gone(self) -> NoReturn:
        sys.exit(f"the host ended with status {self._host.wait()}")
