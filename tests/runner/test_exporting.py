"""What an export holds: each setting's scenario and prediction once, and logs that the judge refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bindproof.core.errors import UsageError
from bindproof.judge.match import allows
from bindproof.runner.exporting import export
from bindproof.spec import settings, vectors
from bindproof.suites import load
from tests.relay import SPEC

Json = Any
SUITE = load(SPEC)
EDITIONS = ("0.8", "0.9", "0.10")
DIALECTS = ("wire", "python", "node")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    there = tmp_path_factory.mktemp("export")
    wanted = ["relay/marks/two-in-order", "relay/marks/key-bogus"]
    export(SPEC, SUITE, there, editions=EDITIONS, dialects=DIALECTS, wanted=wanted)
    return there


def held(folder: Path, name: str) -> Json:
    return json.loads((folder / name).read_text(encoding="utf-8"))


def runs_of(folder: Path, title: str) -> list[Json]:
    runs: list[Json] = held(folder, f"vectors/marks/{title}.json")["runs"]
    return runs


@pytest.mark.long
def test_each_setting_in_which_a_vector_runs_has_one_run(folder: Path) -> None:
    runs = runs_of(folder, "two-in-order")
    told = [setting for run in runs for setting in run["settings"]]
    assert sorted(told) == sorted(
        f"{edition}/{dialect}" for edition, dialect in settings(SPEC) if edition in EDITIONS and dialect in DIALECTS
    )
    assert len(runs) < len(told), "settings that are alike share a run"


def test_a_negative_has_its_twin_first(folder: Path) -> None:
    runs = runs_of(folder, "key-bogus")
    of_node = [run["of"] for run in runs if "0.9/node" in run["settings"]]
    assert of_node == ["twin", "vector"]


def test_scenarios_are_in_the_dialects_spelling(folder: Path) -> None:
    runs = runs_of(folder, "two-in-order")
    node = next(run for run in runs if "0.9/node" in run["settings"])
    assert "/pendingMarks" in json.dumps(node["scenario"])


def lines(folder: Path, name: str) -> list[Json]:
    return [json.loads(line) for line in (folder / name).read_text(encoding="ascii").splitlines()]


def test_each_run_of_a_setting_is_asked_for_by_its_number(folder: Path) -> None:
    hello, *asked, bye = lines(folder, "asked/0.9/node.jsonl")
    files = [one["file"] for one in held(folder, "index.json")["vectors"]]
    runs = [run for file in files for run in held(folder, file)["runs"] if "0.9/node" in run["settings"]]
    assert [one["params"] for one in asked] == [{"suite": "relay", "scenario": run["scenario"]} for run in runs]
    assert [one["id"] for one in asked] == [number for number, _ in enumerate(runs, 1)]
    assert (hello["method"], bye["method"]) == ("initialize", "shutdown")


def test_an_answer_that_must_fail_has_the_number_of_its_question(folder: Path) -> None:
    asked = {one["id"]: one["params"]["scenario"] for one in lines(folder, "asked/0.9/node.jsonl")[1:-1]}
    for one in lines(folder, "must-fail/0.9/node.jsonl"):
        runs = held(folder, f"vectors/{one['vector'].partition('/')[2]}.json")["runs"]
        assert asked[one["id"]] in [run["scenario"] for run in runs if run["name"] == one["vector"]]


@pytest.mark.long
def test_no_log_that_must_fail_is_allowed(folder: Path) -> None:
    logs = [one for one in lines(folder, "must-fail/0.10/python.jsonl") if one["vector"] == "relay/marks/two-in-order"]
    assert len(logs) > 20
    (run,) = [one for one in runs_of(folder, "two-in-order") if "0.10/python" in one["settings"]]
    scenario = next(one.scenario for one in vectors(SPEC) if one.id == "relay/marks/two-in-order")
    full = SUITE.complete(scenario)
    prepared = SUITE.prepare(full, "0.10", "python")
    for one in logs:
        assert one["breaks"]
        seen, _ = prepared.observe(one["result"]["observation"]["log"])
        assert not allows(run, seen, SUITE.lanes(full)), one["fault"]


def test_objects_that_must_be_refused_name_forms_of_the_bundle_beside_them(folder: Path) -> None:
    for edition in EDITIONS:
        forms = {form["$id"] for form in held(folder, f"schemas/{edition}.json")["$defs"].values()}
        refused = held(folder, f"must-refuse/{edition}.json")
        assert len(refused) > 100
        assert {one["form"] for one in refused} <= forms


def test_every_requirement_is_there_with_its_statement(folder: Path) -> None:
    told = {one["id"]: one["statement"] for one in held(folder, "requirements.json")}
    assert told == {one.id: one.statement for one in SPEC.requirements.values()}


@pytest.mark.long
def test_nothing_left_to_write_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no vector is left"):
        export(SPEC, SUITE, tmp_path, wanted=["relay/no/such"])
