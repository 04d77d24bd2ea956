"""The page of boundaries is made of a kept run, the manifests and the suite; no boundary of the contract has no row."""

from __future__ import annotations

import json
from types import ModuleType
from typing import Any

import pytest

from bindproof.core.paths import data_root
from bindproof.results import VerdictLine
from bindproof.spec import load
from bindproof.spec.files.document import parse
from bindproof.spec.models import Spec
from tests.repo.test_site import module_of_the_site

Json = Any


@pytest.fixture(scope="module")
def boundaries() -> ModuleType:
    return module_of_the_site("boundaries")


@pytest.fixture(scope="module")
def found(boundaries: ModuleType) -> Json:
    return json.loads(boundaries.KEPT.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def relay() -> Spec:
    return load(data_root(), "relay")


@pytest.mark.long
def test_the_page_is_what_is_written_of_the_kept_run(boundaries: ModuleType, found: Json) -> None:
    said = "run `python docs/site/boundaries.py`, or with `--page` where nothing was judged anew"
    assert boundaries.PAGE.read_text(encoding="utf-8") == boundaries.page(found), said


def test_each_paragraph_of_the_table_has_a_row(boundaries: ModuleType, relay: Spec) -> None:
    text = (relay.folder / "sources.toml").read_bytes()
    places = [rule["place"] for rule in parse(text, "sources.toml").value["rule"] if rule["document"] == "seed-000"]
    wanted = {int(place.rpartition("¶")[2]) for place in places if place.startswith(f"{boundaries.TABLE} ¶")}
    assert wanted
    assert {paragraph for _, paragraph, _, _ in boundaries.BOUNDARIES} == wanted


def test_a_boundary_without_an_adapter_says_why(boundaries: ModuleType) -> None:
    for _, _, adapters, lacking in boundaries.BOUNDARIES:
        assert adapters or lacking
        assert all("relay" in boundaries.manifest(name).suites for name in adapters)


def test_what_is_kept_is_of_what_is_tried_and_each_requirement_is_in_force(
    boundaries: ModuleType, found: Json, relay: Spec
) -> None:
    assert [*found["targets"]] == [name for name in boundaries.tried() if name in found["targets"]]
    for name, one in found["targets"].items():
        told = [rule for ids in one["status"].values() for rule in ids]
        force = boundaries.in_force(relay, one["edition"], boundaries.manifest(name.partition("@")[0]).dialect)
        assert len(told) == len({*told})
        assert {*told} <= {*force}
        assert one["status"]["broken"] == one["status"]["not exercised"] == []


def test_a_run_is_kept_with_the_reasons_of_what_was_not_acted_out(boundaries: ModuleType) -> None:
    summary = {
        "bindproof": "1",
        "started": "2026-01-02T03:04",
        "targets": [
            {"name": "a", "state": "ready", "target": "t", "version": "1", "editions": ["0.9"]},
            {"name": "b", "state": "unavailable"},
        ],
        "requirements": [
            {"id": "X-001", "status": {"a": "held"}},
            {"id": "X-002", "status": {"a": "unsupported"}},
            {"id": "REF-000", "status": {"a": "held"}},
        ],
    }
    lines = [
        *(VerdictLine(plan=name, suite="relay", adapter="a", outcome="unsupported", reason="no x") for name in "pq"),
        VerdictLine(plan="r", suite="relay", adapter="a", outcome="conforms"),
    ]
    kept = boundaries.kept(summary, lines)
    assert [*kept["targets"]] == ["a"]
    assert {word: ids for word, ids in kept["targets"]["a"]["status"].items() if ids} == {
        "held": ["X-001"],
        "unsupported": ["X-002"],
    }
    assert kept["targets"]["a"]["why"] == {"no x": 2}
    assert json.loads(boundaries.written(kept)) == kept
