"""The example about JMESPath: official cases are imported, and judge the real packages of two registries."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.new_suites import bindproof, installed

pytestmark = pytest.mark.binding

TABLE = "github.com/jmespath/go-jmespath@v0.4.0"


@pytest.fixture(scope="module")
def table() -> Path:
    """The folder of the Go module that carries the cases."""
    go = shutil.which("go")
    if go is None:
        pytest.skip("the cases come with a Go module, and there is no go")
    found = subprocess.run([go, "mod", "download", "-json", TABLE], capture_output=True, text=True, check=True)
    return Path(json.loads(found.stdout)["Dir"])


@pytest.fixture(scope="module")
def site(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that Python imports from, with the example's package and the metadata that an installer writes."""
    folder = tmp_path_factory.mktemp("jmespath")
    shutil.copytree(
        repository / "examples/jmespath/bindproof_jmespath",
        folder / "bindproof_jmespath",
        ignore=shutil.ignore_patterns("official", "__pycache__"),
    )
    installed(folder, "jmespath")
    return folder


def test_a_campaign_finds_what_no_case_has(site: Path) -> None:
    words = ("fuzz", "--suite", "jmespath", "--adapter", "jmespath-node", "--examples", "10", "--seed", "1")
    code, said = bindproof(site, *words, "--first", "36")
    assert (code, "bug in bindproof" in said) == (1, False), said
    assert said.count("REF-000 Nothing differs from the reference\nMUST · broken on jmespath-node") == 2, "two causes"
    assert '"expression": "[`0`, [ sort(numbers)]]"' in said
    assert "1 more finding that look like it" in said, "of two comparisons of what is no number one is shown"


def test_a_third_package_is_judged_without_a_change_of_the_suite(
    site: Path, table: Path, repository: Path, tmp_path: Path
) -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("the third package is npm's, and there is no npm")
    install = [npm, "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", str(tmp_path)]
    subprocess.run([*install, "@metrichor/jmespath@0.3.1"], check=True)
    bindproof(site, "import", str(site / "bindproof_jmespath/table/mapping.toml"), "--from", str(table))
    another = repository / "examples/jmespath/another"
    program = f"metrichor=node {another / 'adapter.mjs'} {tmp_path}"
    own = ("--adapter-command", program, "--dialect", str(another / "metrichor.toml"))
    code, said = bindproof(site, "run", "--suite", "jmespath", *own)
    assert (code, "1 of 1 adapter judged: 862 scenarios, 0 unexpected divergences, 0 known" in said) == (0, True), said
    words = ("fuzz", "--suite", "jmespath", "--examples", "4", "--seed", "1", "--first", "41")
    code, said = bindproof(site, *words, *own)
    assert (code, "REF-000 Nothing differs from the reference\nMUST · broken on metrichor" in said) == (1, True), said
    assert "--dialect " in said.partition("replay ")[2].partition("\n")[0], "what is typed again says the dialect too"


def test_the_cases_judge_both_packages(site: Path, table: Path) -> None:
    mapping = site / "bindproof_jmespath/table/mapping.toml"
    code, said = bindproof(site, "import", str(mapping), "--from", str(table))
    assert (code, said.startswith("862 vectors written")) == (0, True), said
    code, said = bindproof(site, "spec", "check", "jmespath")
    assert (code, "862 vectors agree" in said) == (0, True), said
    code, said = bindproof(
        site, "run", "--suite", "jmespath", "--adapter", "jmespath-python", "--adapter", "jmespath-node"
    )
    assert (code, "2 of 2 adapters judged: 1724 scenarios, 0 unexpected divergences, 1 known" in said) == (0, True), (
        said
    )
    code, said = bindproof(
        site, "run", "--suite", "jmespath", "--adapter", "reference@python", "--vector", "*/functions/*"
    )
    assert (code, "1 of 1 adapter judged" in said) == (0, True), said
    code, said = bindproof(site, "run", "--suite", "jmespath", "--adapter", "jmespath-node", "--expectations", "none")
    assert (code, "JMP-001" in said, "in 5 scenarios" in said) == (1, True, True), said
