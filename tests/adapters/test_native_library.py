"""A native plugin's library, as a host finds it."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from bindproof.core.paths import adapters_root


def test_libraries_of_one_process_are_one_file_so_that_a_host_loads_it_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else each takes of what a process has few of: a campaign ended in "out of TLS keys"."""
    monkeypatch.syspath_prepend(adapters_root() / "sdk" / "worker")
    native = importlib.import_module("bindproof_worker.native")
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
