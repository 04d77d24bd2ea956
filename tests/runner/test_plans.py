from __future__ import annotations

from copy import deepcopy
from typing import Any

import msgspec
import pytest

from bindproof.core.model import Defect, Plan
from bindproof.core.origins import FromVector, Origin, TwinOf
from bindproof.runner.plans import killing_first, plans, plans_of, with_defect
from bindproof.spec import SpecError, Vector
from tests.relay import NEWEST, SPEC, SUB, SUITE, call

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
    assert (plan.id, plan.origin) == ("relay/x/y", FromVector("relay/x/y"))
    assert (plan.title, plan.exercises, plan.defect) == ("a title", ("OUT-001",), None)
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
    assert twin.origin == TwinOf(FromVector("relay/x/y"))
    assert (negative.id, negative.origin, negative.defect) == ("relay/x/y", FromVector("relay/x/y"), defect)
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


def test_what_is_known_to_kill_comes_first_but_for_pairs() -> None:
    origins: list[Origin] = [
        FromVector("a"),
        FromVector("k"),
        TwinOf(FromVector("n")),
        FromVector("n"),
        FromVector("l"),
    ]
    selected = [Plan(origin, "relay", {}) for origin in origins]
    known = {FromVector("k"), FromVector("n"), TwinOf(FromVector("n")), FromVector("l")}

    found = list(killing_first(selected, lambda plan: plan.origin in known))

    assert [plan.origin for plan in found] == [origins[at] for at in (1, 4, 0, 2, 3)]
