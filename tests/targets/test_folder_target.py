"""Targets that are folders: what starts the adapter, what it is given, and what is said where that cannot be."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from bindproof.core.errors import UsageError
from bindproof.core.model import AdapterCommand, Unavailable
from bindproof.core.paths import adapters_root
from bindproof.protocol.process import AdapterProcess
from bindproof.targets import names_one, resolve, without_target

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


BUILD = """
[get]
from = "folder"
folder = "binding"
build = ["sh", "build.sh"]
"""


@pytest.fixture
def built(mine: Path) -> Path:
    """The same adapter, whose manifest says how its program is made: of what the target has."""
    before, _, start = MANIFEST.format(program="program").partition('[get]\nfrom = "folder"\nfolder = "binding"\n')
    (mine / "adapter.toml").write_text(before + BUILD.lstrip() + start)
    (mine / "build.sh").write_text("ls ../sdk > sdks && cp binding/my.py program && chmod +x program\n")
    return mine


def resolved(name: str = "mine") -> AdapterCommand | Unavailable:
    return resolve(name, required=True, progress=lambda _: None)


def test_what_has_a_build_is_built_once_beside_the_sdk_and_anew_where_a_file_changed(built: Path) -> None:
    command = resolved()
    assert isinstance(command, AdapterCommand), command
    program, target = map(Path, command.argv)
    assert program.read_text() == "x = 1\n"
    assert (program.parent / "sdks").read_text() == "python\n"
    assert (target / "my.py").read_text() == "x = 1\n"
    assert list(command.files) == ["my.py"]
    assert not (built / "program").exists(), "nothing is made in the user's folder"
    assert resolved() == command
    (built / "binding" / "my.py").write_text("x = 2\n")
    again = resolved()
    assert isinstance(again, AdapterCommand), again
    assert Path(again.argv[0]).read_text() == "x = 2\n"
    assert without_target(again) is None, "the target is in the program"


def test_another_folder_takes_the_place_of_the_target(built: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "my.py").write_text("x = 3\n")
    command = resolved(f"mine@{other}")
    assert isinstance(command, AdapterCommand), command
    assert Path(command.argv[0]).read_text() == "x = 3\n"
    assert command.notes == (f"the folder {other}",)


def test_a_build_that_fails_says_why(built: Path) -> None:
    (built / "build.sh").write_text("echo no compiler; exit 3\n")
    found = resolved()
    assert isinstance(found, Unavailable)
    assert found.reason == "`sh build.sh` failed with exit status 3:\nno compiler"


@pytest.mark.parametrize("folder", ["../../elsewhere", ".."])
def test_a_target_that_is_nowhere_near_is_not_built(folder: str, built: Path) -> None:
    (built.parents[1] / "elsewhere").mkdir()
    manifest = built / "adapter.toml"
    manifest.write_text(manifest.read_text().replace('"binding"', f'"{folder}"'))
    found = resolved()
    assert isinstance(found, Unavailable)
    assert "neither in the adapter's own, nor beside it" in found.reason


def test_an_adapter_is_named_by_its_folder(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(mine.parent)
    command = ready(mine, "adapter.py", "./mine")
    assert (command.name, command.argv[2]) == ("./mine", str(mine / "adapter.py"))
    with pytest.raises(UsageError, match=r"no adapter in \./none: .* bindproof new-adapter \./none --language python"):
        resolved("./none")


@pytest.mark.parametrize(
    ("text", "is_one"),
    [("./mine", True), ("python", True), ("./mine@./x", True), ("./none", False), ("python adapter.py", False)],
)
def test_a_command_line_is_told_from_an_adapter(
    text: str, is_one: bool, mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(mine.parent)
    (mine / "adapter.toml").write_text(MANIFEST.format(program="adapter.py"))
    assert names_one(text) is is_one
