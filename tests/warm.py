"""Commands of bindproof as a user types them, without the time that it takes to start and to import each time.

Enters: an interpreter with bindproof installed, or its paths; words. Leaves: exit code and output. What is the same
for all of them is one process that forks for each command (`warm_server`).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

SERVER = Path(__file__).with_name("warm_server.py")


class Ran(Struct, frozen=True):
    """What came of a command."""

    code: int
    out: str
    err: str


class Warm:
    """A process that acts commands out.

    python: its interpreter. environment: what it is started in, None: this process's.
    """

    def __init__(self, python: Path | str, environment: Mapping[str, str] | None = None) -> None:
        self._process = subprocess.Popen(
            [python, SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )
        self.close = weakref.finalize(self, _end, self._process)

    def run(
        self,
        *words: str,
        folder: Path | None = None,
        paths: Sequence[Path] = (),
        sites: Sequence[Path] = (),
        environment: Mapping[str, str] | None = None,
    ) -> Ran:
        """Act one command out.

        folder: where; None: in a folder of its own. paths: what Python imports from before all else. sites: folders of
        packages that were installed since. environment: what is different in it.
        """
        with tempfile.TemporaryDirectory() as own:
            asked = {
                "words": words,
                "out": f"{own}/out",
                "err": f"{own}/err",
                "folder": str(folder or own),
                "paths": [str(path) for path in paths],
                "sites": [str(path) for path in sites],
                "environment": dict(environment or {}),
            }
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            self._process.stdin.write(json.dumps(asked) + "\n")
            self._process.stdin.flush()
            code = int(self._process.stdout.readline())
            return Ran(code, *(Path(f"{own}/{name}").read_text(encoding="utf-8") for name in ("out", "err")))


def here() -> Warm:
    """A process with what this one imports from."""
    return Warm(sys.executable, {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))})


def _end(process: subprocess.Popen[str]) -> None:
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            stream.close()
    process.wait()
