"""A copy of a package in which files can be other ones."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bindproof.core.errors import UsageError
from bindproof.core.model import AdapterCommand
from bindproof.mutants.package_copy import PackageCopy, copy_of
from bindproof.targets.manifest import Get, Manifest, Start


def manifest(module: str | None) -> Manifest:
    return Manifest(
        name="it",
        title="it",
        target="layer",
        languages=(),
        suites=(),
        dialect="it",
        get=Get("somewhere", module=module),
        start=Start("it"),
    )


def made(tmp_path: Path) -> PackageCopy:
    package = tmp_path / "site" / "layer"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("from layer.inner import said\n")
    (package / "inner.py").write_text("said = 1\n")
    argv = (sys.executable, "-c", "import layer; print(layer.said)")
    command = AdapterCommand("it", argv, {"PYTHONPATH": str(tmp_path / "site")}, str(tmp_path))
    (tmp_path / "copy").mkdir()
    return copy_of(command, manifest("layer"), tmp_path / "copy")


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


def test_a_package_of_node_is_copied_beside_all_else_that_is_installed(tmp_path: Path) -> None:
    installed = tmp_path / "installed" / "node_modules"
    (installed / "native").mkdir(parents=True)
    (installed / "native" / "library.node").write_text("compiled")
    (installed / "layer").mkdir()
    (installed / "layer" / "index.js").write_text("said = 1\n")
    (tmp_path / "copy").mkdir()
    command = AdapterCommand("it", ("node", "it.mjs", str(tmp_path / "installed")), {}, str(tmp_path / "installed"))

    changed = copy_of(command, manifest(None), tmp_path / "copy").with_files({"index.js": "said = 2\n"})

    assert changed.argv == ("node", "it.mjs", str(tmp_path / "copy"))
    assert (Path(changed.cwd) / "node_modules" / "layer" / "index.js").read_text() == "said = 2\n"
    assert (Path(changed.cwd) / "node_modules" / "native" / "library.node").read_text() == "compiled"
    assert (installed / "layer" / "index.js").read_text() == "said = 1\n"


@pytest.mark.parametrize("module", ["layer", None])
def test_a_package_that_the_command_does_not_bring_is_refused(tmp_path: Path, module: str | None) -> None:
    command = AdapterCommand("it", ("it",), {}, str(tmp_path))

    with pytest.raises(UsageError, match="has no copy of layer of its own"):
        copy_of(command, manifest(module), tmp_path)
