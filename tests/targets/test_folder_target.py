"""Targets that are folders: what starts the adapter, what it is given, and what is said where that cannot be."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from bindproof.core.model import AdapterCommand, Unavailable
from bindproof.core.paths import adapters_root
from bindproof.protocol.process import AdapterProcess
from bindproof.targets import resolve, without_target

MANIFEST = """\
name = "mine"
title = "mine"
target = "my-binding"
languages = ["python"]
suites = ["small"]
dialect = "wire"

[get]
from = "folder"
folder = "binding"

[start]
program = "{program}"
"""


@pytest.fixture
def mine(two_homes: Path) -> Path:
    """The folder of an adapter of another package, with its binding beside it."""
    folder = two_homes / "adapters" / "mine"
    (folder / "binding").mkdir(parents=True)
    (folder / "binding" / "my.py").write_text("x = 1\n")
    return folder


def found(mine: Path, program: str, name: str = "mine") -> AdapterCommand | Unavailable:
    (mine / "adapter.toml").write_text(MANIFEST.format(program=program))
    (mine / program).touch()
    return resolve(name, required=True, progress=lambda _: None)


def ready(mine: Path, program: str, name: str = "mine") -> AdapterCommand:
    command = found(mine, program, name)
    assert isinstance(command, AdapterCommand), command
    return command


def test_a_python_program_has_folder_and_sdk_on_its_path(mine: Path) -> None:
    command = ready(mine, "adapter.py")
    assert command.argv == (sys.executable, "-S", str(mine / "adapter.py"), str(mine / "binding"))
    assert command.env["PYTHONPATH"].split(os.pathsep) == [
        str(mine / "binding"),
        str(adapters_root() / "sdk" / "python"),
    ]
    assert list(command.files) == ["my.py"]


def test_what_is_driven_runs_as_who_named_it(mine: Path, tmp_path: Path) -> None:
    """The adapter's folder has nothing to keep a binding in: that writes where its user may."""
    elsewhere = tmp_path / "elsewhere"
    (mine / "binding" / "my.py").write_text(f"import os\nopen({str(elsewhere)!r}, 'w').write(str(os.getuid()))\n")
    command = ready(mine, "adapter.py")
    (mine / "adapter.py").write_text("import my\n")
    assert AdapterProcess(command, 10).end(grace=20.0) == "it exited with status 0"

    assert elsewhere.read_text() == str(os.getuid())


def test_any_program_may_be_executed(mine: Path) -> None:
    refused = found(mine, "adapter")
    assert isinstance(refused, Unavailable)
    assert refused.reason.endswith("adapter is neither .py nor .mjs, nor can it be executed")
    (mine / "adapter").chmod(0o755)
    command = ready(mine, "adapter")
    assert command.argv == (str(mine / "adapter"), str(mine / "binding"))
    assert command.env["BINDPROOF_SDK"] == str(adapters_root() / "sdk")


def test_another_folder_may_be_named(mine: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    assert ready(mine, "adapter.py", f"mine@{other}").argv[-1] == str(other)
    for name, reason in (("mine@1.0", "it has no releases"), (f"mine@{tmp_path}/none", "there is no folder")):
        refused = found(mine, "adapter.py", name)
        assert isinstance(refused, Unavailable)
        assert reason in refused.reason
        assert "--adapter mine" in refused.remedy


def test_without_its_target_the_folder_is_empty(mine: Path) -> None:
    bare = without_target(ready(mine, "adapter.py"))
    assert bare is not None
    assert list(Path(bare.argv[-1]).iterdir()) == []
    assert str(mine / "binding") not in bare.env["PYTHONPATH"]
