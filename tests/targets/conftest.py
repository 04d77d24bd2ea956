"""A cache of its own for every test here, and a `pip` and an `npm` that never reach a network."""

from __future__ import annotations

from pathlib import Path

import pytest

from bindproof.core import paths
from bindproof.targets.terms import Terms


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of an empty cache."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("BINDPROOF_CACHE", str(folder))
    return folder


@pytest.fixture
def said() -> list[str]:
    """What the progress callback was told."""
    return []


@pytest.fixture
def terms(said: list[str]) -> Terms:
    """The terms of a user who allows nothing special; `said` is what was told."""
    return Terms(said.append)


@pytest.fixture
def two_homes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder of another package, which has a suite `small` of one edition and the dialect `wire`."""
    folder = tmp_path / "package"
    suite = folder / "spec" / "small"
    (suite / "dialects").mkdir(parents=True)
    (suite / "suite.toml").write_text(
        'name = "small"\ntitle = "A small suite"\nerror_kinds = []\nreference = "bindproof_reference.small"\n'
        'edition = [{name = "1", state = "open"}]\n'
    )
    (suite / "dialects" / "wire.toml").touch()
    monkeypatch.setattr(paths, "homes", lambda: (paths.data_root(), folder))
    monkeypatch.setattr("bindproof.targets.manifest.homes", paths.homes)
    return folder
