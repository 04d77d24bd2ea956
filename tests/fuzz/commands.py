"""Commands over changed files, logs and words: each ends in time, with a documented exit code that is no bug of ours.

Enters: a stream of random numbers, a folder to write in. Leaves: nothing, or an AssertionError. Each command is a
process of its own.
"""

from __future__ import annotations

import os
import random
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Final

from bindproof.core.paths import data_root
from bindproof.core.visible import visible
from bindproof.scaffold import write_suite
from bindproof.spec import load, vector_paths
from tests.fuzz.changes import changed_bytes
from tests.fuzz.logs import changed_log, logs
from tests.fuzz.vectors import changed_vector

PATIENCE: Final = 120.0
"""Seconds that a command may take on a machine that is busy."""

EXITS: Final = frozenset({0, 1, 2, 3, 4})
JUDGED: Final = ("--adapter", "reference", "--suite", "relay")
TWO: Final = ("--vector", "relay/marks/two-in-order")
WORDS: Final = (
    "run --adapter reference --suite relay --vector relay/marks/two-in-order --requirement MRK-002 --edition 0.9",
    "run --adapter reference --vector relay/marks/two-in-order --shard 1/2 --jobs 1 --timeout 10 --report verdicts",
    "run --adapter-command mine=true --vector relay/marks/two-in-order --expectations none --fault swap_marks",
    "fuzz --adapter reference --suite relay --examples 3 --seed 1 --first 2 --minimum-exercised 1 --seconds 2",
    "replay relay/marks/two-in-order --adapter reference",
    "explain MRK-002",
    "spec list relay --vectors",
    "spec changes 0.7 0.9 --suite relay",
    "spec show marks",
    "merge nothing.jsonl -o out.jsonl",
    "smoke reference --suite relay",
    "adapters list",
)


class Commands:
    """The command line."""

    def __init__(self, draw: random.Random, folder: Path) -> None:
        self.draw, self.folder = draw, folder
        self.vectors = [path.read_bytes() for path in vector_paths(load(data_root(), "relay")).values()]
        self.known = [path.read_bytes() for path in sorted(data_root().glob("spec/relay/expectations/*.toml"))]
        self.logs = logs()
        self.package, self.installed = _installed(folder / "others")
        self.made = (self._vector, self._expectations, self._merge, self._continue, self._suite, self._words)

    def __call__(self) -> None:
        """Run one command."""
        words = self.draw.choice(self.made)()
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(self.installed), *_paths()))}
        command = [sys.executable, "-m", "bindproof", *words]
        ran = subprocess.run(
            command,
            cwd=self.folder,
            env=environment,
            capture_output=True,
            check=False,
            timeout=PATIENCE,
            stdin=subprocess.DEVNULL,
        )
        said = (ran.stdout + ran.stderr).decode(errors="replace")
        about = f"{shlex.join(words)}: {ran.returncode}\n{said[-3000:]}"
        assert ran.returncode in EXITS, about
        assert "Traceback" not in said, about
        assert visible(said) == said, about

    def _file(self, name: str, data: bytes) -> str:
        path = self.folder / name
        path.write_bytes(data)
        return str(path)

    def _vector(self) -> list[str]:
        return [
            "replay",
            self._file("changed.json", changed_vector(self.draw.choice(self.vectors), self.draw)),
            *JUDGED,
        ]

    def _expectations(self) -> list[str]:
        known = self._file("changed.toml", changed_bytes(self.draw.choice(self.known), self.draw))
        return ["run", *JUDGED, *TWO, "--expectations", known]

    def _log(self) -> str:
        return self._file("changed.jsonl", changed_log(self.draw.choice(self.logs), self.draw))

    def _merge(self) -> list[str]:
        return ["merge", self._log(), "-o", str(self.folder / "whole.jsonl")]

    def _continue(self) -> list[str]:
        log = self.draw.choice(self.logs)[:-1]
        path = self._file("changed.jsonl", changed_log(log, self.draw))
        return [self.draw.choice(("run", "fuzz")), "--continue", path]

    def _suite(self) -> list[str]:
        """Change a file of an installed suite; it stays changed until the next one is."""
        for path, data in self.package.items():
            path.write_bytes(data)
        path = self.draw.choice(sorted(self.package))
        path.write_bytes(changed_bytes(self.package[path], self.draw))
        kinds = (
            "spec check meters",
            "run --suite meters --adapter reference",
            "spec list meters --vectors",
            "adapters list",
            "explain MET-001",
        )
        return shlex.split(self.draw.choice(kinds))

    def _words(self) -> list[str]:
        words = shlex.split(self.draw.choice(WORDS))
        for _ in range(self.draw.choice((1, 1, 2))):
            at = self.draw.randrange(len(words))
            data = changed_bytes(os.fsencode(words[at]), self.draw).replace(b"\x00", b"")[:50_000]
            words[at] = os.fsdecode(data)
        if (
            any(word.startswith(("--save", "-o", "--results", "--cluster")) for word in words)
            or words[0] == "new-suite"
        ):
            return ["explain", *words[:1]]
        return words


def _paths() -> tuple[str, ...]:
    root = data_root()
    return str(root / "conformance"), str(root / "reference_impl")


def _installed(folder: Path) -> tuple[dict[Path, bytes], Path]:
    """Return the files of an installed suite that people write, with their bytes, and where it is installed."""
    home = folder / "bindproof-meters"
    if not home.exists():
        write_suite(home, "meters")
        project = tomllib.loads((home / "pyproject.toml").read_text())["project"]
        told = home / "bindproof_meters-0.1.0.dist-info"
        told.mkdir()
        (told / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: 0.1.0\n")
        entries = project["entry-points"]["bindproof.suites"].items()
        (told / "entry_points.txt").write_text(
            "[bindproof.suites]\n" + "".join(f"{name} = {value}\n" for name, value in entries)
        )
    files = [
        path for path in home.rglob("*") if re.search(r"\.(toml|json|md|lock)$", path.name) and path.parent != home
    ]
    return {path: path.read_bytes() for path in files}, home
