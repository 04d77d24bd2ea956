"""A suite that was read before is the same as one that is read now, and follows every change of its folder."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bindproof.core.memory import Place, keep_in
from bindproof.spec import Spec, SpecError, kept, load, load_expectations, shipped_expectations, vector_paths, vectors
from bindproof.spec.content import digest_of_suite
from bindproof.spec.kept import load_kept
from tests.conftest import REPOSITORY


@pytest.fixture(autouse=True)
def place() -> Iterator[dict[str, bytes]]:
    """A place to keep in, as what is in it."""
    stored: dict[str, bytes] = {}
    before = keep_in(Place(stored.get, stored.__setitem__))
    yield stored
    keep_in(before)


def parts(suite: Spec) -> list[object]:
    """All that is asked of a suite's folder in a start."""
    shown = {field.name: getattr(suite, field.name) for field in dataclasses.fields(suite) if field.name != "kept"}
    expectations = load_expectations(suite, shipped_expectations(suite))
    return [shown, list(vectors(suite)), vector_paths(suite), expectations, digest_of_suite(suite)]


def test_a_small_suite_that_is_kept_is_as_it_is_read(small: Path) -> None:
    root = small.parents[1]
    first, second = load_kept(root, "small"), load_kept(root, "small")
    assert second.kept is not None
    assert parts(first) == parts(second) == parts(load(root, "small"))


@pytest.mark.long
@pytest.mark.parametrize("name", ["relay", "interceptors", "interaction"])
def test_a_suite_of_ours_that_is_kept_is_as_it_is_read(name: str) -> None:
    load_kept(REPOSITORY, name)
    again = load_kept(REPOSITORY, name)
    assert again.kept is not None
    assert parts(again) == parts(load(REPOSITORY, name))


def test_a_suite_that_is_kept_is_not_read(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load_kept(small.parents[1], "small")
    monkeypatch.setattr(kept, "load", None)
    assert [one.id for one in vectors(load_kept(small.parents[1], "small"))] == ["small/first/plain", "small/first/red"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("suite.toml", "A small suite", "A new suite"),
        ("01-first.md", "A thing is red.", "A thing is blue."),
        ("dialects/dutch.toml", "^kapot", "^heel"),
        ("vectors/first/plain.json", "a plain thing", "another thing"),
        ("expectations/dutch.toml", "It is orange.", "It is green."),
    ],
)
def test_a_change_of_the_folder_is_seen(small: Path, file: str, old: str, new: str) -> None:
    root = small.parents[1]
    before = parts(load_kept(root, "small"))
    text = (small / file).read_text(encoding="utf-8")
    assert old in text
    (small / file).write_text(text.replace(old, new), encoding="utf-8")
    after = parts(load_kept(root, "small"))
    assert after == parts(load(root, "small"))
    assert after != before


@pytest.mark.parametrize("file", ["vectors/first/red.json", "expectations/dutch.toml"])
def test_a_file_that_cannot_be_read_is_told_when_it_is_asked_for(small: Path, place: object, file: str) -> None:
    (small / file).write_text("{", encoding="utf-8")
    suite = load_kept(small.parents[1], "small")
    assert not place
    assert next(vectors(suite, "*/plain")).title == "a plain thing"
    with pytest.raises(SpecError, match=file):
        parts(suite)


def test_a_folder_that_changes_while_it_is_read_is_not_kept(
    small: Path, place: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    def load_while_written(root: Path, name: str) -> Spec:
        (small / "vectors" / "first" / "plain.json").touch()
        (small / "02-second.md").write_text("# Second\n", encoding="utf-8")
        return load(root, name)

    monkeypatch.setattr(kept, "load", load_while_written)
    assert len(load_kept(small.parents[1], "small").chapters) == 2
    assert not place


@pytest.mark.long
def test_a_second_start_brings_in_nothing_slow(tmp_path: Path) -> None:
    code = (
        "import sys; from bindproof.cli import main; code = main(['explain', 'relay/marks/two-in-order']);"
        "print(code, sorted({'pydantic', 'jsonschema_rs', 're2'} & sys.modules.keys()), file=sys.stderr)"
    )
    environment = {**os.environ, "BINDPROOF_CACHE": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    ran = [
        subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        for _ in range(2)
    ]
    assert [run.stderr for run in ran] == ["0 ['pydantic', 're2']\n", "0 []\n"]
    assert ran[0].stdout == ran[1].stdout
