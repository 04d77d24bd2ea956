"""Where the sources of crates are found: in cargo's own folder, by the lock of the build."""

from __future__ import annotations

from pathlib import Path

import pytest

from bindproof.targets.crate_source import sources_of_crates
from bindproof.targets.unmet import Unmet

LOCK = '[[package]]\nname = "relay"\nversion = "1.2.3"\n\n[[package]]\nname = "types"\nversion = "1.2.4"\n'


@pytest.fixture
def entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What is kept of a build; one of its crates has its sources where cargo keeps them."""
    monkeypatch.setenv("CARGO_HOME", str(tmp_path / "cargo"))
    for name in ("relay-1.2.3", "relay-1.2.2"):
        (tmp_path / "cargo" / "registry" / "src" / "index" / name / "src").mkdir(parents=True)
    folder = tmp_path / "entry"
    (folder / "sources" / "a").mkdir(parents=True)
    (folder / "Cargo.lock").write_text(LOCK)
    return folder


def test_they_are_of_the_release_that_was_built(entry: Path) -> None:
    (found,) = sources_of_crates(entry, "a", ["relay"])

    assert found.parts[-2:] == ("relay-1.2.3", "src")


def test_a_crate_that_was_not_built_is_named(entry: Path) -> None:
    with pytest.raises(Unmet, match="no crate other"):
        sources_of_crates(entry, "a", ["relay", "other"])


def test_without_cargo_what_is_gone_is_told(entry: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(entry))

    with pytest.raises(Unmet, match="there is no cargo on PATH"):
        sources_of_crates(entry, "a", ["types"])


def test_what_cargo_says_is_told_where_it_cannot_get_them(entry: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (entry / "cargo").write_text("#!/bin/sh\necho no such registry >&2\nexit 101\n")
    (entry / "cargo").chmod(0o755)
    monkeypatch.setenv("PATH", f"{entry}:/bin:/usr/bin")

    with pytest.raises(Unmet, match="no such registry"):
        sources_of_crates(entry, "a", ["types"])
