"""The example about OpenFeature: hooks of the real SDKs of two registries, and its own checks."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.new_suites import bindproof, installed

pytestmark = pytest.mark.binding

ADAPTERS = ("openfeature-python", "openfeature-node")


@pytest.fixture(scope="module")
def site(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that Python imports from, with the example's package and the metadata that an installer writes."""
    folder = tmp_path_factory.mktemp("openfeature")
    package = repository / "examples/openfeature/bindproof_openfeature"
    shutil.copytree(package, folder / package.name, ignore=shutil.ignore_patterns("__pycache__"))
    installed(folder, "openfeature")
    return folder


def test_both_sdks_are_as_the_expectations_say(site: Path) -> None:
    code, said = bindproof(site, "spec", "check", "openfeature")
    assert (code, "8 vectors agree" in said) == (0, True), said
    words = [word for name in (*ADAPTERS, "reference") for word in ("--adapter", name)]
    code, said = bindproof(site, "run", "--suite", "openfeature", *words)
    assert (code, "24 scenarios, 0 unexpected divergences, 2 known" in said) == (0, True), said
    code, said = bindproof(site, "fuzz", "--suite", "openfeature", *words, "--examples", "200", "--seed", "1")
    assert (code, "600 scenarios, 0 unexpected divergences, 2 known" in said) == (0, True), said


def test_each_fault_breaks_what_it_names_and_nothing_else(site: Path) -> None:
    code, said = bindproof(site, "adapters", "check", *ADAPTERS, "--faults")
    assert (code, said.count("each of the 6 faults breaks what it names and nothing else")) == (0, 2), said
