"""A native plugin's library, as a host finds it."""

from __future__ import annotations

import importlib
import tomllib
from pathlib import Path
from typing import Any

import pytest

from bindproof.core.paths import adapters_root


@pytest.fixture
def native(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(adapters_root() / "sdk" / "worker")
    return importlib.import_module("bindproof_worker.native")


def test_libraries_of_one_process_are_one_file_so_that_a_host_loads_it_once(tmp_path: Path, native: Any) -> None:
    """Else each takes of what a process has few of: a campaign ended in "out of TLS keys"."""
    built = tmp_path / "built.so"
    built.write_bytes(b"a library")
    folders = [tmp_path / name for name in ("a", "b")]
    for folder in folders:
        folder.mkdir()
        native.Library(built).write(folder, "0.10")
    one, other = (folder / "plugin.so" for folder in folders)
    assert one.samefile(other)
    assert one.read_bytes() == b"a library"
    assert not one.samefile(built)


@pytest.mark.parametrize("said", ["own", "other"])
def test_a_signature_is_a_file_that_the_manifest_names(said: str, tmp_path: Path, native: Any) -> None:
    built = tmp_path / "built.so"
    built.write_bytes(b"a library")
    built.with_name("signature").write_text("ed25519:AAAA", "utf-8")
    (folder := tmp_path / "folder").mkdir()
    manifest = tomllib.loads(native.Library(built, {**native.HONEST, "signature": said}).write(folder, "0.10"))
    signature = (folder / manifest["integrity"]["signature"]).read_text("utf-8")
    assert (signature == "ed25519:AAAA") is (said == "own")
    assert signature.startswith("ed25519:")


def test_without_a_signature_there_is_neither_file_nor_word(tmp_path: Path, native: Any) -> None:
    built = tmp_path / "built.so"
    built.write_bytes(b"a library")
    (folder := tmp_path / "folder").mkdir()
    manifest = tomllib.loads(native.Library(built).write(folder, "0.10"))
    assert [*manifest["integrity"]] == ["sha256"]
    assert [path.name for path in folder.iterdir()] == ["plugin.so"]
