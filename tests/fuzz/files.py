"""Files that people write, changed: each is read, or refused with a sentence that names a file and a line.

Enters: a stream of random numbers, a folder to write in. Leaves: nothing, or an AssertionError. The suite is a small
one, so that all of it is read each time; its kinds of file are those of every suite.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from bindproof.core.errors import FileError
from bindproof.spec import load, load_expectations, shipped_expectations, vectors
from bindproof.spec.changes import read_changes
from bindproof.spec.check import check
from bindproof.spec.forms import forms
from bindproof.spec.kept import load_kept
from bindproof.spec.problem import Problem
from bindproof.spec.render import left_open
from bindproof.targets.manifest import read_manifest
from bindproof.targets.node_target import locked, package_json
from bindproof.targets.unmet import Unmet
from tests.conftest import REPOSITORY
from tests.fuzz.changes import changed_bytes

SUITE_FILES = (
    "suite.toml",
    "01-first.md",
    "sources.toml",
    "dialects/dutch.toml",
    "changes/9--10.toml",
    "vectors/first/plain.json",
    "vectors/first/red.json",
    "expectations/dutch.toml",
    "schemas/9/thing.json",
    "schemas/10/thing.json",
    "requirements.lock",
    "editions.lock",
)


def refused(ask: Callable[[], object]) -> None:
    """Ask; what is refused has to say where."""
    try:
        found = ask()
    except FileError as error:
        assert str(error.path) not in ("", ".")
        assert error.line is None or error.line >= 1
        assert len(str(error)) < 100_000
        str(error).encode()
    except Unmet as error:
        assert error.reason
        assert error.remedy
    else:
        for problem in found if isinstance(found, list) else ():
            if isinstance(problem, Problem):
                assert problem.file.startswith("spec/small")
                assert problem.line >= 1
                str(problem).encode()


def asked(root: Path) -> Iterator[Callable[[], object]]:
    """Everything that is asked of a suite's folder, apart."""
    yield lambda: check(root, "small", {})
    yield lambda: load_kept(root, "small")
    yield lambda: list(vectors(load(root, "small")))
    yield lambda: (suite := load(root, "small")) and load_expectations(suite, shipped_expectations(suite))
    yield lambda: [forms(load(root, "small"), edition) for edition in ("9", "10")]
    yield lambda: read_changes(load(root, "small"))
    yield lambda: left_open(load(root, "small"))


class SuiteFiles:
    """The files of a small suite, of which one is changed each time. name: only this one."""

    def __init__(self, draw: random.Random, folder: Path, name: str | None = None) -> None:
        from tests.spec.small_spec import write

        self.folder, self.draw, self.name = write(folder), draw, name
        self.whole = {one: self._bytes(one) for one in SUITE_FILES}

    def _bytes(self, name: str) -> bytes:
        path: Path = self.folder / name
        return path.read_bytes() if path.exists() else b""

    def __call__(self) -> None:
        """Change a file, ask everything of the suite, and put the file back."""
        name = self.name or self.draw.choice(SUITE_FILES)
        path = self.folder / name
        path.write_bytes(changed_bytes(self.whole[name], self.draw))
        try:
            for ask in asked(self.folder.parents[1]):
                refused(ask)
        except Exception as error:
            error.add_note(f"{name}: {path.read_bytes()!r:.2000}")
            raise
        path.write_bytes(self.whole[name])


class OneFile:
    """Files of one kind that are read by one function, which refuses with one of some errors."""

    def __init__(self, draw: random.Random, path: Path, given: list[bytes], ask: Callable[[Path], Any]) -> None:
        self.draw, self.path, self.given, self.ask = draw, path, given, ask

    def __call__(self) -> None:
        """Write a changed one, and read it."""
        self.path.write_bytes(changed_bytes(self.draw.choice(self.given), self.draw))
        try:
            refused(lambda: self.ask(self.path))
        except Exception as error:
            error.add_note(f"{self.path.name}: {self.path.read_bytes()!r:.2000}")
            raise


def manifests(draw: random.Random, folder: Path) -> OneFile:
    """Return the adapters' manifests."""
    place = folder / "one"
    place.mkdir(exist_ok=True)
    given = [path.read_bytes() for path in sorted(REPOSITORY.glob("adapters/*/adapter.toml"))]
    return OneFile(draw, place / "adapter.toml", given, read_manifest)


def packages(draw: random.Random, folder: Path) -> OneFile:
    """Return what is read of a package of Node in a folder."""
    place = folder / "package"
    place.mkdir(exist_ok=True)
    given = [path.read_bytes() for path in sorted(REPOSITORY.glob("adapters/**/package.json"))]
    return OneFile(draw, place / "package.json", given, lambda path: package_json(path.parent, "another one"))


def package_locks(draw: random.Random, folder: Path) -> OneFile:
    """Return what npm chose."""
    given = [(REPOSITORY / "adapters" / "node" / "package-lock.json").read_bytes()]
    return OneFile(draw, folder / "package-lock.json", given, lambda path: locked(path, "nemo-relay-node"))
