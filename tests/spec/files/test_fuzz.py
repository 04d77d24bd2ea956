"""Files with changed bytes: each is read, or refused with a sentence that names a file and a line. Nothing else."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bindproof.core.errors import FileError
from bindproof.spec import load, load_expectations, shipped_expectations, vectors
from bindproof.spec.changes import read_changes
from bindproof.spec.check import check
from bindproof.spec.forms import forms
from bindproof.spec.kept import load_kept
from bindproof.spec.problem import Problem
from bindproof.spec.render import left_open
from bindproof.targets.manifest import read_manifest
from tests.conftest import REPOSITORY

SEED = int(os.environ.get("BINDPROOF_SEED", "17"))

FILES = (
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

PIECES = [
    *(b"\xff", b"\x00", b"\xed\xa0\x80", b"\\ud800", b"\xef\xbb\xbf", b"\r", b"\xe2\x80\xa8", b"\x1b[31m"),
    *(b"9" * 5000, b"-1", b"1e999", b"18446744073709551616", b"nan", b"0x", b"1979-05-27", b"true", b"null", b'""'),
    *(b"[" * 330, b"[" * 3000, b'{"a":' * 330, b"[[", b"]]", b"}", b"{}", b"[]", b"'''", b'"""', b"#", b"=", b"."),
    *(b"(.*)*x$", b"(", b"(?!a)", b"a{99999}", b"\\1", b"$ref", b"#/nowhere", b"~", b"/", b"../../x", b"__proto__"),
    *(b"0.9\xe2\x80\x93", b"all", b"MUST", b"## FST-001 A", b"\n\n", b"\n```\n", b">=0.9,<0.10", b"\xc2\xb7", b" "),
]
"""What is put in; each is known to have broken some reader of the same kind of file."""


def changed(data: bytes, draw: random.Random) -> bytes:
    """The bytes with one to three places changed."""
    for _ in range(draw.choice((1, 1, 2, 3))):
        at, end = sorted(draw.randrange(len(data) + 1) for _ in range(2))
        end = min(end, at + draw.choice((0, 0, 1, 2, 9, 200)))
        piece = draw.choice(
            (
                draw.choice(PIECES),
                bytes([draw.randrange(256)]),
                b"",
                data[at:end] * draw.randrange(4),
                data[end : end + 40],
            )
        )
        data = data[:at] + piece + data[end:]
    return data


def asked(root: Path) -> Iterator[Callable[[], object]]:
    """Everything that is asked of a suite's folder, apart."""
    yield lambda: check(root, "small", {})
    yield lambda: load_kept(root, "small")
    yield lambda: list(vectors(load(root, "small")))
    yield lambda: (suite := load(root, "small")) and load_expectations(suite, shipped_expectations(suite))
    yield lambda: [forms(load(root, "small"), edition) for edition in ("9", "10")]
    yield lambda: read_changes(load(root, "small"))
    yield lambda: left_open(load(root, "small"))


def refused(ask: Callable[[], object]) -> None:
    """Ask; what is refused has to say where."""
    try:
        found = ask()
    except FileError as error:
        assert str(error.path) not in ("", ".")  # noqa: PT017 - most are not refused at all
        assert error.line is None or error.line >= 1  # noqa: PT017
        assert len(str(error)) < 100_000  # noqa: PT017
        str(error).encode()
    else:
        for problem in found if isinstance(found, list) else ():
            if isinstance(problem, Problem):
                assert problem.file.startswith("spec/small")
                assert problem.line >= 1
                str(problem).encode()


def try_changes(folder: Path, name: str, times: int) -> None:
    """Change a file of the small suite again and again, and ask everything of each."""
    draw, path = random.Random(f"{SEED} {name}"), folder / name
    path.touch()
    whole = path.read_bytes()
    for number in range(times):
        path.write_bytes(changed(whole, draw))
        for ask in asked(folder.parents[1]):
            try:
                refused(ask)
            except Exception as error:
                error.add_note(f"{name}, change {number} with BINDPROOF_SEED={SEED}: {path.read_bytes()!r:.2000}")
                raise


@pytest.mark.parametrize("name", FILES)
def test_changed_bytes_are_read_or_refused_with_a_place(small: Path, name: str) -> None:
    try_changes(small, name, 25)


@pytest.mark.long
@pytest.mark.parametrize("name", FILES)
def test_many_changed_bytes_are_read_or_refused_with_a_place(small: Path, name: str) -> None:
    try_changes(small, name, 120)


def manifests(folder: Path, times: int) -> None:
    draw = random.Random(SEED)
    for source in sorted(REPOSITORY.glob("adapters/*/adapter.toml")):
        path = folder / source.parent.name / "adapter.toml"
        path.parent.mkdir()
        whole = source.read_bytes()
        for _ in range(times):
            path.write_bytes(changed(whole, draw))
            refused(lambda path=path: read_manifest(path))  # type: ignore[misc]
        shutil.rmtree(path.parent)


def test_changed_bytes_of_a_manifest_are_read_or_refused_with_a_place(tmp_path: Path) -> None:
    manifests(tmp_path, 30)


@pytest.mark.long
def test_many_changed_bytes_of_a_manifest_are_read_or_refused_with_a_place(tmp_path: Path) -> None:
    manifests(tmp_path, 600)
