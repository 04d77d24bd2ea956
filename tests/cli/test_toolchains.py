"""A machine without Rust or Go, or with one that cannot run: what needs them is unavailable, with what to do."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bindproof.cli import main

pytestmark = pytest.mark.long

RUST = "https://rustup.rs"
GO = "https://go.dev/doc/install"

SHELL = shutil.which("sh", path="/bin:/usr/bin")
NO_DEFAULT = """\
echo "error: rustup could not choose a version of cargo to run, because one wasn't specified explicitly, and no \
default is configured." >&2
echo "help: run 'rustup default stable' to download the latest stable release of Rust." >&2
echo >&2
echo "Stack backtrace:" >&2
echo "   0: rustup::config::no_toolchain_error" >&2
exit 1"""


def put(folder: Path, name: str, script: str) -> None:
    """Puts a program into a folder."""
    (folder / name).write_text(f"#!{SHELL}\n{script}\n")
    (folder / name).chmod(0o755)


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine that has no more programs than stand in this folder, and an empty cache."""
    programs = tmp_path / "programs"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs))
    monkeypatch.setenv("BINDPROOF_CACHE", str(tmp_path / "cache"))
    return programs


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize(
    ("adapter", "absent", "install"),
    [
        ("c", "no rustc on PATH", RUST),
        ("go", "no go on PATH", GO),
        ("rust", "no rustc on PATH", RUST),
        ("rust@0.9.4", "no rustc on PATH", RUST),
    ],
)
def test_a_named_adapter_says_what_to_install(
    adapter: str, absent: str, install: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", "--adapter", adapter]) == 3
    told = capsys.readouterr().out
    assert f"adapter {adapter} unavailable" in told
    assert absent in told
    assert install in told


def test_go_needs_rust_too(bare: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(bare, "go", "echo go version go1.26 linux/amd64")
    assert main(["run", "--adapter", "go"]) == 3
    assert RUST in capsys.readouterr().out


def test_rust_that_cannot_link_is_told_so(bare: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A toolchain that is there but broken: the command that failed is shown."""
    for name in ("rustc", "cargo"):
        put(bare, name, "echo error: linker cc not found; exit 101")
    assert main(["run", "--adapter", "rust"]) == 3
    assert "failed with exit status 101" in capsys.readouterr().out


@pytest.mark.parametrize("adapter", ["c", "go", "llm-stack", "rust", "rust@0.9.4"])
def test_a_cargo_without_a_toolchain_is_told_so_in_one_line(
    adapter: str, bare: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What rustup leaves where nobody has chosen a default: programs of the right names that refuse to run."""
    put(bare, "go", "echo go version go1.26 linux/amd64")
    for name in ("cargo", "rustc"):
        put(bare, name, NO_DEFAULT)
    assert main(["run", "--adapter", adapter]) == 3
    told = " ".join(capsys.readouterr().out.split())
    assert f"adapter {adapter} unavailable: `" in told
    assert "failed with exit status 1: error: rustup could not choose a version" in told
    assert "to have it: rustup default stable" in told
    assert "Stack backtrace" not in told


def test_a_cargo_that_cannot_run_counts_beside_a_rustc_that_can(bare: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(bare, "rustc", "echo release: 1.0")
    put(bare, "cargo", NO_DEFAULT)
    assert main(["run", "--adapter", "rust"]) == 3
    told = " ".join(capsys.readouterr().out.split())
    assert "`cargo --version` failed with exit status 1: error: rustup could not choose" in told
    assert "to have it: rustup default stable" in told


def test_the_folder_of_a_crate_needs_a_toolchain_too(
    bare: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "Cargo.toml").write_text('[package]\nname = "nemo-relay"\n')
    put(bare, "rustc", "echo release: 1.0")
    put(bare, "cargo", NO_DEFAULT)
    assert main(["run", "--adapter", f"rust@{tmp_path}"]) == 3
    assert "to have it: rustup default stable" in capsys.readouterr().out


def test_a_go_that_cannot_run_is_told_so(bare: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(bare, "go", "echo go: cannot find GOROOT directory: /nowhere >&2; exit 2")
    assert main(["run", "--adapter", "go"]) == 3
    told = " ".join(capsys.readouterr().out.split())
    assert "`go version` failed with exit status 2: go: cannot find GOROOT directory" in told
    assert GO in told


@pytest.mark.usefixtures("bare")
def test_others_are_judged_and_the_named_one_still_counts(capsys: pytest.CaptureFixture[str]) -> None:
    select = ["--vector", "relay/lifecycle/nothing-left"]
    assert main(["run", "--adapter", "reference", "--adapter", "rust", *select]) == 3
    assert "1 of 2 adapters judged" in capsys.readouterr().out
