"""A suite in a package of its own, installed beside bindproof from wheels: every command works on it as on ours."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bindproof.scaffold import write_suite
from tests.repo.installing import environment_beside, wheel_of
from tests.repo.sources import ROOT
from tests.warm import Warm

pytestmark = pytest.mark.binding

Bindproof = Callable[..., tuple[int, str]]
ADAPTERS = ("reference", "meters-python", "meters-node")
ALL = [word for name in ADAPTERS for word in ("--adapter", name)]


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment with the wheels of bindproof and of a new suite."""
    folder = tmp_path_factory.mktemp("plugin")
    write_suite(folder / "bindproof-meters", "meters")
    return environment_beside(folder, wheel_of(ROOT, folder), wheel_of(folder / "bindproof-meters", folder))


@pytest.fixture(scope="module")
def warm(python: Path) -> Iterator[Warm]:
    """What acts commands out there."""
    found = Warm(python)
    yield found
    found.close()


@pytest.fixture
def bindproof(warm: Warm, tmp_path: Path) -> Bindproof:
    """Runs a command in an empty folder; gives its exit code and what it printed on stdout."""

    def run(*words: str) -> tuple[int, str]:
        ran = warm.run(*words, folder=tmp_path)
        return ran.code, ran.out or ran.err

    return run


def lines(text: str, kind: str) -> list[Any]:
    return [line for line in map(json.loads, text.splitlines()) if line["type"] == kind]


def test_it_is_judged_on_its_default_adapters(bindproof: Bindproof) -> None:
    code, said = bindproof("run", "--suite", "meters", "--json")
    assert code == 0, said
    assert {line["name"] for line in lines(said, "adapter")} == set(ADAPTERS)
    assert {line["outcome"] for line in lines(said, "verdict")} == {"conforms"}


def test_one_adapter_may_speak_suites_of_several_packages(bindproof: Bindproof) -> None:
    code, said = bindproof("run", "--adapter", "reference", "--json")
    assert code == 0, said
    assert {"relay", "meters"} <= {line["suite"] for line in lines(said, "verdict")}


def test_what_is_named_narrows_a_run_to_the_suites_that_have_it(bindproof: Bindproof) -> None:
    for words in (("--requirement", "MET-*"), ("--vector", "meters/*"), ("--edition", "1")):
        code, said = bindproof("run", *words, "--json")
        assert code == 0, said
        assert {line["suite"] for line in lines(said, "verdict")} == {"meters"}
        assert {line["name"] for line in lines(said, "adapter")} == set(ADAPTERS)


def test_expectations_may_speak_of_several_suites(bindproof: Bindproof, tmp_path: Path) -> None:
    known = '[[divergence]]\nrequirement = "{}"\nobserved = 1\ntarget = "x"\nvectors = ["*"]\n'
    known += 'reason = "a test"\nsource = "a test"\n'
    (tmp_path / "known.toml").write_text(known.format("MET-001") + known.format("MRK-001"))
    assert bindproof("run", "--adapter", "reference", "--expectations", "known.toml")[0] == 0
    (tmp_path / "known.toml").write_text(known.format("XYZ-001"))
    code, said = bindproof("run", "--adapter", "reference", "--expectations", "known.toml")
    assert (code, "XYZ-001" in said) == (2, True)


def test_its_spec_is_checked_and_listed(bindproof: Bindproof) -> None:
    code, said = bindproof("spec", "check", "meters")
    assert (code, "agree with each other" in said) == (0, True), said
    assert "MET-002" in bindproof("spec", "list", "meters")[1]
    assert "meters/totals/takes-too-much" in bindproof("spec", "list", "--vectors")[1]


def test_its_ids_are_explained(bindproof: Bindproof) -> None:
    code, said = bindproof("explain", "MET-002")
    assert (code, said.startswith("MET-002 Taking stops at zero")) == (0, True)
    assert bindproof("explain", "meters/totals/takes-too-much")[0] == 0


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_its_adapters_take_every_step(bindproof: Bindproof, adapter: str) -> None:
    code, said = bindproof("smoke", adapter, "--suite", "meters")
    assert (code, "MISSING" in said) == (0, False), said


def test_its_bindings_are_really_there(bindproof: Bindproof) -> None:
    code, said = bindproof("adapters", "check", "meters-python", "meters-node")
    assert (code, said.count("refuses to initialize, as it must")) == (0, 2), said


@pytest.mark.parametrize("adapter", ADAPTERS[1:])
def test_each_fault_breaks_what_it_names_and_nothing_else(bindproof: Bindproof, adapter: str) -> None:
    code, said = bindproof("adapters", "check", adapter, "--faults")
    assert (code, "each of the 2 faults breaks what it names and nothing else" in said) == (0, True), said


def test_a_vector_and_a_file_are_acted_out_again(bindproof: Bindproof, tmp_path: Path) -> None:
    code, said = bindproof("replay", "meters/totals/takes-too-much", *ALL)
    assert (code, said.count(": conforms")) == (0, 3), said
    vector = {"title": "mine", "exercises": [], "scenario": {"steps": [{"step": "take"}]}}
    (tmp_path / "mine.json").write_text(json.dumps(vector))
    code, said = bindproof("replay", "mine.json", "--adapter", "meters-node")
    assert (code, "file/mine.json on meters-node" in said) == (0, True), said


def test_a_planted_fault_is_found_and_made_small_in_generated_scenarios(bindproof: Bindproof, tmp_path: Path) -> None:
    assert bindproof("fuzz", "--suite", "meters", *ALL, "--examples", "300")[0] == 0
    code, said = bindproof("fuzz", "--suite", "meters", *ALL, "--fault", "falls_below_zero", "--save", "found")
    assert (code, "MET-002" in said) == (1, True), said
    (found,) = (tmp_path / "found").iterdir()
    assert json.loads(found.read_text())["scenario"] == {"steps": [{"step": "take"}]}
    assert bindproof("replay", f"found/{found.name}", *ALL)[0] == 0


def test_its_runs_are_shared_out_and_merged(bindproof: Bindproof) -> None:
    for shard in ("1/2", "2/2"):
        assert bindproof("run", "--suite", "meters", "--shard", shard, "--results", f"{shard[0]}.jsonl")[0] in (0, 3)
    code, said = bindproof("merge", "1.jsonl", "2.jsonl")
    assert (code, "3 of 3 adapters judged: 3 scenarios" in said) == (0, True), said


def test_a_program_of_the_users_own_is_smoked_in_what_it_speaks(bindproof: Bindproof, python: Path) -> None:
    site = next(python.parent.parent.glob("lib/python*/site-packages"))
    folder = site / "bindproof_meters" / "adapters" / "meters-python"
    sdk = site / "bindproof" / "_data" / "adapters" / "sdk" / "python"
    code, said = bindproof("smoke", f"env PYTHONPATH={sdk}:{folder / 'binding'} {python} {folder / 'adapter.py'}")
    assert (code, said.count("ok   ")) == (0, 3), said
