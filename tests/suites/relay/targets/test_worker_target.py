"""A host and its worker are got apart: neither has the other's packages, and what cannot be had is told."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from bindproof.core.model import AdapterCommand
from bindproof.suites.relay.targets import c_target, worker_c_target, worker_node_target, worker_target
from bindproof.targets import node_target, pip, python_target
from bindproof.targets.manifest import manifest_of
from bindproof.targets.terms import Terms
from bindproof.targets.unmet import Unmet

QUIET = Terms(tell=lambda text: None)

HOST = AdapterCommand("h", ("exe", "-S", "program", "/library"), {"PYTHONPATH": "/host"}, "/", version="0.10.4")


def _install(entry: Path, requirement: str, *_: object) -> None:
    (entry / "target" / requirement).mkdir(parents=True)
    (entry / pip.INSTALLED).write_text('{"install": []}')


@pytest.fixture(autouse=True)
def host(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A host that is there, and a cache of the test's own."""
    monkeypatch.setenv("BINDPROOF_CACHE", str(tmp_path / "cache"))
    asked = AdapterCommand("python", ("python",), {"PYTHONPATH": "/host"}, "/", version="0.9.4")
    monkeypatch.setattr(python_target, "command_for", lambda *_: asked)


def test_each_process_has_its_own_packages_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pip, "install", _install)
    found = worker_target.command_for("worker-raw", manifest_of("worker-raw"), "0.9.4", QUIET)
    packages = Path(found.argv[-1])
    assert [path.name for path in packages.iterdir()] == [worker_target.GRPC]
    assert str(packages) not in found.env["PYTHONPATH"]
    assert found.env["PYTHONPATH"].startswith("/host:")
    assert (found.name, found.version) == ("worker-raw", "0.9.4")


def test_a_release_of_the_workers_package_goes_into_the_default_host(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def host(_name: str, _manifest: object, rest: str | None, _terms: Terms) -> AdapterCommand:
        asked.append(rest)
        return AdapterCommand("python", ("python",), {"PYTHONPATH": "/host"}, "/", version="0.10.4")

    monkeypatch.setattr(python_target, "command_for", host)
    monkeypatch.setattr(pip, "install", _install)
    found = worker_target.command_for("worker@0.6.0", manifest_of("worker"), "0.6.0", QUIET)
    assert asked == [None]
    assert [path.name for path in Path(found.argv[-1]).iterdir()] == ["nemo-relay-plugin==0.6.0"]
    assert found.version == "0.6.0"


def test_a_build_of_the_workers_package_is_known_by_its_content(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    installed: list[str] = []

    def install(entry: Path, requirement: str, *_: object) -> None:
        installed.append(requirement)
        (entry / "target").mkdir(parents=True)
        (entry / pip.INSTALLED).write_text('{"install": []}')

    monkeypatch.setattr(pip, "install", install)
    wheel = tmp_path / "nemo_relay_plugin-0.10.5-py3-none-any.whl"
    folders = []
    for content in ("one", "another", "one"):
        wheel.write_text(content)
        found = worker_target.command_for("worker", manifest_of("worker"), str(wheel), QUIET)
        folders.append(found.argv[-1])
    assert installed == [str(wheel), str(wheel)]
    assert folders[0] == folders[2] != folders[1]
    assert found.version == "0.10.5"


def test_a_wheel_of_another_package_makes_no_worker(tmp_path: Path) -> None:
    wheel = tmp_path / "nemo_relay-0.10.4-py3-none-any.whl"
    wheel.touch()
    with pytest.raises(Unmet, match="is a wheel of nemo_relay, not of nemo-relay-plugin"):
        worker_target.command_for("worker", manifest_of("worker"), str(wheel), QUIET)


def test_the_library_that_hosts_a_worker_is_told_before_the_workers_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pip, "install", _install)
    monkeypatch.setattr(c_target, "command_for", lambda *_: HOST)
    found = worker_c_target.command_for("worker-c", manifest_of("worker-c"), None, QUIET)
    _, _, program, library, packages = found.argv
    assert (Path(program).name, library) == ("worker_c_calls.py", "/library")
    assert [path.name for path in Path(packages).iterdir()] == [worker_target.GRPC]
    assert found.env["PYTHONPATH"].endswith("worker-raw")


def test_a_host_in_node_is_told_what_runs_the_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pip, "install", _install)
    asked = AdapterCommand("worker-node", ("/node", "program", "/package"), {}, "/", version="0.9.2")
    monkeypatch.setattr(node_target, "command_for", lambda *_: asked)
    found = worker_node_target.command_for("worker-node", manifest_of("worker-node"), None, QUIET)
    runtime, program, package, packages, worker, python = found.argv
    assert (runtime, package, python) == ("/node", "/package", sys.executable)
    assert Path(program).parent.name == "worker-node"
    assert [path.name for path in Path(packages).iterdir()] == [worker_target.GRPC]
    assert Path(worker).is_file()
    lacking = worker_node_target.without_target(found, manifest_of("worker-node"))
    assert lacking.argv[2] != package
    assert lacking.argv[3:] == found.argv[3:]


@pytest.mark.parametrize("target", [worker_c_target, worker_node_target])
def test_a_host_of_no_known_release_hosts_no_worker(monkeypatch: pytest.MonkeyPatch, target: ModuleType) -> None:
    unknown = AdapterCommand("h", ("exe",), {}, "/")
    monkeypatch.setattr(c_target, "command_for", lambda *_: unknown)
    monkeypatch.setattr(node_target, "command_for", lambda *_: unknown)
    name = target.__name__.rpartition(".")[2].removesuffix("_target").replace("_", "-")
    with pytest.raises(Unmet, match="is not known"):
        target.command_for(name, manifest_of(name), None, QUIET)


def test_a_worker_is_made_with_no_installed_package() -> None:
    with pytest.raises(Unmet, match="a worker is made with a release of its package"):
        worker_target.command_for("worker@env", manifest_of("worker"), "env", QUIET)


def test_a_machine_that_has_no_wheel_is_told_which_command_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def install(entry: Path, requirement: str, pins: Path | None, remedy: str, terms: Terms) -> None:
        raise Unmet("there is no wheel", remedy)

    monkeypatch.setattr(pip, "install", install)
    with pytest.raises(Unmet, match="there is no wheel") as caught:
        worker_target.command_for("worker-raw", manifest_of("worker-raw"), None, QUIET)
    assert f"-m pip download --no-deps {worker_target.GRPC}" in caught.value.remedy


def test_an_installed_package_is_no_host(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its release is not known before it runs."""
    asked = AdapterCommand("python", ("python",), {"PYTHONPATH": "/host"}, "/")
    monkeypatch.setattr(python_target, "command_for", lambda *_: asked)
    with pytest.raises(Unmet, match="the release of the installed package is not known"):
        worker_target.command_for("worker-raw", manifest_of("worker-raw"), "env", QUIET)
