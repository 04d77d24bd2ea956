"""Ways to get a target: the engine's own, and those that installed packages bring."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bindproof.core import paths
from bindproof.core.errors import UsageError
from bindproof.core.model import AdapterCommand, Unavailable
from bindproof.core.paths import TARGETS
from bindproof.targets import resolve, without_target
from bindproof.targets.sources import OWN, sources

MODULE = """\
from bindproof.core.model import AdapterCommand
from bindproof.targets.unmet import Unmet

def command_for(name, manifest, rest, terms):
    if rest == "nowhere":
        raise Unmet("it is nowhere", "look elsewhere")
    terms.tell(f"fetching {manifest.target} {manifest.get.release}")
    return AdapterCommand(name, ("true",), {}, str(manifest.folder))
"""
MANIFEST = """\
name = "far"
title = "far"
target = "far-binding"
languages = ["python"]
suites = ["small"]
dialect = "wire"

[get]
from = "far-away"
release = "7"

[start]
program = "adapter.py"
"""


def forget() -> None:
    for cached in (paths.providers, paths.entries, paths._all_entries, sources):
        cached.cache_clear()


@pytest.fixture
def site(two_homes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where packages are installed; one there brings the way `far-away`, and an adapter that is got so."""
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "far_module.py").write_text(MODULE)
    (two_homes / "adapters" / "far").mkdir(parents=True)
    (two_homes / "adapters" / "far" / "adapter.toml").write_text(MANIFEST)
    installed(folder, "far-away = far_module")
    monkeypatch.syspath_prepend(str(folder))
    forget()
    yield folder
    forget()


def installed(site: Path, entry: str, package: str = "far") -> None:
    metadata = site / f"{package}-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text(f"[{TARGETS}]\n{entry}\n")


def test_a_way_of_another_package_gets_its_targets(site: Path, two_homes: Path, said: list[str]) -> None:
    command = resolve("far", required=True, progress=said.append)
    assert isinstance(command, AdapterCommand), command
    assert (command.argv, command.cwd, command.required) == (("true",), str(two_homes / "adapters" / "far"), True)
    assert said == ["fetching far-binding 7"]
    assert without_target(command) is None


@pytest.mark.usefixtures("site")
def test_what_it_cannot_have_is_unavailable(said: list[str]) -> None:
    found = resolve("far@nowhere", required=False, progress=said.append)
    assert found == Unavailable("far@nowhere", "it is nowhere", "look elsewhere", required=False)


def test_a_way_that_nobody_brings_is_unavailable(site: Path, two_homes: Path, said: list[str]) -> None:
    path = two_homes / "adapters" / "far" / "adapter.toml"
    path.write_text(MANIFEST.replace("far-away", "ftp"))
    found = resolve("far", required=True, progress=said.append)
    assert isinstance(found, Unavailable)
    assert found.reason == "no installed package brings a way to get a target from 'ftp'"
    assert f"mend {path}; there is afk-checkout, bindproof, c-library, crate, far-away, " in found.remedy
    assert isinstance(resolve("reference", required=True, progress=said.append), AdapterCommand)


def test_two_ways_of_one_name_are_told_apart(site: Path) -> None:
    installed(site, "pypi = far_module", "near")
    forget()
    with pytest.raises(UsageError, match=r"bindproof.targets.python_target and far_module are both .* 'pypi'"):
        sources()


def test_the_engine_has_its_own_ways_and_a_suite_may_bring_more() -> None:
    assert OWN.keys() < sources().keys()
    assert all(module.startswith("bindproof.targets.") for module in OWN.values())
    assert sources()["c-library"].startswith("bindproof.suites.")
