"""The op `each`: what each entry of a callback does, where it may stand, and that it is made smaller."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof.runner.campaign.reductions import others, puts
from bindproof.suites.choices import SeededChoices
from bindproof.suites.relay.generators.entries import with_entries
from bindproof.suites.relay.scenario.callbacks import every_op
from bindproof.suites.relay.scenario.complete import ScenarioError, complete, raised_texts, registrations, spell
from bindproof.suites.relay.scenario.spelling import Spelling
from bindproof_reference.relay.callbacks import of_entry
from tests.relay import NEWEST, SUB, SUITE, call, intercept, lawful, plain
from tests.runner.campaign.played import made_smaller

Json = Any

BOOM: Json = {"op": "raise", "text": "boom-1!"}
LATE: Json = {"op": "step", "step": {"step": "register", "as": "l", "family": "subscriber", "name": "l"}}
LIST: Json = {"op": "step", "step": {"step": "list"}}


def each(*lists: list[Json]) -> Json:
    return {"op": "each", "ops": list(lists)}


def on(family: str, *ops: Json) -> Json:
    return {"step": "register", "as": "r", "family": family, "name": "r", "do": list(ops)}


def stream(**more: Json) -> Json:
    return call("c", kind="llm_stream", **more)


def test_the_list_of_the_entry_stands_in_its_place_and_the_last_holds_on() -> None:
    ops = [{"op": "a"}, each([], [{"op": "b"}, {"op": "c"}]), {"op": "d"}]
    found = ["".join(op["op"] for op in of_entry(ops, k)) for k in range(4)]
    assert found == ["ad", "abcd", "abcd", "abcd"]
    assert "".join(op["op"] for op in every_op(ops)) == "aeachdbc"


def test_what_is_in_it_is_filled_in_named_and_spelled() -> None:
    marks: Json = {"op": "edit", "append": {"/pending_marks": [{"name": "m", "category_profile": None}]}}
    full = complete({"steps": [intercept(each([LIST], [marks, BOOM], [LATE])), call()]})
    entries = full["steps"][0]["do"][0]["ops"]
    assert entries[0][0]["step"] == {"step": "list", "as": "i/#0/0/#0", "only": None}
    assert [step["as"] for step in registrations(full)] == ["i", "l"]
    assert raised_texts(full) == {"boom-1!": "i"}
    sent = spell(full, Spelling.of(plain("node")))["steps"][0]["do"][0]["ops"][1][0]
    assert sent == {"op": "edit", "append": {"/pendingMarks": [{"name": "m", "categoryProfile": None}]}}


@pytest.mark.parametrize(
    ("steps", "parts"),
    [
        ([intercept(each())], ["$.steps[0].do[0].ops"]),
        ([intercept(each([each([])]))], ["'each'", "$.steps[0].do[0].ops[0][0]"]),
        ([intercept(each([{"op": "wait", "latch": "x"}]))], ["'wait'", "$.steps[0].do[0].ops[0][0]"]),
        ([call(provider=[each([{"op": "hang"}])])], ["'hang'", "$.steps[0].provider[0].ops[0][0]"]),
        ([call(provider=[each([{"op": "next"}])])], ["'next'", "$.steps[0].provider[0].ops[0][0]"]),
        ([call(codec={"decode": [each([])]})], ["'each'", "$.steps[0].codec.decode[0]"]),
        ([stream(collector=[each([{"op": "edit"}])])], ["'edit'", "$.steps[0].collector[0].ops[0][0]"]),
        ([intercept(each([]), each([]))], ["callback 'i'", "stands there once"]),
        ([intercept(each([], [{"op": "next"}]))], ["step 'i'", "`next`", "llm.request wraps none"]),
        ([on("mark.sanitize", each([], [LATE]))], ["step 'r'", "no step can be done inside mark.sanitize"]),
        ([{**SUB, "do": [each([], [{"op": "edit"}])]}], ["subscriber 's' does more than raise"]),
        ([on("llm.stream", each([]))], ["callback 'r'", "hands over chunks"]),
        ([stream(provider=[each([BOOM])])], ["callback 'c.source'", "hands over chunks"]),
        (
            [on("tool.request", each([])), call("c", background=True), {"step": "cancel", "of": "c"}],
            ["callback 'r'", "where a call is cancelled"],
        ),
        (
            [
                on("mark.sanitize", each([])),
                stream(drain=False, provider=[{"op": "yield", "chunks": [1]}]),
                {"step": "read", "of": "c"},
                {"step": "close", "of": "c"},
            ],
            ["callback 'r.sanitize'", "a stream that is not drained"],
        ),
    ],
)
def test_where_it_may_not_stand_is_said(steps: list[Json], parts: list[str]) -> None:
    with pytest.raises(ScenarioError) as caught:
        complete({"steps": steps})
    for part in parts:
        assert part in str(caught.value)


def test_one_of_its_lists_takes_its_place() -> None:
    do = [each([BOOM, LIST], [LATE]), LIST]
    smaller = [one["steps"][0].get("do") for one in others({"steps": [intercept(*do)]}) if one.get("steps")]
    assert [BOOM, LIST, LIST] in smaller
    assert [LATE, LIST] in smaller
    assert any(reduction.value == BOOM for reduction in puts(do))


@pytest.mark.long
def test_a_smallest_scenario_has_it_only_where_it_matters() -> None:
    edits: Json = {"op": "edit", "set": {"/request/headers/x": "1"}}
    idle = intercept(each([edits, edits], [edits]))
    fails_once = call("d", kind="tool", provider=[each([], [BOOM])])
    twice = {**on("tool.execution", {"op": "next", "edits": [{}, {}]}), "priority": 3}
    made = made_smaller({"steps": [SUB, idle, twice, call("c", provider=[each([BOOM], [])]), fails_once]}, _raises_late)
    assert made.scenario["steps"] == [
        {"step": "register", "family": "tool.execution", "name": "a", "do": [{"op": "next", "edits": [{}, {}]}]},
        {"step": "call", "name": "a", "kind": "tool", "provider": [each([], [{"op": "raise", "text": "a"}])]},
    ]


def _raises_late(scenario: Json) -> bool:
    """Tell whether the second entry of a callback raises, though the first does not."""
    log = lawful(SUITE.prepare(SUITE.complete(scenario), NEWEST, "wire"), 0, "wire")
    left = [record for record in log if record["fact"] == "leave" and record["callback"].endswith(".provider")]
    return any(record["k"] == 1 and "raised" in record for record in left) and "raised" not in left[0]


def test_drawn_programs_have_some_of_each_form() -> None:
    steps = [SUB, intercept(BOOM, LIST), call(provider=[BOOM])]
    drawn = [with_entries(SeededChoices(seed), steps) for seed in range(400)]
    forms = {len(op["ops"]) for made in drawn for op in made[1]["do"] if op["op"] == "each"}
    assert forms == {2, 3}
    assert 40 < sum(made != steps for made in drawn) < 80
    assert with_entries(SeededChoices(3), [*steps, {"step": "cancel", "of": "c"}])[:3] == steps
