from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bindproof.errors import UsageError
from bindproof.model import Defect
from bindproof.run.plans import chosen_vectors, plans, plans_of, with_defect
from bindproof.spec import SpecError, Vector
from tests.relay import NEWEST, SPEC, SUB, SUITE, VECTORS, call

Json = Any

SCENARIO: Json = {"steps": [{"a/b": 1, "list": [10, 20]}, {"name": "x"}]}


@pytest.mark.parametrize(
    ("defect", "expected"),
    [
        ({"at": "/steps/1/name", "put": "y"}, {"steps": [{"a/b": 1, "list": [10, 20]}, {"name": "y"}]}),
        ({"at": "/steps/1/new", "put": None}, {"steps": [SCENARIO["steps"][0], {"name": "x", "new": None}]}),
        ({"at": "/steps/0/a~1b", "put": 2}, {"steps": [{"a/b": 2, "list": [10, 20]}, {"name": "x"}]}),
        ({"at": "/steps/0/list/0", "put": 1}, {"steps": [{"a/b": 1, "list": [1, 20]}, {"name": "x"}]}),
        ({"at": "/steps/0/list/2", "put": 30}, {"steps": [{"a/b": 1, "list": [10, 20, 30]}, {"name": "x"}]}),
        ({"at": "/steps/0/list/0", "cut": True}, {"steps": [{"a/b": 1, "list": [20]}, {"name": "x"}]}),
        ({"at": "/steps/0", "cut": True}, {"steps": [{"name": "x"}]}),
        ({"at": "/steps", "put": []}, {"steps": []}),
    ],
)
def test_a_defect_is_put_in_or_cut_out(defect: Json, expected: Json) -> None:
    before = deepcopy(SCENARIO)
    assert with_defect(SCENARIO, Defect(breaks="OUT-001", kind="unknown", **defect)) == expected
    assert before == SCENARIO


@pytest.mark.parametrize(
    ("at", "cut"),
    [
        ("/nothing/x", False),
        ("/nothing", True),
        ("/steps/7/x", False),
        ("/steps/3", False),
        ("/steps/9", True),
        ("/steps/x", False),
        ("/steps/-1", True),
        ("/steps/-1/name", False),
        ("/steps/1/name/deep", False),
        ("", False),
        ("steps/0", False),
    ],
)
def test_a_pointer_that_leads_nowhere_is_named(at: str, cut: bool) -> None:
    with pytest.raises(ValueError, match="leads nowhere in the scenario; mend the pointer") as caught:
        with_defect(SCENARIO, Defect(at, "OUT-001", "unknown", cut=cut))
    assert repr(at) in str(caught.value)


def vector(**changes: Json) -> Vector:
    made = Vector(
        "relay/x/y", "a title", ("OUT-001",), SPEC.edition_names, ("all",), {"steps": [call()]}, None, "x.json"
    )
    return msgspec.structs.replace(made, **changes)


def test_a_positive_vector_is_one_plan() -> None:
    (plan,) = plans_of(SUITE, vector())
    assert (plan.id, plan.title, plan.exercises, plan.defect, plan.twin) == (
        "relay/x/y",
        "a title",
        ("OUT-001",),
        None,
        None,
    )
    assert plan.scenario == SUITE.complete({"steps": [call()]})


def test_a_negatives_twin_comes_first() -> None:
    defect = Defect("/steps/0/name", "OUT-001", "unknown", put="other")
    twin, negative = plans_of(SUITE, vector(defect=defect))
    assert (twin.id, twin.exercises, twin.defect, twin.scenario["steps"][0]["name"]) == (
        "relay/x/y+twin",
        (),
        None,
        "gpt",
    )
    assert (negative.id, negative.twin, negative.defect) == ("relay/x/y", twin.id, defect)
    assert negative.scenario["steps"][0]["name"] == "other"


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"scenario": {"steps": []}}, "not a scenario"),
        ({"scenario": {"steps": [SUB, SUB]}}, "two steps are called 's'"),
        ({"defect": Defect("/steps/4/x", "OUT-001", "unknown")}, "leads nowhere"),
        ({"defect": Defect("/steps/0/name", "OUT-001", "unknown", put=3)}, "not a scenario"),
    ],
)
def test_a_broken_vector_is_told_with_its_file(changes: Json, what: str) -> None:
    with pytest.raises(SpecError) as caught:
        plans_of(SUITE, vector(**changes))
    assert str(caught.value).startswith("x.json:1: ")
    assert what in str(caught.value)


def test_only_what_is_meant_for_the_edition_and_dialect_is_planned() -> None:
    found = [
        vector(id="all"),
        vector(id="node", dialects=("node",)),
        vector(id="old", in_editions=SPEC.edition_names[:1]),
    ]
    assert [plan.id for plan in plans(SUITE, found, NEWEST, "wire")] == ["all"]
    assert [plan.id for plan in plans(SUITE, found, NEWEST, "node")] == ["all", "node"]
    assert [plan.id for plan in plans(SUITE, found, SPEC.edition_names[0], "wire")] == ["all", "old"]


def test_every_vector_of_the_spec_is_chosen_without_a_choice() -> None:
    assert [one.id for one in chosen_vectors(SPEC, (), (), ())] == [one.id for one in VECTORS]


def test_globs_choose_vectors_and_requirements_those_that_exercise_them() -> None:
    found = chosen_vectors(SPEC, ("relay/marks/*", "relay/dialects/undefined"), (), ())
    assert {one.id.rsplit("/", 1)[0] for one in found} == {"relay/marks", "relay/dialects"}
    assert len([one for one in found if one.id.startswith("relay/dialects")]) == 1
    assert all("MRK-002" in one.exercises for one in chosen_vectors(SPEC, (), ("MRK-002",), ()))
    both = chosen_vectors(SPEC, ("relay/marks/*",), ("DLC-*", "MRK-012"), ())
    assert both
    assert all(one.id.startswith("relay/marks/") for one in both)
    assert {name for one in both for name in one.exercises} >= {"MRK-012"}


@pytest.mark.parametrize(
    ("vector_globs", "requirement_globs", "what"),
    [
        (
            ("relay/marks/*", "relay/nothing/*"),
            (),
            "--vector 'relay/nothing/*' matches no vector; `bindproof spec list",
        ),
        ((), ("MRK-*", "XYZ-*"), "--requirement 'XYZ-*' matches no requirement; `bindproof spec list`"),
    ],
)
def test_a_glob_that_matches_nothing_is_an_error(vector_globs: Json, requirement_globs: Json, what: str) -> None:
    with pytest.raises(UsageError) as caught:
        chosen_vectors(SPEC, vector_globs, requirement_globs, ())
    assert what in str(caught.value)


def test_a_file_outside_the_spec_is_a_vector_too(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_bytes(msgspec.json.encode({"title": "t", "exercises": [], "scenario": {"steps": [call()]}}))
    assert [one.id for one in chosen_vectors(SPEC, (), (), (file,))] == ["file/mine.json"]
