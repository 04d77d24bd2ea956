"""Bytes and text of a file: read, or refused with file and line."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bindproof.spec import SpecError
from bindproof.spec.files import text
from bindproof.spec.files.text import LARGEST, lines_of, read_bytes, read_text, text_of


def said(path: Path) -> str:
    with pytest.raises(SpecError) as caught:
        read_bytes(path, "the/file")
    (problem,) = caught.value.problems
    assert (problem.file, problem.line) == ("the/file", 1)
    return problem.text


def test_a_file_is_read_whole(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\xc3\xa9\r\n")
    assert read_text(tmp_path / "a", "a") == "é\r\n"


def test_a_byte_that_is_no_utf_8_is_named_with_its_line() -> None:
    with pytest.raises(SpecError) as caught:
        text_of(b"one\ntwo \xff\n", "the/file")
    (problem,) = caught.value.problems
    assert str(problem) == "the/file:2: byte 0xff is no UTF-8: invalid start byte; save the file as UTF-8"


def test_what_is_not_there_is_refused(tmp_path: Path) -> None:
    assert said(tmp_path / "none") == "there is no such file"


def test_a_folder_is_refused(tmp_path: Path) -> None:
    assert said(tmp_path) == "this file cannot be read: it is a folder"


def test_a_pipe_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert "write a regular file" in said(tmp_path / "pipe")


def test_a_link_in_a_circle_is_refused(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert said(tmp_path / "loop").startswith("this file cannot be read: ")


def test_a_name_with_nul_is_refused(tmp_path: Path) -> None:
    assert said(tmp_path / "a\0b").startswith("this file cannot be read: ")


def test_what_may_not_be_opened_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(text.os, "open", refuse)  # type: ignore[attr-defined]  # root may open everything
    assert said(tmp_path / "a") == "this file cannot be read: Permission denied"


def test_a_file_that_is_too_large_is_refused(tmp_path: Path) -> None:
    with (tmp_path / "large").open("wb") as file:
        file.truncate(LARGEST + 1)
    assert said(tmp_path / "large") == f"this file has {LARGEST + 1} bytes; {LARGEST} are the most that are read"


def test_lines_end_where_editors_end_them() -> None:
    assert lines_of("a\r\nb\u2028c\x0cd\n\n") == ["a", "b\u2028c\x0cd", ""]
    assert lines_of("") == []
