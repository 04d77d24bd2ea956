"""The cases that the SDKs of all languages run, with the Python SDK; and that the tables themselves make sense."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bindproof_adapter import AdapterFault, Inexpressible, Unsupported
from bindproof_adapter.relay import Actor
from bindproof_adapter.signals import Stop
from tests.adapters import toy
from tests.repo.sources import ROOT

Json = Any

TABLES = sorted((ROOT / "adapters" / "sdk" / "cases" / "relay").glob("*.json"))
SDKS = ("python", "python.blocks", "node", "go", "rust")


def cases(*tables: str) -> Iterator[Any]:
    for path in TABLES:
        if tables and path.stem not in tables:
            continue
        table = json.loads(path.read_text("utf-8"))
        for case in table["cases"]:
            if "python" in case.get("only", SDKS):
                steps = [table["steps"][name] for name in case["steps"]]
                yield pytest.param(case, steps, id=f"{path.stem}: {case['name']}")


@pytest.mark.long
@pytest.mark.parametrize(("case", "steps"), list(cases()))
def test_the_sdk(case: Json, steps: list[Json]) -> None:
    holds(case, steps, "python", toy.toy(case.get("lacks")))


@pytest.mark.parametrize(("case", "steps"), [one for one in cases("flight") if "lacks" not in one.values[0]])
def test_a_binding_that_blocks(case: Json, steps: list[Json]) -> None:
    holds(case, steps, "python.blocks", toy.toy(None, toy.Blocks))


def holds(case: Json, steps: list[Json], sdk: str, binding: toy.Core) -> None:
    """Asserts that the steps do what the case says of this SDK."""
    expected = case.get("instead", {}).get(sdk, case)
    scenario = json.loads(json.dumps({"steps": steps}))
    with closing(Actor(binding)) as actor:
        if "stops" in expected:
            with pytest.raises(Stop) as caught:
                actor.run("relay", scenario)
            assert stops_as(caught.value, **expected["stops"]), caught.value
            return
        seen = actor.run("relay", scenario)
    *log, last = seen["log"]
    assert last == {"fact": "settled"}
    assert [like(*pair) for pair in zip(log, expected["log"], strict=False)] == expected["log"]
    assert len(log) == len(expected["log"]), log[len(expected["log"]) :]
    assert (seen["left"], seen["stray"]) == (expected.get("left", []), [])
    assert binding.plugins == 0, "each plugin is taken back once"


def stops_as(stop: Stop, unsupported: str = "", inexpressible: str = "", fault: str = "") -> bool:
    match stop:
        case Unsupported():
            return stop.capability == unsupported
        case Inexpressible():
            return stop.path == inexpressible
    return isinstance(stop, AdapterFault) and fault != "" and fault in str(stop)


def like(record: Json, expected: Json) -> Json:
    """Returns of a record as much as the expected one says."""
    if isinstance(expected, str):
        return f"{record['fact']} {record.get('callback') or record.get('step') or record.get('subscriber')}"
    there = {key: record[key] for key in expected if key in record}
    if "error" in there and "error" in expected:
        there["error"] = {key: there["error"][key] for key in expected["error"]}
    return there


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_a_table_makes_sense(path: Path) -> None:
    table = json.loads(path.read_text("utf-8"))
    names = [case["name"] for case in table["cases"]]
    assert len(set(names)) == len(names)
    assert {name for case in table["cases"] for name in case["steps"]} == set(table["steps"])
    for case in table["cases"]:
        assert set(case) <= {"name", "lacks", "only", "steps", "log", "left", "stops", "instead"}, case["name"]
        assert {*case.get("only", ()), *case.get("instead", {})} <= set(SDKS), case["name"]
        assert case.get("lacks", "plugins") in toy.PARTS, case["name"]
        for expected in (case, *case.get("instead", {}).values()):
            assert ("log" in expected) != ("stops" in expected), case["name"]


def test_every_sdk_reads_the_tables() -> None:
    """Whoever adds a table adds it for all."""
    readers = {
        "node": ROOT / "adapters/sdk/node/relay/cases.test.mjs",
        "go": ROOT / "adapters/sdk/go/relay/cases_test.go",
        "rust": ROOT / "adapters/sdk/rust/src/relay/actor/tests/cases.rs",
    }
    assert len(TABLES) > 5
    for reader in readers.values():
        assert "../cases/relay" in reader.read_text("utf-8"), reader
