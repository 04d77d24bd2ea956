"""A host and its native plugin are of one release, and what cannot be had is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from bindproof.core.model import AdapterCommand
from bindproof.suites.relay.targets import native_node_target, native_target
from bindproof.targets import cargo, node_target, python_target
from bindproof.targets.manifest import Manifest, manifest_of
from bindproof.targets.terms import Terms
from bindproof.targets.unmet import Unmet

QUIET = Terms(tell=lambda text: None)


@pytest.mark.parametrize(
    ("version", "crate"), [("0.10.4", "0.10.4"), ("0.11.0rc3", "0.11.0-rc.3"), ("0.10.0b1", "0.10.0-beta.1")]
)
def test_a_release_is_named_as_crates_do(version: str, crate: str) -> None:
    assert native_target.as_crate(version) == crate


def test_without_cargo_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    host = AdapterCommand("python", ("python",), {"PYTHONPATH": "/host"}, "/", version="0.10.4")
    monkeypatch.setattr(python_target, "command_for", lambda *_: host)
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(Unmet, match="there is no rustc on PATH") as caught:
        native_target.command_for("native", manifest_of("native"), None, QUIET)
    assert caught.value.remedy == cargo.INSTALL


def test_an_installed_package_is_no_host(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its release is not known before it runs."""
    host = AdapterCommand("python", ("python",), {"PYTHONPATH": "/host"}, "/")
    monkeypatch.setattr(python_target, "command_for", lambda *_: host)
    with pytest.raises(Unmet, match="the release of the installed package is not known"):
        native_target.command_for("native", manifest_of("native"), "env", QUIET)


def test_a_host_in_node_is_told_of_a_library_of_its_own_release(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = AdapterCommand("native-node", ("/node", "program", "/package"), {}, "/", version="0.9.2")
    built: list[str] = []

    def hosting(host: AdapterCommand, _manifest: Manifest, release: str, _terms: Terms) -> AdapterCommand:
        built.append(release)
        return replace(host, argv=(*host.argv, "/library"))

    monkeypatch.setattr(node_target, "command_for", lambda *_: asked)
    monkeypatch.setattr(native_target, "hosting", hosting)
    found = native_node_target.command_for("native-node", manifest_of("native-node"), None, QUIET)
    runtime, program, package, library = found.argv
    assert (runtime, package, library, built) == ("/node", "/package", "/library", ["0.9.2"])
    assert Path(program).parent.name == "native-node"
    lacking = native_node_target.without_target(found, manifest_of("native-node"))
    assert lacking.argv[2] != package
    assert lacking.argv[3:] == found.argv[3:]
