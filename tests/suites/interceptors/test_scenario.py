"""The language: what is filled in, what is refused and why, and that its page and schemas say the same."""

from __future__ import annotations

import json
from typing import Any

import jsonschema_rs
import pytest

from bindproof.suites.interceptors.observation import invalid_record
from bindproof.suites.interceptors.scenario import ScenarioError, complete
from bindproof.suites.interceptors.scenario_schema import schema, schema_text
from tests.interceptors import FLAGGED, SPEC, call, full, record, retry, run, stack
from tests.repo.sources import ROOT, fenced

Json = Any
FOLDER = ROOT / "spec" / "interceptors"
PAGE = (FOLDER / "scenarios.md").read_text(encoding="utf-8")
COMMAND = "python -m bindproof.suites.interceptors.scenario_schema > spec/interceptors/scenario.schema.json"
REGISTRY: Json = {"step": "registry", "as": "g"}


def test_defaults_are_filled_in() -> None:
    made = full(stack(), call())["steps"]
    assert made[0] == {"step": "stack", "as": "s", "domain": "llm", "layers": []}
    does = [{"after": 0, "gives": {"text": "ok"}}]
    given = {"messages": ["hi"], "tools": []}
    assert made[1] == {"step": "call", "as": "c", "on": "s", "input": given, "does": does}


def test_a_call_of_a_tool_is_named_by_its_step() -> None:
    made = full(REGISTRY | {"layers": [record("r")]}, call(), {"step": "all", "inputs": [{}, {"call_id": "x"}]})
    assert made["steps"][1]["input"] == {"name": "t", "call_id": "c", "arguments": {}}
    assert [one["call_id"] for one in made["steps"][2]["inputs"]] == ["#2/0", "x"]


REFUSED: list[tuple[list[Json], str]] = [
    ([], "length >= 1"),
    ([{"step": "dance"}], "dance"),
    ([call()], "there is nothing to call yet"),
    ([stack(), stack()], "two steps are called 's'"),
    ([stack(record("c")), call()], "two things are called 'c'"),
    ([stack(record("r", times=0)), call()], "'r' runs nothing, so it needs `gives`"),
    ([stack({"layer": "approval", "as": "a"})], "an approval is for tools"),
    ([stack({"layer": "shared", "of": "m"})], "no step before it named 'm' is a share"),
    ([stack({"layer": "retry", "max_attempts": 2})], "all of its numbers, or none"),
    ([stack(retry(30, 1, 1, 1), retry(30, 1, 1, 1)), call()], "900 times; 512 is the most"),
    ([stack(), call({"gives": {"error": {"kind": "auth", "retryable": True}}})], "auth has message, not retryable"),
    ([stack(), call({"gives": {}})], "either a text or an error"),
    ([stack(record("r", input=1), domain="tool"), call()], "what replaces a tool's input has `arguments` alone"),
    ([REGISTRY | {"tools": [{"schema": {"required": 1}}]}, call()], "not a ToolSchema"),
    ([REGISTRY | {"tools": [{"schema": {"minimum": 1}}]}, call()], "unknown field `minimum`"),
    ([stack(record("r", input=1)), call()], "not a LlmRequest"),
    ([stack(), {"step": "derive", "of": "s", "only": ["t"]}], "a stack can be cloned"),
    ([stack(domain="tool"), {"step": "all", "inputs": [{}]}], "only a registry takes several calls"),
    ([REGISTRY, {"step": "all", "inputs": [{}]}], "told apart by a record or shared layer"),
    ([REGISTRY | {"layers": [record("r"), {"layer": "logging"}]}, {"step": "all", "inputs": [{}]}], "cannot be told"),
    ([REGISTRY | {"layers": [{"layer": "timeout", "duration": 1}], "tools": [{"retry": {}}]}], "give it jitter 0"),
]


@pytest.mark.parametrize(("steps", "reason"), REFUSED)
def test_what_breaks_the_language_is_refused_with_the_reason(steps: list[Json], reason: str) -> None:
    with pytest.raises(ScenarioError, match=reason):
        complete({"steps": steps})


# -- the page, and the schemas ---------------------------------------------------------------------


def examples(kind: str) -> list[Json]:
    return [json.loads(block) for language, block in fenced(PAGE) if language == f"json {kind}"]


def test_the_examples_of_the_page_are_true() -> None:
    assert {language for language, _ in fenced(PAGE)} == {"json scenario", "json record"}
    (scenario,) = examples("scenario")
    log = run(*scenario["steps"])
    assert all(example in log for example in examples("record")[:2])
    assert invalid_record(examples("record")) is None


def test_every_fact_step_and_layer_has_its_row() -> None:
    facts = (invalid_record([{"fact": "none of these"}]) or "").partition("known: ")[2].split(", ")
    words = [word for struct in schema()["$defs"].values() for tag in ("step", "layer") for word in enum(struct, tag)]
    assert len(facts) == 7
    assert len(words) == 13
    assert [word for word in facts + words if f"\n| `{word}` |" not in PAGE] == []


def enum(struct: Json, tag: str) -> list[str]:
    found: list[str] = struct.get("properties", {}).get(tag, {}).get("enum", [])
    return found


def test_the_committed_schema_is_current() -> None:
    assert (FOLDER / "scenario.schema.json").read_text(encoding="utf-8") == schema_text(), f"make it again: {COMMAND}"


def valid(name: str, value: Json) -> bool:
    document = json.loads((FOLDER / "schemas" / "0.7" / f"{name}.json").read_text(encoding="utf-8"))
    return bool(jsonschema_rs.validator_for(document).is_valid(value))


def forms(value: Json) -> list[str]:
    """The forms that a value has."""
    return [path.stem for path in sorted((FOLDER / "schemas" / "0.7").glob("*.json")) if valid(path.stem, value)]


def test_what_passes_through_stacks_has_one_of_the_forms() -> None:
    steps = [
        stack(record("r"), {"layer": "timeout", "duration": 1}),
        call({"gives": FLAGGED}),
        call({"after": 2}, **{"as": "late"}),
        REGISTRY | {"layers": [record("o")]},
        call(**{"as": "d"}),
    ]
    log = run(*steps)
    requests = [forms(one["given"]) for one in log if one.get("callback") in ("r", "o") and one["fact"] == "enter"]
    assert requests == [["llm-request"], ["llm-request"], ["tool-request"]]
    results = [forms(one["value"]) for one in log if one["fact"] == "done" and one["value"] is not None]
    assert results == [["llm-outcome"], ["llm-outcome"], ["tool-result"]]
    assert [forms(one["reply"]) for one in log if one.get("callback") == "o" and one["fact"] == "leave"] == [
        ["tool-response"]
    ]


def test_the_schemas_refuse_what_the_forms_refuse() -> None:
    assert not valid("llm-request", {"messages": [1], "tools": []})
    assert not valid("llm-outcome", {})
    assert not valid("llm-outcome", {"error": {"kind": "auth", "message": "", "retryable": True}})
    assert not valid("tool-request", {"name": "t", "call_id": ""})
    assert not valid("tool-response", {"content": "", "is_error": 1})
    assert valid("tool-result", {"tool_call_id": "", "content": "", "is_error": False})
    assert SPEC.edition_names == ("0.7",)
