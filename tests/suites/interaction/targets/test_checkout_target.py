"""AFK is in no registry: it is taken from a checkout, and where there is none the adapter says how to have one."""

from __future__ import annotations

from pathlib import Path

import pytest

from bindproof.core.model import AdapterCommand, Unavailable
from bindproof.suites.interaction.targets import checkout_target
from bindproof.targets import pip, resolve
from bindproof.targets.resolving import without_target
from bindproof.targets.terms import Terms


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """What looks like a checkout."""
    package = tmp_path / "afk checkout" / "src" / "afk"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package.parent.parent / "pyproject.toml").write_text('[project]\nversion = "0.1.7"\n')
    return package.parent.parent


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is installed, by a pip that installs nothing."""
    found: list[str] = []

    def install(entry: Path, requirement: str, pins: Path | None, remedy: str, terms: Terms) -> None:
        found.append(requirement if pins is None else f"{requirement} by {pins.name}")
        (entry / "target").mkdir()
        (entry / pip.INSTALLED).write_text('{"install": []}')

    monkeypatch.setattr(pip, "install", install)
    monkeypatch.delenv(checkout_target.CHECKOUT, raising=False)
    return found


def asked(spec: str) -> AdapterCommand | Unavailable:
    """How to start the adapter, or why it cannot be had."""
    return resolve(spec, required=True, progress=lambda _: None)


def test_without_a_checkout_it_says_how_to_have_one() -> None:
    found = asked("afk")
    assert isinstance(found, Unavailable)
    assert found.reason == "AFK is in no registry, and AFK_SRC names no checkout of it"
    assert found.remedy == "clone github.com/socioy/afk, and set AFK_SRC to that folder, or name it: afk@./FOLDER"


def test_a_folder_that_is_none_is_told(tmp_path: Path) -> None:
    found = asked(f"afk@{tmp_path}")
    assert isinstance(found, Unavailable)
    assert found.reason == f"{tmp_path} has no src/afk: it is no checkout of AFK"


def test_there_are_no_releases_to_choose_from() -> None:
    found = asked("afk@0.1.0")
    assert isinstance(found, Unavailable)
    assert found.reason == "AFK is in no registry, so 0.1.0 chooses nothing"


def test_a_checkout_is_named_or_set(checkout: Path, monkeypatch: pytest.MonkeyPatch, installed: list[str]) -> None:
    named = asked(f"afk@{checkout}")
    monkeypatch.setenv(checkout_target.CHECKOUT, str(checkout))
    for found in (named, asked("afk")):
        assert isinstance(found, AdapterCommand), found
        assert found.argv[-1] == str(checkout)
        assert (found.version, list(found.files)) == ("0.1.7", ["afk/__init__.py"])
        assert found.notes == (f"the checkout {checkout}",)
    assert installed == [f"{checkout_target.IMPORTED} by requirements.txt"]  # once, and by hashes


def test_without_its_target_the_rest_is_the_same(checkout: Path) -> None:
    found = asked(f"afk@{checkout}")
    assert isinstance(found, AdapterCommand), found
    bare = without_target(found)
    assert bare is not None
    assert bare.argv[:-1] == found.argv[:-1]
    assert list(Path(bare.argv[-1]).iterdir()) == []
