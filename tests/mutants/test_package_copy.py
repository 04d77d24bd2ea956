"""A copy of a package in which files can be other ones."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bindproof.core.errors import UsageError
from bindproof.core.model import AdapterCommand
from bindproof.mutants.package_copy import PackageCopy


def made(tmp_path: Path) -> PackageCopy:
    package = tmp_path / "site" / "layer"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("from layer.inner import said\n")
    (package / "inner.py").write_text("said = 1\n")
    argv = (sys.executable, "-c", "import layer; print(layer.said)")
    command = AdapterCommand("it", argv, {"PYTHONPATH": str(tmp_path / "site")}, str(tmp_path))
    (tmp_path / "copy").mkdir()
    return PackageCopy(command, "layer", tmp_path / "copy")


def said(command: AdapterCommand) -> str:
    return subprocess.run(
        command.argv, env=dict(command.env), capture_output=True, text=True, check=True
    ).stdout.strip()


def test_a_file_is_another_until_the_next_one(tmp_path: Path) -> None:
    copied = made(tmp_path)

    assert said(copied.with_files({"inner.py": "said = 2\n"})) == "2"
    assert said(copied.with_files({"inner.py": "said = 3\n"})) == "3"  # as long, and in the same second
    assert said(copied.with_files({})) == "1"
    assert copied.read("inner.py") == "said = 1\n"


def test_a_package_that_the_command_does_not_bring_is_refused(tmp_path: Path) -> None:
    command = AdapterCommand("it", ("it",), {}, str(tmp_path))

    with pytest.raises(UsageError, match="has no copy of layer of its own"):
        PackageCopy(command, "layer", tmp_path)
