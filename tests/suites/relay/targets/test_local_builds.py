"""What a binding's author built or changed: a library with its header, or the folder of a crate. Cargo is a fake."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from bindproof.core.model import AdapterCommand, Unavailable
from bindproof.suites.relay.targets.c_library import HEADER, LIBRARY, Library, library_for
from bindproof.targets import resolve
from bindproof.targets.manifest import manifest_of
from bindproof.targets.terms import Terms
from bindproof.targets.unmet import Unmet

SHARED = f"lib{LIBRARY}.{'dylib' if sys.platform == 'darwin' else 'so'}"
LOCK = 'name = "nemo-relay-ffi"\nversion = "0.11.0"\n'

CARGO = f"""\
#!{sys.executable}
import json, os, pathlib, re, sys
here = pathlib.Path(__file__).parent
if sys.argv[1] == "--version":
    sys.exit()
text = pathlib.Path("Cargo.toml").read_text()
if sys.argv[1] == "metadata":
    found = re.search(r'path = "(.*)"', text)
    folder = pathlib.Path(found[1] if found else ".").absolute()
    own = re.search(r'name = "(.*)"', (folder / "Cargo.toml").read_text())[1]
    def package(name, folder, source=None):
        manifest = str(folder / "Cargo.toml")
        return {{"id": name, "name": name, "version": "0.11.0", "manifest_path": manifest, "source": source}}
    packages = [package(own, folder), package("core", folder.parent / "core"), package("serde", here, "registry")]
    nodes = [{{"id": own, "dependencies": ["core", "serde"]}}, {{"id": "core", "dependencies": ["serde"]}}]
    print(json.dumps({{"packages": packages, "resolve": {{"nodes": nodes}}, "more": 1}}))
else:
    with (here / "builds").open("a") as builds:
        builds.write(text + "\\n")
    made = pathlib.Path(os.environ["CARGO_TARGET_DIR"]) / "debug"
    made.mkdir(parents=True, exist_ok=True)
    for name in ("{SHARED}", "bindproof-rust"):
        (made / name).write_text("built")
    pathlib.Path("Cargo.lock").write_text("locked")
"""


@pytest.fixture(autouse=True)
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH with a cargo and a rustc of our own."""
    folder = tmp_path / "tools"
    folder.mkdir()
    for name, text in {"cargo": CARGO, "rustc": "#!/bin/sh\necho release: 1.0\n"}.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}/bin")
    monkeypatch.delenv("CARGO_TARGET_DIR", raising=False)
    return folder


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout: the crate of the C interface, the crate of the core, and a crate that both are built with."""
    folder = tmp_path / "checkout"
    for crate, name in {"ffi": "nemo-relay-ffi", "relay": "nemo-relay", "core": "core"}.items():
        (folder / crate).mkdir(parents=True)
        (folder / crate / "Cargo.toml").write_text(f'[package]\nname = "{name}"\n')
        (folder / crate / "lib.rs").write_text("")
    (folder / "ffi" / HEADER).write_text("/* header */")
    return folder


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A folder with a library, its header and its lock."""
    folder = tmp_path / "built"
    folder.mkdir()
    (folder / SHARED.replace(LIBRARY, "mine")).write_text("library")
    (folder / HEADER).write_text("/* header */")
    (folder / "Cargo.lock").write_text(LOCK)
    return folder


def had(path: Path, terms: Terms) -> Library:
    return library_for(manifest_of("c"), str(path), terms)


def builds(tools: Path) -> int:
    log = tools / "builds"
    return log.read_text().count("[package]") if log.exists() else 0


def test_a_library_is_taken_with_its_header_and_release(built: Path, cache: Path, terms: Terms) -> None:
    found = had(built, terms)
    assert (found.version, found.folder.parent) == ("0.11.0", cache)
    assert (found.shared.read_text(), found.header.read_text()) == ("library", "/* header */")
    assert had(built / SHARED.replace(LIBRARY, "mine"), terms) == found


def test_a_library_that_changed_is_another_one(built: Path, terms: Terms) -> None:
    before = had(built, terms)
    (built / SHARED.replace(LIBRARY, "mine")).write_text("changed")
    after = had(built, terms)
    assert (before.folder != after.folder, after.shared.read_text()) == (True, "changed")


@pytest.mark.parametrize("missing", [HEADER, "Cargo.lock", SHARED.replace(LIBRARY, "mine")])
def test_what_is_not_beside_it_is_named(built: Path, terms: Terms, missing: str) -> None:
    (built / missing).unlink()
    with pytest.raises(Unmet) as refused:
        had(built, terms)
    assert (missing if missing in (HEADER, "Cargo.lock") else "0 libraries") in refused.value.reason
    assert "Cargo.lock of its build beside it" in refused.value.remedy


def test_a_lock_of_something_else_tells_no_release(built: Path, terms: Terms) -> None:
    (built / "Cargo.lock").write_text('name = "other"\nversion = "1"\n')
    with pytest.raises(Unmet, match="does not name nemo-relay-ffi"):
        had(built, terms)


@pytest.mark.long
def test_a_crate_is_built_where_it_changed(checkout: Path, tools: Path, terms: Terms) -> None:
    first = had(checkout / "ffi", terms)
    assert (first.version, first.header.read_text()) == ("0.11.0", "/* header */")
    assert f'nemo-relay-ffi = {{ path = "{checkout / "ffi"}" }}' in (tools / "builds").read_text()
    (checkout / "ffi" / "target").mkdir()
    (checkout / "ffi" / "target" / "noise").write_text("")
    assert (had(checkout / "ffi", terms), builds(tools)) == (first, 1)
    (checkout / "core" / "lib.rs").write_text("fn changed() {}")
    assert (had(checkout / "ffi", terms).folder != first.folder, builds(tools)) == (True, 2)


@pytest.mark.long
def test_the_adapter_is_built_on_a_crate(checkout: Path, tools: Path, said: list[str]) -> None:
    found = resolve(f"rust@{checkout / 'relay'}", required=True, progress=said.append)
    assert isinstance(found, AdapterCommand), found
    assert (found.version, Path(found.argv[0]).read_text()) == ("0.11.0", "built")
    assert f'nemo-relay = {{ path = "{checkout / "relay"}", default-features' in (tools / "builds").read_text()


@pytest.mark.long
@pytest.mark.parametrize(
    ("spec", "folder", "why"),
    [
        ("c", "relay", "is the crate nemo-relay, not nemo-relay-ffi"),
        ("rust", "ffi", "is the crate nemo-relay-ffi, not nemo-relay"),
        ("rust", ".", "has no Cargo.toml"),
        ("c", ".", "holds 0 libraries"),
        ("c", "nowhere", "holds 0 libraries"),
    ],
)
def test_a_folder_of_something_else_is_refused(
    checkout: Path, said: list[str], spec: str, folder: str, why: str
) -> None:
    found = resolve(f"{spec}@{checkout / folder}", required=True, progress=said.append)
    assert isinstance(found, Unavailable)
    assert why in found.reason
    assert f"{spec}@./" in found.remedy
