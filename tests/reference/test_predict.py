"""Predictions as literals: the three examples that the scenario language is explained by, and what the rules switch."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bindproof.suites import Prepared
from bindproof.suites.relay.scenario import overtaking
from bindproof.suites.relay.scenario.complete import all_steps
from bindproof_reference.relay import predict
from bindproof_reference.relay.callbacks import ScenarioError
from tests.relay import (
    NEWEST,
    SPEC,
    SUB,
    SUITE,
    VECTORS,
    at_the_ends,
    call,
    intercept,
    marks,
    plain,
    prepare,
    through_json,
)

Json = Any

ANY: Json = {"$any": True}
REQUEST: Json = {"headers": {}, "content": {"messages": []}}
ROOT: Json = {"$id": "root"}
SENT: Json = {"headers": {"traceparent": {"$trace": {"trace": "c", "span": "c"}}}, "content": {"messages": []}}
PROVIDED: list[Json] = [
    {"fact": "enter", "callback": "c.provider", "k": 0, "given": {"request": SENT}},
    {"fact": "leave", "callback": "c.provider", "k": 0, "reply": {"ok": True}},
    {"fact": "done", "step": "c", "value": {"ok": True}},
    {"fact": "settled"},
]


def done(*steps: str) -> list[Json]:
    return [{"fact": "done", "step": step, "value": None} for step in steps]


def scope(category: str, **more: Json) -> Json:
    event = {
        "atof_version": "0.1",
        "attributes": [],
        "category": "llm",
        "category_profile": {},
        "data_schema": None,
        "kind": "scope",
        "name": "gpt",
        "parent_uuid": ROOT,
        "propagation_root_uuid": ROOT,
        "scope_category": category,
        "uuid": {"$id": "c"},
        **more,
    }
    return {"fact": "event", "subscriber": "s", "event": event}


def mark(index: int, name: str, **more: Json) -> Json:
    event = {
        "atof_version": "0.1",
        "kind": "mark",
        "name": name,
        **dict.fromkeys(("category", "category_profile", "data", "data_schema", "metadata")),
        "uuid": {"$id": f"c/mark/{index}"},
        "parent_uuid": {"$id": "c"},
        "propagation_root_uuid": ROOT,
        "timestamp": {"$time": {"of": "c/start", "equal": 1000}},
        **more,
    }
    return {"fact": "event", "subscriber": "s", "event": event}


START = scope("start", data=REQUEST, metadata=None, timestamp={"$time": {"as": "c/start"}})
END = scope(
    "end",
    data={"ok": True},
    metadata={"otel.status_code": "OK"},
    timestamp={"$time": {"as": "c/end", "of": "c/start", "at_least": 1000}},
)


def seen_of(prepared: Prepared) -> Json:
    """What a prediction allows to be seen, without what each record belongs to."""
    return {key: value for key, value in prepared.prediction.items() if key != "belongs"}


def refused(callback: str, reply: Json, kind: str) -> list[Json]:
    """What is seen when a binding may refuse a reply in its constructor or at return."""
    left = {"fact": "leave", "callback": callback, "k": 0, "reply": reply}
    return [{"$one_of": [left, {**left, "fact": "refused", "error": ANY}]}, failed(kind)]


def failed(kind: str, step: str = "c", **more: Json) -> Json:
    error = {"kind": kind, "type": ANY, "message": ANY, "code": ANY, "same_as": ANY}
    return {"fact": "done", "step": step, "error": error | more}


def test_two_marks() -> None:
    names = [{"name": "m1"}, {"name": "m2"}]
    reply = {"request": REQUEST, "annotated_request": None, "pending_marks": names}
    given = {"name": "gpt", "request": REQUEST, "annotated_request": None}
    assert seen_of(prepare(SUB, intercept(marks("m1", "m2")), call())) == {
        "lanes": {
            "program": [
                *done("s", "i"),
                {"fact": "enter", "callback": "i", "k": 0, "given": given},
                {"fact": "leave", "callback": "i", "k": 0, "reply": reply},
                *PROVIDED,
            ],
            "s": [START, mark(0, "m1"), mark(1, "m2"), END],
        },
        "after": [["s", 0, "program", 3], ["s", 3, "program", 5]],
    }


def codec_authority(pointer: str) -> tuple[Json, ...]:
    return SUB, intercept({"op": "edit", "set": {pointer: 1}}), intercept(name="j"), call(codec={})


DECODED: list[Json] = [
    *done("s", "i", "j"),
    {"fact": "enter", "callback": "c.decode", "k": 0, "given": {"request": REQUEST}},
    {"fact": "leave", "callback": "c.decode", "k": 0, "reply": {"messages": []}},
    {
        "fact": "enter",
        "callback": "i",
        "k": 0,
        "given": {"name": "gpt", "request": REQUEST, "annotated_request": {"messages": []}},
    },
]


def test_codec_authority_refuses_a_changed_body() -> None:
    content = {"messages": [], "y": 1}
    reply = {
        "request": {"headers": {}, "content": content},
        "annotated_request": {"messages": []},
        "pending_marks": [],
    }
    assert seen_of(prepare(*codec_authority("/request/content/y"))) == {
        "lanes": {
            "program": [
                *DECODED,
                {"fact": "leave", "callback": "i", "k": 0, "reply": reply},
                failed("content_changed"),
                {"fact": "settled"},
            ],
            "s": [],
        },
        "after": [],
    }


def test_codec_authority_lets_headers_pass() -> None:
    lanes = prepare(*codec_authority("/request/headers/x")).prediction["lanes"]
    called = [(record["fact"], record["callback"]) for record in lanes["program"] if "callback" in record]
    assert called == [(fact, name) for name in ("c.decode", "i", "j", "c.encode", "c.provider") for fact in FACTS]
    provided = lanes["program"][-4]["given"]["request"]
    assert provided == {
        "headers": {"x": 1, "traceparent": {"$trace": {"trace": "c", "span": "c"}}},
        "content": {"messages": []},
    }
    assert [record["event"]["scope_category"] for record in lanes["s"]] == ["start", "end"]


FACTS = ("enter", "leave")
PROFILE: Json = {"name": "m", "category_profile": {"subtype": "a.b"}}


def profiled(value: Json) -> tuple[Json, ...]:
    return SUB, intercept({"op": "edit", "append": {"/pending_marks": [value]}}), call()


def node_given_and_reply(profile: str) -> tuple[Json, Json]:
    sent = {"name": "m", profile: {"subtype": "a.b"}}
    given = {"name": "gpt", "request": REQUEST, "annotated": None}
    return given, {"request": REQUEST, "annotated": None, "pendingMarks": [sent]}


def test_nodes_spelling_arrives_canonical() -> None:
    given, reply = node_given_and_reply("categoryProfile")
    assert seen_of(prepare(*profiled(PROFILE), dialect="node")) == {
        "lanes": {
            "program": [
                *done("s", "i"),
                {"fact": "enter", "callback": "i", "k": 0, "given": given},
                {"fact": "leave", "callback": "i", "k": 0, "reply": reply},
                *PROVIDED,
            ],
            "s": [START, mark(0, "m", category_profile={"subtype": "a.b"}), END],
        },
        "after": [["s", 0, "program", 3], ["s", 2, "program", 5]],
    }


def test_nodes_wire_spelling_is_refused() -> None:
    given, reply = node_given_and_reply("category_profile")
    assert seen_of(prepare(*profiled({"$as_is": PROFILE}), dialect="node")) == {
        "lanes": {
            "program": [
                *done("s", "i"),
                {"fact": "enter", "callback": "i", "k": 0, "given": given},
                *refused("i", reply, "outcome_malformed"),
                {"fact": "settled"},
            ],
            "s": [],
        },
        "after": [],
    }


def program(*steps: Json, edition: str = NEWEST, dialect: str = "wire") -> list[Json]:
    lane: list[Json] = prepare(*steps, edition=edition, dialect=dialect).prediction["lanes"]["program"]
    return lane


@pytest.mark.parametrize(
    ("edition", "dialect", "same_as"),
    [("0.9", "python", ANY), ("0.10", "python", "i"), ("0.10", "node", ANY), ("0.10", "wire", ANY)],
)
def test_the_callbacks_own_exception_reaches_the_caller(edition: str, dialect: str, same_as: Json) -> None:
    seen = program(intercept({"op": "raise", "text": "boom-1!"}), call(), edition=edition, dialect=dialect)[-2]
    of_class = ANY if same_as == ANY else {"$id": "class"}
    assert seen == failed("callback_raised", message={"$text": "boom-1!"}, same_as=same_as, type=of_class)


@pytest.mark.parametrize(
    ("edition", "left"),
    [
        ("0.7", {"TraceState": "x", "Traceparent": "y"}),
        ("0.8", {"TraceState": "x", "traceparent": {"$trace": {"trace": "c", "span": "c"}}}),
        ("0.10", {"traceparent": {"$trace": {"trace": "c", "span": "c"}}}),
    ],
)
def test_the_trace_headers_that_the_provider_is_given(edition: str, left: Json) -> None:
    request = {"headers": {"TraceState": "x", "Traceparent": "y"}}
    assert program(call(request=request), edition=edition)[0]["given"]["request"]["headers"] == left


def test_intercepts_run_by_priority_then_name_until_one_breaks_the_chain() -> None:
    steps = [
        intercept(name="d"),
        intercept(name="b", priority=1, break_chain=True),
        intercept(name="a", priority=1),
        intercept(name="c", priority=-1),
        intercept(name="e", priority=2),
    ]
    entered = [record["callback"] for record in program(*steps, call("x")) if record["fact"] == "enter"]
    assert entered == ["c", "d", "a", "b", "x.provider"]


def test_a_later_subscriber_is_told_of_later_calls_only() -> None:
    late = {"op": "step", "step": {**SUB, "as": "late", "name": "late"}}
    lanes = prepare(SUB, call(provider=[late]), call("c2")).prediction["lanes"]
    assert [record["event"]["uuid"]["$id"] for record in lanes["s"]] == ["c", "c", "c2", "c2"]
    assert [record["event"]["uuid"]["$id"] for record in lanes["late"]] == ["c2", "c2"]


def test_a_callback_counts_its_entries() -> None:
    entered = [r["k"] for r in program(intercept(), call(), call("c2")) if r.get("callback") == "i"]
    assert entered == [0, 0, 1, 1]


@pytest.mark.parametrize("part", ["decode", "encode"])
def test_a_codec_that_answers_nonsense_fails_the_call(part: str) -> None:
    lane = program(call(codec={part: [{"op": "edit", "set": {"": None}}]}))
    assert lane[-3:-1] == refused(f"c.{part}", None, "codec_failed")


def test_undefined_cannot_be_said_in_json() -> None:
    steps = (intercept({"op": "edit", "set": {"/pending_marks": {"$none": True}}}), call())
    assert prepare(*steps).prediction["inexpressible"]["path"] == "$none"
    assert program(*steps, dialect="node")[-2] == failed("outcome_malformed")


@pytest.mark.parametrize(
    ("steps", "what"),
    [
        ([{"step": "wait", "as": "w"}], "step w: 'wait' is not a kind of step"),
        ([{"step": "end", "as": "e", "of": "S"}], "step e: 'S' has not been done yet"),
    ],
)
def test_a_scenario_that_cannot_be_acted_out_is_told_why(steps: list[Json], what: str) -> None:
    with pytest.raises(ScenarioError, match=what):
        predict({"steps": steps}, NEWEST, plain("wire"))


@pytest.mark.long
@pytest.mark.parametrize(("edition", "dialect"), at_the_ends())
def test_predictions_are_plain_json_and_change_nothing(edition: str, dialect: str) -> None:
    """They are the same of what arrives as JSON and of what the suite has in memory."""
    for vector in VECTORS:
        if vector.runs_in(edition, dialect):
            full = SUITE.complete(vector.scenario)
            prepared = SUITE.prepare(full, edition, dialect)
            told = json.dumps([prepared.spelled, plain(dialect)])
            scenario, known = json.loads(told)
            prediction = predict(scenario, edition, known)
            assert through_json(prediction) == prediction, vector.id
            assert json.dumps([scenario, known]) == told, vector.id
            apart = edition == overtaking.EDITION and overtaking.may_overtake(all_steps(full))
            is_open = (SPEC.edition(edition).partial or apart) and "lanes" in prediction
            assert prepared.prediction == {**prediction, **({"open": True} if is_open else {})}, vector.id


def test_records_belong_to_the_steps_in_which_they_are_and_to_a_part_of_the_innermost() -> None:
    inner = intercept({"op": "step", "step": {"step": "mark", "as": "m", "name": "m"}})
    prediction = prepare(SUB, inner, call(), {"step": "start", "as": "A", "kind": "scope", "name": "a"}).prediction

    assert prediction["belongs"] == {
        "program": [
            ["s"],
            ["i"],
            ["c", "c/i"],
            ["c", "m"],
            ["c", "c/i"],
            *[["c", "c/c.provider"]] * 2,
            ["c"],
            ["A"],
            [],
        ],
        "s": [["c", "m", "m"], ["c", "c/start"], ["c", "c/end"], ["A", "A/start"]],
    }


def test_what_goes_on_with_a_step_belongs_to_that_step_too() -> None:
    chunks = [{"op": "yield", "chunks": [1, 2]}, {"op": "hang"}]
    stream = call(kind="llm_stream", drain=False, provider=chunks)
    steps = [stream, {"step": "read", "as": "r", "of": "c", "n": 1}, {"step": "close", "as": "e", "of": "c"}]
    prediction = prepare(*steps).prediction

    assert prediction["belongs"]["program"][-4:] == [["c", "r"], ["c", "r"], ["c", "e"], []]
    assert prediction["belongs"]["c.collector"][0] == ["c", "r", "r/c.collector"]


def test_a_call_in_flight_keeps_its_records_when_it_goes_on() -> None:
    provider = [{"op": "wait", "latch": "l"}]
    prediction = prepare(call(background=True, provider=provider), {"step": "open", "as": "o", "latch": "l"}).prediction

    resumed = next(at for at, one in enumerate(prediction["lanes"]["program"]) if one["fact"] == "resume")
    assert prediction["belongs"]["program"][resumed] == ["c", "c/c.provider"]
    assert prediction["belongs"]["program"][-2:] == [["o"], []]
