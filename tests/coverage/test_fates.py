"""What becomes of a name: judged where a vector that was acted out sets it, and the rule was judged there."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof.coverage.fates import Table
from bindproof.spec.files.surface import SurfaceFile
from bindproof.spec.models import Vector

Json = Any

FILE = SurfaceFile.model_validate_json("""{
  "adapters": ["a"], "reads": "c",
  "families": {"llm.request": ["request"], "subscriber": ["listener"]},
  "function": [
    {"names": ["add_{family}"], "step": "register", "where": {"level": "global"}},
    {"names": ["own_{family}"], "step": "register", "where": {"level": "plugin"}},
    {"names": ["drop_{family}"], "step": "deregister"},
    {"names": ["begin"], "step": "start", "where": {"kind": "scope"}}
  ],
  "parameter": [
    {"of": ["register"], "names": ["priority"], "field": "priority", "requirements": ["R-1"]},
    {"of": ["register"], "names": ["name"], "requirements": ["R-2"]},
    {"of": ["deregister"], "names": ["name"], "field": "of", "requirements": ["R-3"]},
    {"of": ["start"], "names": ["data"], "field": "data/x", "requirements": ["R-4"]}
  ],
  "member": [{"names": ["Mark.*"], "requirements": ["R-9", "R-1"]}],
  "unset": [{"names": ["add_listener:priority", "begin:time"], "reason": "no step says it"}],
  "apart": [{"names": ["begin:*"], "reason": "of another subject"}]
}""")


def vector(*steps: Json, exercises: tuple[str, ...] = ()) -> Vector:
    return Vector("s/v", "a title", exercises, ("1",), (), {"steps": list(steps)}, None, "v.json")


def register(family: str, **more: Json) -> Json:
    return {"step": "register", "as": "i", "family": family, "name": "i", **more}


def table(*steps: Json, judged: tuple[str, ...] = ("R-1", "R-2", "R-3", "R-4")) -> Table:
    return Table(FILE, [vector(*steps, exercises=judged)], {"s/v": judged})


PLUGIN = {"step": "install", "as": "p", "do": [{"op": "step", "step": register("llm.request", priority=2)}]}
IN_A_CALLBACK = {"step": "call", "name": "c", "provider": [{"op": "step", "step": register("subscriber", priority=1)}]}
DEREGISTER = {"step": "deregister", "of": "i"}


@pytest.mark.parametrize(
    ("steps", "name"),
    [
        ([register("llm.request", priority=-1)], "add_request:priority"),
        ([register("llm.request")], "add_request:name"),
        ([PLUGIN], "own_request:priority"),
        ([IN_A_CALLBACK], "add_listener:priority"),
        ([register("llm.request"), DEREGISTER], "drop_request:name"),
        ([{"step": "start", "name": "s", "data": {"x": 1}}], "begin:data"),
        ([register("subscriber")], "Mark.name"),
    ],
)
def test_what_a_vector_sets_and_a_rule_judges_there_is_judged(steps: list[Json], name: str) -> None:
    part = table(*steps).part(name)

    assert (part.fate, part.vector) == ("judged", "s/v")


@pytest.mark.parametrize(
    ("steps", "judged", "name", "said"),
    [
        ([register("llm.request")], ("R-1",), "add_request:priority", "sets 'priority'"),
        ([register("llm.request", priority=0)], ("R-1",), "add_request:priority", "sets 'priority'"),
        ([register("llm.request", priority=1)], ("R-2",), "add_request:priority", "R-1 is judged"),
        ([register("subscriber", priority=1)], ("R-1",), "add_request:priority", "R-1"),
        ([register("llm.request", priority=1, scope="A")], ("R-1",), "add_request:priority", "R-1"),
        ([register("llm.request", priority=1)], ("R-1",), "own_request:priority", "R-1"),
        ([register("subscriber"), DEREGISTER], ("R-3",), "drop_request:name", "R-3"),
        ([{"step": "start", "kind": "llm", "name": "s", "data": {"x": 1}}], ("R-4",), "begin:other", ""),
        ([register("subscriber")], ("R-2",), "Mark.name", "no vector exercises R-9, R-1"),
        ([register("subscriber")], ("R-1",), "unheard:of", "says nothing of it"),
    ],
)
def test_what_is_not_so_is_missing_or_has_a_reason(
    steps: list[Json], judged: tuple[str, ...], name: str, said: str
) -> None:
    part = table(*steps, judged=judged).part(name)

    expected = "apart" if name == "begin:other" else "missing"
    assert part.fate == expected
    assert said in part.reason


def test_what_a_vector_exercises_without_that_it_was_judged_counts_for_nothing() -> None:
    read = Table(FILE, [vector(register("subscriber"), exercises=("R-1",))], {"s/v": ("R-2",)})

    assert read.part("Mark.name").fate == "missing"


def test_a_name_that_no_vector_sets_is_listed_as_such_before_it_is_apart() -> None:
    read = table(register("subscriber"))

    assert (read.part("begin:time").fate, read.part("begin:more").fate) == ("unset", "apart")
    assert read.part("add_listener:priority").fate == "unset"


def test_a_glob_that_no_name_matches_is_stale() -> None:
    names = ["add_request:name", "own_request:name", "drop_listener:name", "begin:time", "begin:x"]

    assert table().stale(names) == ["Mark.*", "add_listener:priority"]
    assert "drop_{family}" in table().stale(["add_request:name"])
