"""Crates built with cargo: what is said meanwhile, what is kept, how failures are told. Here cargo is a fake."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from bindproof.core.model import AdapterCommand, Unavailable
from bindproof.core.paths import adapters_root
from bindproof.targets import cargo, crate_lock, resolve, rust_target
from bindproof.targets.manifest import folder_of, manifest_of
from bindproof.targets.unmet import Unmet

CARGO = f"""\
#!{sys.executable}
import os, pathlib, re, sys
if sys.argv[1] == "--version":
    sys.exit()
text = pathlib.Path("Cargo.toml").read_text()
version = re.search(r'^nemo-relay = .*"=(.*?)"', text, re.M)[1]
here = pathlib.Path(__file__).parent
with (here / "builds").open("a") as builds:
    builds.write(" ".join([version, *sys.argv[1:]]) + "\\n")
(here / "environment").write_text(repr(sorted(os.environ)))
(here / "given").write_text(pathlib.Path("Cargo.lock").read_text() if pathlib.Path("Cargo.lock").exists() else "")
print("   Compiling one v1.0", flush=True)
print("    Building [=====>       ] 3/12: one\\r    Building [==========> ] 9/12: two\\r", end="", flush=True)
if version == "9.9.9":
    print("error: failed to select a version for the requirement `nemo-relay = \\"=9.9.9\\"`")
    sys.exit(101)
made = pathlib.Path(os.environ["CARGO_TARGET_DIR"]) / "debug"
(made / "deps").mkdir(parents=True, exist_ok=True)
(made / ".cargo-lock").touch()
(made / "deps" / "kept").write_text(version)
(made / "deps" / "bindproof_rust-1").write_text(version)
os.link(made / "deps" / "bindproof_rust-1", made / "bindproof-rust")
crate = 'name = "nemo-relay"\\nversion = "' + version + '"\\nsource = "index"\\nchecksum = "abc0"\\n'
pathlib.Path("Cargo.lock").write_text(crate)
print("    Finished in no time")
"""


@pytest.fixture(autouse=True)
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH with a cargo and a rustc of our own, and no pause between lines of progress."""
    folder = tmp_path / "tools"
    folder.mkdir()
    rustc = "#!/bin/sh\necho rustc 1.0; echo release: 1.0; echo host: here; echo LLVM version: 3\n"
    for name, text in {"cargo": CARGO, "rustc": rustc}.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}/bin")
    monkeypatch.delenv("CARGO_TARGET_DIR", raising=False)
    monkeypatch.setattr(cargo, "_SECONDS_BETWEEN_LINES", 0.0)
    return folder


@pytest.fixture
def crate(tmp_path: Path) -> Path:
    folder = tmp_path / "crate"
    folder.mkdir()
    (folder / "Cargo.toml").write_text('nemo-relay = { version = "=1.2.3" }')
    return folder


@pytest.fixture
def entry(tmp_path: Path) -> Path:
    folder = tmp_path / "entry"
    folder.mkdir()
    return folder


def builds(tools: Path) -> list[str]:
    return (tools / "builds").read_text().splitlines()


def test_the_toolchain_is_what_decides_over_a_build() -> None:
    assert cargo.toolchain() == "release: 1.0 host: here"


def test_a_build_tells_how_far_it_is(crate: Path, entry: Path, said: list[str], tools: Path) -> None:
    cargo.build(crate, entry, locked=False, progress=said.append)
    assert [line.rpartition(",")[0] for line in said] == [
        "cargo: crate: 3 of 12 crates",
        "cargo: crate: 9 of 12 crates",
    ]
    assert (entry / cargo.LOG).read_text().split() == ["Compiling", "one", "v1.0", "Finished", "in", "no", "time"]
    assert builds(tools) == ["1.2.3 build"]


def test_a_lock_that_holds_is_kept_to(crate: Path, entry: Path, said: list[str], tools: Path) -> None:
    cargo.build(crate, entry, locked=True, progress=said.append)
    assert builds(tools) == ["1.2.3 build --locked"]


def test_a_build_sees_no_credentials(
    crate: Path, entry: Path, said: list[str], tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GITHUB_TOKEN", "CARGO_REGISTRY_TOKEN", "CARGO_HOME"):
        monkeypatch.setenv(name, "x")
    cargo.build(crate, entry, locked=False, progress=said.append)
    seen = (tools / "environment").read_text()
    assert ("TOKEN" in seen, "'CARGO_HOME'" in seen, "'CARGO_TARGET_DIR'" in seen) == (False, True, True)


def test_what_is_taken_remains_and_nothing_else(crate: Path, entry: Path, said: list[str]) -> None:
    cargo.build(crate, entry, locked=False, progress=said.append)
    assert cargo.take(entry, "bindproof-rust") == entry / "bindproof-rust"
    assert sorted(path.name for path in entry.iterdir()) == ["bindproof-rust", cargo.LOG]


@pytest.mark.long
def test_builds_with_a_folder_in_common_leave_there_what_others_need(
    tmp_path: Path, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARGO_TARGET_DIR", str(tmp_path / "common"))
    commands = [resolve(name, required=True, progress=said.append) for name in ("rust@0.9.4", "rust")]
    programs = [Path(command.argv[0]) for command in commands if isinstance(command, AdapterCommand)]
    newest = str(manifest_of("rust").get.release)
    assert [program.read_text() for program in programs] == ["0.9.4", newest]
    assert [sorted(path.name for path in program.parent.iterdir()) for program in programs] == [
        ["Cargo.lock", "bindproof-rust", "build.log", "sources"]
    ] * 2
    left = sorted(path.name for path in (tmp_path / "common" / "debug").rglob("*"))
    assert left == [".cargo-lock", "deps", "kept"], "without its lock another cargo writes there at the same time"


def test_a_failure_says_which_command_and_why(crate: Path, entry: Path, said: list[str]) -> None:
    (crate / "Cargo.toml").write_text('nemo-relay = { version = "=9.9.9" }')
    with pytest.raises(
        Unmet, match=r"`cargo build` failed with exit status 101:\n(.*\n)*error: failed to select"
    ) as caught:
        cargo.build(crate, entry, locked=False, progress=said.append)
    assert "ask for a release" in caught.value.remedy


@pytest.mark.parametrize("missing", ["cargo", "rustc"])
def test_without_a_toolchain_it_says_what_to_install(tools: Path, said: list[str], missing: str) -> None:
    (tools / missing).unlink()
    found = resolve("rust", required=True, progress=said.append)
    assert isinstance(found, Unavailable)
    assert (missing in found.reason, found.required) == (True, True)
    assert "rustup" in found.remedy


@pytest.mark.long
def test_each_release_is_built_once(tools: Path, said: list[str], cache: Path) -> None:
    commands = [resolve(name, required=True, progress=said.append) for name in ("rust@0.9.4", "rust@0.9.4", "rust")]
    assert all(isinstance(command, AdapterCommand) for command in commands), commands
    old, again, new = (command for command in commands if isinstance(command, AdapterCommand))
    assert builds(tools) == ["0.9.4 build", f"{manifest_of('rust').get.release} build --locked"]
    assert (again, new.cwd == old.cwd) == (old, False)
    assert (old.version, sorted(old.files)) == ("0.9.4", ["Cargo.lock", "bindproof-rust"])
    assert Path(old.argv[0]).read_text() == "0.9.4"
    assert old.notes == ("nemo-relay 0.9.4 is pinned by nothing: its sources have sha256 abc0",)
    assert new.notes == ()
    assert Path(old.argv[0]).is_relative_to(cache)


@pytest.mark.long
def test_a_release_without_a_lock_of_its_own_begins_from_that_of_the_default_one(tools: Path, said: list[str]) -> None:
    resolve("rust@0.9.4", required=True, progress=said.append)

    assert builds(tools) == ["0.9.4 build"]
    assert (tools / "given").read_text() == (adapters_root() / "rust" / "Cargo.lock").read_text()


@pytest.mark.long
def test_a_release_that_is_not_there_leaves_nothing_behind(said: list[str], cache: Path) -> None:
    found = resolve("rust@9.9.9", required=True, progress=said.append)
    assert isinstance(found, Unavailable)
    assert "failed to select a version" in found.reason
    assert [path for path in cache.iterdir() if path.is_dir()] == []


@pytest.mark.parametrize("name", ["rust", "llm-stack"])
def test_the_lock_is_of_the_default_release(name: str) -> None:
    manifest = manifest_of(name)
    lock = (folder_of(manifest) / crate_lock.LOCK).read_text("utf-8")
    assert crate_lock.release_in(lock, str(manifest.get.crate)) == manifest.get.release


def test_the_release_is_written_where_cargo_reads_it() -> None:
    manifest = manifest_of("rust")
    text = (folder_of(manifest) / "Cargo.toml").read_text("utf-8")
    assert f'nemo-relay = {{ version = "={manifest.get.release}", default-features = false }}' in text
    asked = rust_target.with_requirement(text, "nemo-relay", 'path = "/x"')
    assert 'nemo-relay = { path = "/x", default-features' in asked
    with pytest.raises(ValueError, match="0 lines with a version of other"):
        rust_target.with_requirement(text, "other", "")
