"""A cache of its own for every test here, and a `pip` and an `npm` that never reach a network."""

from __future__ import annotations

from pathlib import Path

import pytest


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
