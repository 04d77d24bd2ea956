"""A machine without Rust or Go: what is built from crates is unavailable, with what to install."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bindproof.cli import main

RUST = "https://rustup.rs"
GO = "https://go.dev/doc/install"


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
    (bare / "go").write_text("#!/bin/sh\necho go version go1.26 linux/amd64\n")
    (bare / "go").chmod(0o755)
    assert main(["run", "--adapter", "go"]) == 3
    assert RUST in capsys.readouterr().out


def test_rust_that_cannot_link_is_told_so(
    bare: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A toolchain that is there but broken: the command that failed is shown."""
    shell = shutil.which("sh", path="/bin:/usr/bin")
    for name in ("rustc", "cargo"):
        (bare / name).write_text(f"#!{shell}\necho error: linker cc not found\nexit 101\n")
        (bare / name).chmod(0o755)
    assert main(["run", "--adapter", "rust"]) == 3
    assert "failed with exit status 101" in capsys.readouterr().out


@pytest.mark.usefixtures("bare")
def test_others_are_judged_and_the_named_one_still_counts(capsys: pytest.CaptureFixture[str]) -> None:
    select = ["--vector", "relay/lifecycle/nothing-left"]
    assert main(["run", "--adapter", "reference", "--adapter", "rust", *select]) == 3
    assert "1 of 2 adapters judged" in capsys.readouterr().out
