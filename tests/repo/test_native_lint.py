"""The lint of Rust and Go on a machine where neither can run: it says so, a line for each, and nothing fails."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.long

LINT = Path(__file__).with_name("native_lint.py")


def test_what_cannot_run_is_left_out_in_one_line(tmp_path: Path) -> None:
    for name in ("cargo", "rustc"):
        put(tmp_path / name, "error: rustup could not choose a version, and no default is configured\nhelp: choose")
    put(tmp_path / "go", "go: cannot find GOROOT directory")
    ended = linted(tmp_path)
    assert (ended.returncode, ended.stderr) == (0, "")
    rust, go = ended.stdout.splitlines()
    assert rust.startswith(
        "NOT CHECKED: the Rust sources: `rustc --version --verbose` failed with exit status 1: error: rustup"
    )
    assert rust.endswith("rustup default stable")
    assert go.startswith("NOT CHECKED: the Go sources: `go version` failed with exit status 1: go: cannot find GOROOT")


def test_what_is_not_there_is_left_out_in_one_line(tmp_path: Path) -> None:
    ended = linted(tmp_path)
    assert (ended.returncode, ended.stderr) == (0, "")
    rust, go = ended.stdout.splitlines()
    assert rust.startswith("NOT CHECKED: the Rust sources: there is no rustc on PATH")
    assert go.startswith("NOT CHECKED: the Go sources: there is no go on PATH")


def linted(path: Path) -> subprocess.CompletedProcess[str]:
    """The lint, where PATH has this folder alone."""
    environment = {**os.environ, "PATH": str(path), "BINDPROOF_CACHE": str(path / "cache")}
    return subprocess.run([sys.executable, LINT], env=environment, capture_output=True, text=True, check=False)


def put(program: Path, says: str) -> None:
    """A program that says something and fails."""
    program.write_text(f"#!{sys.executable}\nimport sys\nsys.exit({says!r})\n")
    program.chmod(0o755)
