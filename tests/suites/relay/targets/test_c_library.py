"""The C library: built once for each release, with its own header, whoever asks. The cargo here builds nothing."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

import pytest

from bindproof.core.model import Unavailable
from bindproof.core.paths import adapters_root
from bindproof.suites.relay.targets.c_library import HEADER, LIBRARY, library
from bindproof.targets import resolve
from bindproof.targets.terms import Terms
from bindproof.targets.unmet import Unmet

SHARED = f"lib{LIBRARY}.{'dylib' if sys.platform == 'darwin' else 'so'}"

CARGO = f"""\
#!{sys.executable}
import json, os, pathlib, re, sys, time
here = pathlib.Path(__file__).parent
if sys.argv[1] == "--version":
    sys.exit()
version = re.search(r'nemo-relay-ffi = "=(.*)"', pathlib.Path("Cargo.toml").read_text())[1]
sources = here / version
if sys.argv[1] == "metadata":
    if not sources.is_dir():
        sys.exit(f"no release {{version}}")
    package = {{"name": "nemo-relay-ffi", "version": version, "manifest_path": str(sources / "Cargo.toml")}}
    other = {{**package, "name": "libc"}}
    print(json.dumps({{"packages": [other, package], "more": 1}}))
else:
    with (here / "builds").open("a") as builds:
        builds.write(f"{{version}} {{'--locked' in sys.argv}}\\n")
    time.sleep(0.5 if (here / "slow").exists() else 0)
    made = pathlib.Path(os.environ["CARGO_TARGET_DIR"]) / "debug"
    made.mkdir(parents=True)
    (made / "{SHARED}").write_text(version)
    (made / "noise").write_text("much")
    lock = 'name = "nemo-relay-ffi"\\nversion = "' + version + '"\\nsource = "index"\\nchecksum = "abc0"\\n'
    pathlib.Path("Cargo.lock").write_text(lock)
    print("   Compiling it")
"""


@pytest.fixture(autouse=True)
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH with a cargo and a rustc that know the releases in their own folder."""
    folder = tmp_path / "tools"
    folder.mkdir()
    for name, text in {"cargo": CARGO, "rustc": "#!/bin/sh\necho release: 1.0\n"}.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    for version in ("0.9.4", "0.10.4"):
        (folder / version).mkdir()
        (folder / version / HEADER).write_text(f"/* {version} */")
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}/bin")
    monkeypatch.delenv("CARGO_TARGET_DIR", raising=False)
    return folder


def builds(tools: Path) -> list[str]:
    return (tools / "builds").read_text().splitlines()


@pytest.mark.long
def test_library_and_header_are_one_release(tools: Path, cache: Path, said: list[str], terms: Terms) -> None:
    built = library("0.9.4", terms)
    assert built.folder.parent == cache
    assert (built.shared.name, built.shared.read_text()) == (SHARED, "0.9.4")
    assert built.header.read_text() == "/* 0.9.4 */"
    assert {path.name for path in built.folder.iterdir()} == {SHARED, HEADER, "Cargo.lock", "build.log"}
    assert "Compiling it" in (built.folder / "build.log").read_text()
    assert library("0.9.4", terms) == built
    assert builds(tools) == ["0.9.4 False"]
    assert said[0].startswith("nemo-relay-ffi 0.9.4: building the C library, about 3 minutes")
    assert said[-1] == "nemo-relay-ffi 0.9.4: the C library is ready"


@pytest.mark.long
def test_the_lock_holds_for_the_release_it_was_made_with(tools: Path, terms: Terms) -> None:
    default, other = library("0.10.4", terms), library("0.9.4", terms)
    assert default.folder != other.folder
    assert (default.notes, other.notes) == (
        (),
        ("nemo-relay-ffi 0.9.4 is pinned by nothing: its sources have sha256 abc0",),
    )
    assert builds(tools) == ["0.10.4 True", "0.9.4 False"]


@pytest.mark.long
def test_two_that_ask_at_once_share_one_build(tools: Path, said: list[str], terms: Terms) -> None:
    (tools / "slow").touch()
    found = []
    askers = [threading.Thread(target=lambda: found.append(library("0.10.4", terms))) for _ in range(2)]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join(20)
    assert found[0] == found[1]
    assert builds(tools) == ["0.10.4 True"]
    assert any("waiting for another process" in text for text in said)


@pytest.mark.long
def test_no_such_release_is_known_before_a_build(tools: Path, cache: Path, terms: Terms) -> None:
    with pytest.raises(Unmet, match=r"no release 0\.9\.99") as refused:
        library("0.9.99", terms)
    assert "release of nemo-relay-ffi" in refused.value.remedy
    assert not (tools / "builds").exists()
    assert [path.suffix for path in cache.iterdir()] == [".lock"]


@pytest.mark.long
def test_sources_without_a_header_are_no_library(tools: Path, terms: Terms) -> None:
    (tools / "0.10.4" / HEADER).unlink()
    with pytest.raises(Unmet, match=f"have no {HEADER}"):
        library("0.10.4", terms)


def test_without_rust_it_says_what_to_install(said: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    found = resolve("c", required=True, progress=said.append)
    assert isinstance(found, Unavailable)
    assert "rustup" in found.remedy


@pytest.mark.parametrize("spec", ["c@env", "c@next"])
def test_only_releases_and_paths_can_be_had(spec: str, said: list[str]) -> None:
    found = resolve(spec, required=True, progress=said.append)
    assert isinstance(found, Unavailable)
    assert "c@RELEASE" in found.remedy
    assert not said


def test_the_committed_crate_names_the_default_release() -> None:
    manifest = (adapters_root() / "sdk" / "clib" / "Cargo.toml").read_text()
    default = (adapters_root() / "c" / "adapter.toml").read_text()
    release = default.split('release = "')[1].split('"')[0]
    assert f'nemo-relay-ffi = "={release}"\n' in manifest
