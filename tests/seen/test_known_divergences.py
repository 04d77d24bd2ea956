"""A known divergence explains itself, and nothing that stands beside it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.relay import SUB, VECTORS, call, intercept, lawful, prepare
from tests.seen.conftest import Replays, scenario_file

pytestmark = pytest.mark.long

Json = Any

C = ("nemo-relay-ffi", "0.10.4")
TWICE = "relay/middleware/deregister-twice"
"""A tool call behind two deregistrations, `dr` and `d2`, of which the second finds nothing."""


def answering(**values: Json) -> list[Json]:
    """The log of TWICE in dialect c, where these deregistrations answer so."""
    (steps,) = [vector.scenario["steps"] for vector in VECTORS if vector.id == TWICE]
    log = lawful(prepare(*steps, dialect="c"), 0, "c")
    for record in log:
        if record["fact"] == "done" and record["step"] in values:
            record["value"] = values[record["step"]]
    return log


def without_the_start(log: list[Json]) -> list[Json]:
    """The same log, where nobody is told that the tool call starts."""
    return [record for record in log if record.get("event", {}).get("scope_category") != "start"]


def test_known_divergence_alone_is_known(replays: Replays) -> None:
    told = replays(TWICE, answering(dr=None, d2=None), target=C, dialect="c")
    assert told.code == 0
    assert list(told.broken()) == ["MID-006"]


def test_lost_start_alone_is_red(replays: Replays) -> None:
    assert replays(TWICE, without_the_start(answering()), target=C, dialect="c").code == 1


def test_lost_start_beside_a_known_divergence_is_red(replays: Replays) -> None:
    told = replays(TWICE, without_the_start(answering(dr=None, d2=None)), target=C, dialect="c")
    assert told.code == 1
    assert told.broken()["MID-006"] is not None
    assert None in told.broken().values()


def test_known_divergence_with_another_observed_value_is_red(replays: Replays) -> None:
    assert replays(TWICE, answering(d2="boom"), target=C, dialect="c").code == 1


def known(folder: Path) -> Path:
    """An expectation that a deregistration which finds nothing answers true."""
    entry = {
        "requirement": "MID-006",
        "target": "bindproof-reference",
        "vectors": ["relay/no/such"],
        "generated": '"step":"deregister"',
        "expected": False,
        "observed": True,
        "reason": "it is a fake",
        "source": "tests",
    }
    file = folder / "known.toml"
    words = "".join(f"{key} = {json.dumps(value)}\n" for key, value in entry.items())
    file.write_text(f"[[divergence]]\n{words}", encoding="utf-8")
    return file


STEPS: list[Json] = [
    SUB,
    {"step": "register", "as": "r", "family": "tool.request", "name": "r"},
    {"step": "deregister", "as": "dr", "of": "r"},
    {"step": "deregister", "as": "d2", "of": "r"},
    {"step": "register", "as": "q", "family": "tool.request", "name": "q"},
    {"step": "deregister", "as": "dq", "of": "q"},
]


def test_expected_failure_of_a_scenario_that_is_no_vector_is_known(replays: Replays, tmp_path: Path) -> None:
    assert replays(*of_a_file(tmp_path, d2=True)).code == 0


def test_failure_beside_an_expected_one_of_the_same_rule_is_not_known(replays: Replays, tmp_path: Path) -> None:
    told = replays(*of_a_file(tmp_path, d2=True, dq="boom"))
    assert told.code == 1
    assert told.broken() == {"MID-006": None}


def of_a_file(folder: Path, **values: Json) -> tuple[Path, list[Json], str, str]:
    """A scenario in a file, its log where the deregistrations answer so, and the words that name what is expected."""
    log = lawful(prepare(*STEPS), 0, "wire")
    for record in log:
        if record["fact"] == "done" and record["step"] in values:
            record["value"] = values[record["step"]]
    return scenario_file(folder, *STEPS), log, "--expectations", str(known(folder))


STATED: Json = {"op": "edit", "append": {"/pending_marks": [{"name": "m", "uuid": "u"}]}}
UNSTATED: Json = {"op": "edit", "append": {"/pending_marks": [{"name": "m"}]}}


def with_an_unknown_key() -> list[Json]:
    """The log of a binding in dialect c that takes a mark which states a uuid."""
    log = lawful(prepare(SUB, intercept(UNSTATED), call(), dialect="c"), 0, "c")
    (reply,) = [record["reply"] for record in log if record["fact"] == "leave" and record["callback"] == "i"]
    reply["pending_marks"][0]["uuid"] = "u"
    return log


def test_unknown_key_that_is_taken_is_known(replays: Replays, tmp_path: Path) -> None:
    file = scenario_file(tmp_path, SUB, intercept(STATED), call())
    told = replays(file, with_an_unknown_key(), target=C, dialect="c")
    assert told.code == 0
    assert list(told.broken()) == ["MRK-008"]


def test_other_profile_beside_a_known_divergence_is_red(replays: Replays, tmp_path: Path) -> None:
    file = scenario_file(tmp_path, SUB, intercept(STATED), call())
    log = with_an_unknown_key()
    starts = [record["event"] for record in log if record.get("event", {}).get("scope_category") == "start"]
    starts[0]["category_profile"] = {"model_name": "nobody-said-so"}
    assert replays(file, log, target=C, dialect="c").code == 1
