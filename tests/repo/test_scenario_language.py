"""The page and the schema of the scenario language say what the code does."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema_rs
import pytest

from bindproof import suites
from bindproof.core.model import Json
from bindproof.core.paths import data_root
from bindproof.judge import match
from bindproof.spec import load, read_vector, vectors
from bindproof.suites import Suite
from bindproof.suites.relay.observation.records import FACTS, decode
from bindproof.suites.relay.scenario.schema import schema, schema_text
from tests.repo.sources import ROOT, fenced

PAGE = (ROOT / "spec" / "relay" / "scenarios.md").read_text(encoding="utf-8")
MATCHERS = (ROOT / "docs" / "matchers.md").read_text(encoding="utf-8")
"""What is said of the matchers that every suite has."""
SCHEMA = ROOT / "spec" / "relay" / "scenario.schema.json"


def examples(kind: str) -> list[Json]:
    found = [json.loads(block) for language, block in fenced(PAGE) if language == f"json {kind}"]
    assert found, f"the page has no example of a {kind}"
    return found


@pytest.fixture(scope="module")
def relay() -> Suite:
    return suites.load(load(data_root(), "relay"))


def test_every_example_has_a_kind() -> None:
    kinds = {language for language, _ in fenced(PAGE)}
    assert kinds == {f"json {kind}" for kind in ("scenario", "op", "next", "record", "lane", "vector")}


def test_scenarios_are_in_the_language(relay: Suite) -> None:
    for scenario in examples("scenario"):
        assert relay.complete(scenario)


def test_ops_can_be_done_by_an_intercept(relay: Suite) -> None:
    for op in examples("op"):
        step = {"step": "register", "family": "llm.request", "name": "i", "do": [op]}
        full = relay.complete({"steps": [step, {"step": "call", "name": "gpt"}]})
        assert relay.prepare(full, "0.10", "node").prediction


def test_the_op_next_can_be_done_by_what_wraps_an_execution(relay: Suite) -> None:
    for op in examples("next"):
        step = {"step": "register", "family": "tool.execution", "name": "x", "do": [op]}
        full = relay.complete({"steps": [step, {"step": "call", "kind": "tool", "name": "t"}]})
        assert relay.prepare(full, "0.10", "wire").prediction


def test_records_have_the_form_of_an_observation() -> None:
    assert len(decode(examples("record"))) > 2


def test_the_vector_is_one(tmp_path: Path) -> None:
    spec = load(data_root(), "relay")
    for vector in examples("vector"):
        (tmp_path / "example.json").write_text(json.dumps(vector), encoding="utf-8")
        assert read_vector(spec, tmp_path / "example.json", "relay/example").defect is not None


def test_the_lane_is_what_the_reference_predicts(relay: Suite) -> None:
    prepared = relay.prepare(relay.complete(examples("scenario")[0]), "0.10", "wire")
    assert prepared.prediction["lanes"]["s"] == examples("lane")[0]
    assert f"`{json.dumps(prepared.prediction['after'][0])}`" in PAGE


def test_every_fact_has_its_row() -> None:
    assert len(FACTS) > 5
    assert [fact for fact in FACTS if f"\n| `{fact}` |" not in PAGE] == []


def test_every_matcher_has_its_row() -> None:
    matchers = re.findall(r'`\{"(\$\w+)":', match.__doc__ or "")
    assert len(matchers) > 7
    assert [matcher for matcher in matchers if f'\n| `{{"{matcher}": ' not in MATCHERS] == []


def test_every_step_and_every_op_is_named() -> None:
    for struct in schema()["$defs"].values():
        for tag in ("step", "op"):
            for word in struct["properties"].get(tag, {}).get("enum", ()):
                assert f"\n| `{word}` |" in PAGE if tag == "step" else f'{{"op": "{word}"' in PAGE


def test_the_committed_schema_is_current() -> None:
    command = "python -m bindproof.suites.relay.scenario.schema > spec/relay/scenario.schema.json"
    assert SCHEMA.read_text(encoding="utf-8") == schema_text(), f"make it again: {command}"


@pytest.mark.long
def test_the_schema_accepts_every_vector_and_refuses_what_the_language_refuses() -> None:
    validator = jsonschema_rs.validator_for(schema())
    for vector in vectors(load(data_root(), "relay")):
        assert validator.is_valid(vector.scenario), vector.id
    outside: list[Json] = [{}, {"steps": []}, {"steps": [{"step": "dance"}]}, {"steps": [{"step": "flush", "till": 1}]}]
    for scenario in outside:
        assert not validator.is_valid(scenario)
