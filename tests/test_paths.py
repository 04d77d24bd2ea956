"""Where data lies: found through the metadata of installed packages, and nowhere else."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bindproof import spec
from bindproof.core import paths
from bindproof.core.errors import UsageError


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    def forget() -> None:
        paths.providers.cache_clear()
        paths.entries.cache_clear()
        paths._all_entries.cache_clear()
        paths.home_of.cache_clear()

    forget()
    yield
    forget()


def installed(site: Path, package: str, entry: str, *, suite: str | None = "tiny") -> Path:
    """Put a package with its metadata where packages are installed; returns its folder."""
    folder = site / package
    folder.mkdir(parents=True)
    (folder / "__init__.py").touch()
    if suite is not None:
        (folder / "spec" / suite).mkdir(parents=True)
        (folder / "spec" / suite / "suite.toml").touch()
    metadata = site / f"{package}-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text(f"[{paths.GROUP}]\n{entry}\n")
    return folder


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_a_package_that_provides_a_suite_is_a_home(site: Path) -> None:
    folder = installed(site, "tiny_suite", "tiny = tiny_suite.code:suite")
    assert paths.providers()["tiny"] == "tiny_suite"
    assert paths.homes() == (paths.data_root(), folder)
    assert spec.suite_roots()["tiny"] == folder
    assert spec.suite_roots()["relay"] == paths.data_root()


@pytest.mark.long
def test_what_lies_in_the_working_folder_is_no_installed_suite(tmp_path: Path) -> None:
    """The command as it is installed, in the folder that has a package; to find it one has to say so."""
    installed(tmp_path, "tiny_suite", "tiny = tiny_suite.code:suite")
    command = [str(Path(sys.executable).with_name("bindproof")), "spec", "list", "tiny"]
    said = [
        subprocess.run(command, cwd=tmp_path, env={**os.environ, **path}, capture_output=True, text=True, check=False)
        for path in ({"PYTHONPATH": ""}, {"PYTHONPATH": str(tmp_path)})
    ]

    assert ["there is no suite 'tiny'" in one.stderr for one in said] == [True, False]
    assert "tiny/suite.toml" in said[1].stderr


def test_two_packages_that_provide_one_suite_are_named(site: Path) -> None:
    installed(site, "tiny_suite", "tiny = tiny_suite:suite")
    installed(site, "other_suite", "tiny = other_suite:suite")
    with pytest.raises(UsageError, match="other_suite and tiny_suite both provide a suite 'tiny'"):
        paths.homes()


def test_two_specs_of_one_name_are_named(site: Path) -> None:
    installed(site, "tiny_suite", "tiny = tiny_suite:suite")
    installed(site, "other_suite", "other = other_suite:suite")
    with pytest.raises(UsageError, match="both have a suite 'tiny'"):
        spec.suite_roots()


def test_a_provider_without_its_spec_is_told_where_it_belongs(site: Path) -> None:
    folder = installed(site, "tiny_suite", "tiny = tiny_suite:suite", suite=None)
    with pytest.raises(UsageError, match=f"there is no {folder}/spec/tiny/suite.toml"):
        spec.suite_roots()


def test_metadata_without_its_package_is_told(site: Path) -> None:
    folder = installed(site, "tiny_suite", "tiny = tiny_suite:suite", suite=None)
    (folder / "__init__.py").unlink()
    folder.rmdir()
    with pytest.raises(UsageError, match=r"the package tiny_suite .* is not there; install it again, or uninstall it"):
        paths.homes()


def test_a_name_that_no_suite_has() -> None:
    with pytest.raises(UsageError, match=r"there is no suite 'rely'; there is .*relay"):
        spec.installed("rely")


def test_a_path_that_leads_nowhere_is_told(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for path in (tmp_path / "loop", "~nobody-has-this-name/x", "a\0b"):
        with pytest.raises(UsageError, match="this leads nowhere: "):
            paths.resolved(path)
    assert paths.resolved(tmp_path / "none" / "..") == tmp_path
