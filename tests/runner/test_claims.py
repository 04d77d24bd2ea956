"""What a vector claims is proved: each false claim is told with its file and line, and true ones are not."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from bindproof.runner import claims
from bindproof.runner.claims import Claims
from bindproof.spec import load
from bindproof.spec.check import check
from bindproof.suites import load as load_suite

Json = Any

NEGATIVE: Json = {
    "title": "A retry that makes no attempt",
    "exercises": ["RTY-012"],
    "scenario": {
        "steps": [
            {
                "step": "stack",
                "as": "s",
                "layers": [
                    {"layer": "retry", "max_attempts": 1, "initial_delay": 1, "max_delay": 9, "multiplier": 2},
                ],
            },
            {"step": "call", "as": "c"},
        ]
    },
    "defect": {
        "at": "/steps/0/layers/0/max_attempts",
        "put": 0,
        "breaks": "RTY-012",
        "kind": "invalid_configuration",
    },
}


def problems(
    repository: Path, folder: Path, vector: Json, suite: str = "interceptors", *, everywhere: bool = True
) -> list[tuple[int, str]]:
    """Line and text of what is wrong with the claims of one vector, in a copy of a suite that has no other."""
    root = folder / "root"
    shutil.copytree(repository / "spec" / suite, root / "spec" / suite, ignore=shutil.ignore_patterns("vectors"))
    file = root / "spec" / suite / "vectors" / "mine.json"
    file.parent.mkdir()
    file.write_text(json.dumps(vector, indent=1), encoding="utf-8")
    spec = load(root, suite)
    found = list(Claims(spec, load_suite(spec), everywhere=everywhere).problems())
    assert {one.file for one in found} <= {f"spec/{suite}/vectors/mine.json"}
    return [(one.line, one.text) for one in found]


def line_of(vector: Json, text: str) -> int:
    return next(at for at, line in enumerate(json.dumps(vector, indent=1).splitlines(), 1) if text in line)


def with_defect(**changed: Json) -> Json:
    return {**NEGATIVE, "defect": {**NEGATIVE["defect"], **changed}}


def test_true_claims_are_no_problem(repository: Path, tmp_path: Path) -> None:
    assert problems(repository, tmp_path, NEGATIVE) == []


def test_a_defect_that_nothing_refuses_is_a_problem(repository: Path, tmp_path: Path) -> None:
    vector = with_defect(put=2)
    found = problems(repository, tmp_path, vector)
    assert (line_of(vector, '"kind"'), "nothing is refused") in [
        (at, text.rpartition(": ")[2][:18]) for at, text in found
    ]


def test_a_defect_that_is_refused_by_another_kind_is_a_problem(repository: Path, tmp_path: Path) -> None:
    vector = with_defect(kind="panicked")
    ((line, text),) = problems(repository, tmp_path, vector)
    assert line == line_of(vector, '"kind"')
    assert text.startswith("the defect is not refused by an error of kind 'panicked': the errors with it are invalid_")
    assert text.endswith(", and so in 1 more settings")


def test_a_defect_that_breaks_another_rule_is_a_problem(repository: Path, tmp_path: Path) -> None:
    vector = with_defect(breaks="RTY-001")
    ((line, text),) = problems(repository, tmp_path, vector)
    assert line == line_of(vector, '"breaks"')
    assert text.startswith("the defect does not break RTY-001: a binding that took it would break RTY-012")


def test_a_rule_that_a_vector_does_not_exercise_is_a_problem(repository: Path, tmp_path: Path) -> None:
    vector = {**NEGATIVE, "exercises": ["RTY-012", "REG-005"]}
    ((line, text),) = problems(repository, tmp_path, vector)
    assert line == line_of(vector, "REG-005")
    assert text.startswith("it does not exercise REG-005: the rule's check finds nothing to judge in it (edition 0.7,")


def test_a_vector_may_be_for_what_only_the_reference_speaks_of(repository: Path, tmp_path: Path) -> None:
    vector = {name: NEGATIVE[name] for name in ("title", "scenario")} | {"exercises": ["REF-000"]}
    assert problems(repository, tmp_path, vector) == []
    assert [one for one in check(tmp_path / "root", "interceptors") if "mine.json" in one.file] == []


def test_a_scenario_that_nobody_can_act_out_is_a_problem(repository: Path, tmp_path: Path) -> None:
    vector = {"title": "No stack", "exercises": ["RTY-012"], "scenario": {"steps": [{"step": "call", "of": "s"}]}}
    ((line, text),) = problems(repository, tmp_path, vector)
    assert line == 1
    assert "`$.steps[0]`" in text


RELAY = "spec/relay/vectors"


@pytest.mark.long
@pytest.mark.parametrize("everywhere", [True, False])
@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({}, []),
        ({"breaks": "MRK-002"}, ["the defect does not break MRK-002: a binding that took it would break AUT-"]),
        ({"kind": "wrong_shape"}, ["the defect is not refused by an error of kind 'wrong_shape': the errors with it"]),
    ],
)
def test_the_defective_reply_of_a_callback_is_taken(
    repository: Path, tmp_path: Path, changed: Json, said: list[str], everywhere: bool
) -> None:
    file = sorted((repository / RELAY / "authority").glob("*model*.json"))
    vector = next(one for one in (json.loads(path.read_text(encoding="utf-8")) for path in file) if "defect" in one)
    found = problems(
        repository, tmp_path, {**vector, "defect": {**vector["defect"], **changed}}, "relay", everywhere=everywhere
    )
    assert [text[: len(start)] for (_, text), start in zip(found, said, strict=True)] == said


@pytest.mark.long
def test_a_defect_breaks_a_rule_that_is_in_force(repository: Path, tmp_path: Path) -> None:
    """Of a rule that holds for other dialects alone nobody would ever see whether the defect breaks it."""
    file = repository / "spec/relay/vectors/marks/key-kind.json"
    vector = json.loads(file.read_text(encoding="utf-8"))
    assert problems(repository, tmp_path / "true", vector, "relay", everywhere=False) == []
    vector["defect"]["breaks"] = "CFF-001"
    found = problems(repository, tmp_path / "false", {**vector, "dialects": ["python"]}, "relay", everywhere=False)
    assert [text for _, text in found] == ["CFF-001 is in force in no setting in which it runs; name one that is"]


LATE: Json = {
    "title": "What wraps a tool asks for the id of its call, which no intercept is given before 0.9",
    "exercises": ["MID-025"],
    "scenario": {
        "steps": [
            {
                "step": "register",
                "as": "i",
                "family": "tool.execution",
                "name": "i",
                "do": [{"op": "edit", "set": {"/result": {"$get": "given/tool_call_id"}}}],
            },
            {"step": "call", "as": "c", "kind": "tool", "name": "t"},
        ]
    },
}


@pytest.mark.long
def test_of_a_large_suite_each_dialect_is_tried_in_its_newest_edition(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """WebAssembly's newest is 0.4; of Python nobody looks there, but where every setting is asked for."""
    monkeypatch.setattr(claims, "ALL_BELOW", 0)
    found = problems(repository, tmp_path / "all", LATE, "relay", everywhere=False)
    assert ["cannot be acted out" in text for _, text in found] == [True]
    of_python = {**LATE, "dialects": ["python"]}
    assert problems(repository, tmp_path / "few", of_python, "relay", everywhere=False) == []
    found = problems(repository, tmp_path / "every", of_python, "relay", everywhere=True)
    assert ["cannot be acted out" in text for _, text in found] == [True]
