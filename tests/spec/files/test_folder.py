"""Which files a folder has; nothing is passed over in silence."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bindproof.spec.files import folder
from bindproof.spec.files.folder import files_in
from bindproof.spec.problem import Problem


def found(root: Path, pattern: str = "*.json", *, deep: bool = True) -> tuple[list[str], list[Problem]]:
    problems: list[Problem] = []
    paths = files_in(root, root / "in", pattern, problems, deep=deep)
    return [path.relative_to(root / "in").as_posix() for path in paths], problems


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("b.json", "a.json", "a.toml", "deep/c.json"):
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).touch()
    return tmp_path


def test_files_that_match_are_found_in_order(root: Path) -> None:
    assert found(root, deep=False) == (["a.json", "b.json"], [])
    assert found(root) == (["a.json", "b.json", "deep/c.json"], [])


def test_a_folder_that_is_not_there_has_no_files(tmp_path: Path) -> None:
    assert found(tmp_path) == ([], [])


def test_a_linked_folder_is_entered(root: Path) -> None:
    (root / "in" / "other").symlink_to(root / "in" / "deep")
    assert found(root)[0] == ["a.json", "b.json", "deep/c.json", "other/c.json"]


def test_a_folder_that_is_linked_into_itself_is_entered_once(root: Path) -> None:
    (root / "in" / "deep" / "up").symlink_to(root / "in")
    assert found(root)[0] == ["a.json", "b.json", "deep/c.json"]


def test_a_linked_file_is_found(root: Path) -> None:
    (root / "in" / "c.json").symlink_to(root / "in" / "a.json")
    assert found(root, deep=False)[0] == ["a.json", "b.json", "c.json"]


def test_a_file_in_the_place_of_a_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "in").touch()
    assert found(tmp_path) == ([], [Problem("in", 1, "this folder cannot be read: Not a directory")])


@pytest.mark.parametrize("deep", [False, True])
@pytest.mark.parametrize("name", ["c.json", "c.toml", "01-c.md"])
def test_a_folder_in_the_place_of_a_file_is_told(name: str, deep: bool, root: Path) -> None:
    (root / "in" / name).mkdir()
    assert found(root, deep=deep)[1] == [Problem(f"in/{name}", 1, "this is a folder, and its name is a file's")]


def test_a_folder_that_may_not_be_read_is_told(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scandir = os.scandir

    def refuse(path: str) -> object:
        if path.endswith("deep"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(folder.os, "scandir", refuse)  # type: ignore[attr-defined]  # root may read everything
    assert found(root) == (
        ["a.json", "b.json"],
        [Problem("in/deep", 1, "this folder cannot be read: Permission denied")],
    )


def test_a_name_that_is_no_utf_8_is_told(root: Path) -> None:
    Path(os.fsdecode(os.fsencode(root / "in") + b"/\xff.json")).touch()
    names, problems = found(root, deep=False)
    assert names == ["a.json", "b.json"]
    assert problems == [Problem("in/\\udcff.json", 1, "this file's name is no UTF-8; rename it")]
