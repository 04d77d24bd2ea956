from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from bindproof.suites.relay.scenario.complete import ScenarioError, complete, raised_texts, registrations, spell
from bindproof.suites.relay.scenario.spelling import Spelling
from tests.relay import SUB, call, intercept, plain

Json = Any

NODE, WIRE = Spelling.of(plain("node")), Spelling.of(plain("wire"))
REQUEST: Json = {"headers": {}, "content": {"messages": []}}


def test_the_complete_form_has_every_default() -> None:
    full = complete({"steps": [{"step": "register", "family": "llm.request", "name": "i"}, {"step": "flush"}]})
    assert full["steps"] == [
        {
            "step": "register",
            "family": "llm.request",
            "name": "i",
            "as": "#0",
            "scope": "global",
            "priority": 0,
            "break_chain": False,
            "async": False,
            "odd": None,
            "do": [],
        },
        {"step": "flush", "as": "#1"},
    ]
    full = complete({"steps": [{"step": "call", "name": "gpt", "codec": {}}, {"step": "helper", "name": "gpt"}]})
    assert full["steps"] == [
        {
            "step": "call",
            "name": "gpt",
            "kind": "llm",
            "as": "#0",
            "request": REQUEST,
            "model": None,
            "codec": {"decode": [], "encode": []},
            "response_codec": None,
            "attributes": [],
            "data": None,
            "metadata": None,
            "parent": None,
            "provider": [],
            "background": False,
        },
        {"step": "helper", "name": "gpt", "kind": "llm.request", "as": "#1", "request": REQUEST},
    ]


def test_a_complete_step_has_the_fields_of_its_own_kind() -> None:
    full = complete({"steps": [{"step": "call", "kind": "tool", "name": "t"}, {"step": "start", "name": "S"}]})
    call, start = full["steps"]
    shared = {"step", "as", "kind", "name", "attributes", "metadata", "parent"}
    assert call.keys() == shared | {"args", "tool_call_id", "provider", "background", "data"}
    assert start.keys() == shared | {"type", "input", "data", "timestamp", "block"}


def test_a_step_inside_a_callback_is_named_after_its_place() -> None:
    inner = {"op": "step", "step": {"step": "register", "family": "subscriber", "name": "late"}}
    full = complete({"steps": [{"step": "call", "name": "gpt", "provider": [{"op": "edit"}, inner]}]})
    assert full["steps"][0]["provider"][1]["step"]["as"] == "#0.provider/#1"
    assert [step["name"] for step in registrations(full)] == ["late"]


def test_completing_twice_changes_nothing_and_the_given_scenario_stays() -> None:
    scenario = {"steps": [SUB, intercept({"op": "edit", "set": {"/x": 1}}), call()]}
    before = deepcopy(scenario)
    full = complete(scenario)
    assert scenario == before
    assert complete(full) == full


TOOL_START: Json = {"step": "start", "as": "T", "kind": "tool", "name": "t"}
SANITIZER: Json = {
    "step": "register",
    "as": "z",
    "family": "mark.sanitize",
    "name": "z",
    "do": [{"op": "step", "step": {"step": "mark", "name": "m"}}],
}


UUID = "019a0000-0000-7000-8000-00000000000a"
MEASURED: Json = {"name": "m", "kind": "counter", "value_type": "u64", "value": 1}


def build(name: str, /, **value: Json) -> Json:
    return {"step": "build", "object": name, "value": value}


MUTATE = {"op": "mutate", "at": "/request/headers/x", "text": "t!"}
WRAPS = {"step": "register", "as": "x", "family": "tool.execution", "name": "x", "do": [MUTATE]}


SCOPE: Json = {"step": "start", "as": "A", "name": "A"}
CONTEXT: Json = {"step": "context", "as": "x"}
BACK: Json = {"step": "back", "as": "back", "of": "x"}
DEREGISTER: Json = {"step": "deregister", "as": "d", "of": "s"}
BLOCK: Json = {"step": "start", "as": "B", "name": "B", "block": True}


GATE: Json = {"step": "gate", "as": "g", "name": "g", "families": ["tool.request"], "target": "i"}


OF_PLUGIN: Json = {**GATE, "plugin": "p"}
UNINSTALL: Json = {"step": "uninstall", "as": "u", "of": "P"}


def install(name: str, *ops: Json) -> Json:
    """Install a plugin that registers by a name."""
    step = {"step": "register", "as": "i", "family": "tool.request", "name": name}
    return {"step": "install", "as": "P", "do": [{"op": "step", "step": step}, *ops]}


def metric(*group: Json, **more: Json) -> Json:
    """A mark with measurements: gauges of the value 1, each but for what is stated of it."""
    plain: Json = {"name": "n", "kind": "gauge", "value_type": "u64", "value": 1}
    return {"step": "mark", "as": "m", "name": "m", "measurements": [plain | one for one in group], **more}


def end(of: str, name: str = "", **more: Json) -> Json:
    """A step that ends what another one started."""
    return {"step": "end", "as": name or f"e{of}", "of": of, **more}


@pytest.mark.long
@pytest.mark.parametrize(
    ("scenario", "parts"),
    [
        (None, ["not a scenario"]),
        ({}, ["not a scenario", "steps"]),
        ({"steps": []}, ["not a scenario", "$.steps"]),
        ({"steps": [{"name": "x"}]}, ["`step`", "$.steps[0]"]),
        ({"steps": [{"step": "sleep"}]}, ["sleep", "$.steps[0]"]),
        ({"steps": [{"step": "call"}]}, ["`name`", "$.steps[0]"]),
        ({"steps": [call(colour="red")]}, ["colour", "$.steps[0]"]),
        ({"steps": [call(request={"body": 1})]}, ["body", "$.steps[0].request"]),
        ({"steps": [call(codec="openai")]}, ["openai", "$.steps[0].codec"]),
        ({"steps": [call(kind="cook")]}, ["cook", "$.steps[0].kind"]),
        ({"steps": [call(kind="tool", model="m")]}, ["step 'c'", "`model`", "the kind 'tool'"]),
        ({"steps": [call(args={"a": 1})]}, ["step 'c'", "`args`", "the kind 'llm'"]),
        ({"steps": [{"step": "deregister", "as": "d", "of": "x"}]}, ["step 'd'", "`of` is 'x'", "no register step"]),
        ({"steps": [call(), {"step": "end", "as": "e", "of": "c"}]}, ["step 'e'", "`of` is 'c'", "no start step"]),
        ({"steps": [intercept(scope="S")]}, ["step 'i'", "`scope` is 'S'", "no start step"]),
        ({"steps": [TOOL_START, call(parent="T")]}, ["step 'c'", "`parent` is 'T'", "starts no scope"]),
        ({"steps": [intercept({"op": "next"})]}, ["step 'i'", "`next`", "llm.request wraps none"]),
        ({"steps": [{**SUB, "break_chain": True}]}, ["step 's'", "subscriber cannot break a chain"]),
        ({"steps": [SANITIZER]}, ["step 'z'", "no step can be done inside mark.sanitize"]),
        ({"steps": [intercept({"op": "mutate", "at": "/request", "text": "t!"})]}, ["step 'i'", "inside an object"]),
        ({"steps": [intercept({**MUTATE, "text": "settled"})]}, ["step 'i'", "'settled' may stand in any record"]),
        ({"steps": [WRAPS]}, ["step 'x'", "no `mutate` here"]),
        ({"steps": [{"step": "build", "object": "request", "value": {"x": 1}}]}, ["step '#0'", "left open"]),
        ({"steps": [{"step": "build", "object": "outcome", "value": {"request": {"x": 1}}}]}, ["left open"]),
        ({"steps": [{"step": "build", "object": "event", "value": {}}]}, ["$.steps[0].object"]),
        ({"steps": [build("annotated_request", messages=[{"role": "bot"}])]}, ["step '#0'", "'messages'", "left open"]),
        ({"steps": [build("annotated_request", messages=[], own=1)]}, ["'own'", "begin with x-"]),
        ({"steps": [build("annotated_request", messages=[], params={"top_p": 1})]}, ["'params'", "left open"]),
        ({"steps": [build("annotated_response", finish_reason="tired")]}, ["'finish_reason'", "left open"]),
        ({"steps": [build("annotated_response", message=True)]}, ["'message'", "left open"]),
        ({"steps": [build("measurement", **MEASURED, own=1)]}, ["'own'", "begin with x-"]),
        ({"steps": [build("measurement", **MEASURED, boundaries=[1.5])]}, ["a histogram's"]),
        ({"steps": [build("measurement", **MEASURED | {"kind": 1})]}, ["'kind'", "left open"]),
        ({"steps": [build("propagation_context", parent_uuid="x")]}, ["'parent_uuid'", "left open"]),
        ({"steps": [build("propagation_context", parent_uuid=UUID, version=2)]}, ["'version'", "left open"]),
        ({"steps": [build("propagation_context", parent_uuid=UUID, tracestate="a=b")]}, ["beside a `traceparent`"]),
        ({"steps": [{"step": "mark", "name": "m", "data_schema": ""}]}, ["$.steps[0].data_schema"]),
        ({"steps": [{"step": "mark", "name": "m", "data_schema": {"name": "n"}}]}, ["`version`"]),
        ({"steps": [metric(), {**GATE, "raises": "boom-1!", "reason": "r"}]}, ["step 'g'", "leave one of them out"]),
        ({"steps": [{**GATE, "families": ["tool.request"] * 2}]}, ["step 'g'", "in the list once"]),
        ({"steps": [GATE, call(background=True)]}, ["no call is in the background"]),
        ({"steps": [OF_PLUGIN]}, ["step 'g'", "the plugin 'p' is not installed at that moment"]),
        ({"steps": [install("i"), {**OF_PLUGIN, "plugin": "q"}]}, ["the plugin 'q' is not installed"]),
        ({"steps": [{"step": "install", "do": [], "plugins": ["p", "p"]}, OF_PLUGIN]}, ["or is so more than once"]),
        ({"steps": [install("i", {"op": "raise", "text": "boom-1!"}), OF_PLUGIN]}, ["'p' is not installed"]),
        ({"steps": [install("i"), UNINSTALL, OF_PLUGIN]}, ["the plugin 'p' is not installed at that moment"]),
        ({"steps": [install("i"), OF_PLUGIN, UNINSTALL]}, ["step 'u'", "first `ungate` what is about a plugin's: g"]),
        ({"steps": [install("j"), OF_PLUGIN]}, ["registers no tool.request as 'i'"]),
        ({"steps": [install("i b"), {**OF_PLUGIN, "target": "i b"}]}, ["a name of letters and digits"]),
        ({"steps": [install("i"), {**OF_PLUGIN, "families": ["tool.request", "subscriber"]}]}, ["about one family"]),
        ({"steps": [metric(data=1)]}, ["step 'm'", "no data"]),
        ({"steps": [metric({"value": 1.5})]}, ["step 'm'", "no u64"]),
        ({"steps": [metric({"value_type": "f64", "value": 2.0})]}, ["step 'm'", "has a fraction"]),
        ({"steps": [metric({"boundaries": [0.5]})]}, ["step 'm'", "a histogram's"]),
        ({"steps": [metric({}, {"name": "N"})]}, ["step 'm'", "a name of its own"]),
        ({"steps": [metric({"attributes": {"a": 1}})]}, ["step 'm'", "no text"]),
        ({"steps": [metric({"name": "1n"})]}, ["step 'm'", "no name of a measurement"]),
        ({"steps": [BLOCK]}, ["step 'B'", "ended before the program ends"]),
        ({"steps": [BLOCK, end("B"), end("B", name="again")]}, ["step 'again'", "ended once"]),
        ({"steps": [BLOCK, SCOPE, end("B")]}, ["step 'eB'", "all scopes that are open in it"]),
        ({"steps": [SCOPE, BLOCK, end("A"), end("B")]}, ["step 'eA'", "innermost"]),
        ({"steps": [BLOCK, end("B", output=1)]}, ["step 'eB'", "no output"]),
        ({"steps": [SCOPE, end("A", raises="boom-1!")]}, ["step 'eA'", "ends a block"]),
        ({"steps": [call(provider=[{"op": "step", "step": BLOCK}])]}, ["step 'B'", "in no callback"]),
        ({"steps": [{"step": "start", "name": "l", "kind": "llm", "block": True}]}, ["`block`", "means nothing"]),
        ({"steps": [{**SUB, "odd": "no_function"}]}, ["step 's'", "what is `odd`"]),
        ({"steps": [intercept({"op": "raise", "text": "t!"}, odd="no_function")]}, ["step 'i'", "no ops"]),
        ({"steps": [{**SUB, "async": True}]}, ["step 's'", "leave out `async`"]),
        ({"steps": [{**WRAPS, "do": [], "async": True}]}, ["step 'x'", "leave out `async`"]),
        (
            {"steps": [intercept(MUTATE, {"op": "edit", "set": {"/x": {"$get": "given/name"}}})]},
            ["step 'i'", "no `$get`"],
        ),
        ({"steps": [CONTEXT]}, ["step 'x'", "left before the program ends"]),
        ({"steps": [CONTEXT, BACK, {**BACK, "as": "again"}]}, ["step 'again'", "left once"]),
        ({"steps": [CONTEXT, SCOPE, BACK, end("A")]}, ["step 'eA'", "'A' was started in another context"]),
        ({"steps": [SCOPE, CONTEXT, call(parent="A"), BACK]}, ["step 'c'", "in another context"]),
        ({"steps": [SCOPE, CONTEXT, {**SUB, "scope": "A"}, BACK]}, ["step 's'", "in another context"]),
        ({"steps": [SCOPE, {**SUB, "scope": "A"}, CONTEXT, DEREGISTER, BACK]}, ["step 'd'", "in another context"]),
        ({"steps": [CONTEXT, BACK, call(provider=[{"op": "step", "step": SCOPE}]), end("A")]}, ["or in a callback"]),
        ({"steps": [CONTEXT, BACK, call(background=True)]}, ["several contexts", "no call is in the background"]),
        ({"steps": [CONTEXT, BACK, {"step": "install"}]}, ["several contexts", "no plugin"]),
        ({"steps": [call(), {**BACK, "of": "c"}]}, ["step 'back'", "no context step"]),
        ({"steps": [call("")]}, ["$.steps[0].as"]),
        ({"steps": [intercept(priority=2**31)]}, ["$.steps[0].priority"]),
        ({"steps": [intercept(priority=1.5)]}, ["$.steps[0].priority"]),
        ({"steps": [intercept({"op": "dance"})]}, ["dance", "$.steps[0].do[0]"]),
        ({"steps": [intercept({"op": "raise", "text": ""})]}, ["$.steps[0].do[0].text"]),
        (
            {"steps": [intercept({"op": "raise", "text": "t!"}), call(provider=[{"op": "raise", "text": "t!"}])]},
            ["'c.provider' raises 't!'", "'i' 't!'", "whose error"],
        ),
        (
            {"steps": [intercept({"op": "raise", "text": "t!"}), call(provider=[{"op": "raise", "text": "at!"}])]},
            ["'c.provider' raises 'at!'", "'i' 't!'", "whose error"],
        ),
        ({"steps": [intercept({"op": "edit", "append": {"/x": 1}})]}, ["$.steps[0].do[0].append"]),
        ({"steps": [intercept({"op": "step", "step": call()})]}, ["$.steps[0].do[0].step"]),
        ({"steps": [call(), call()]}, ["two steps are called 'c'", "give each its own `as`"]),
        ({"steps": [call("#1"), {"step": "flush"}]}, ["two steps are called '#1'"]),
        ({"steps": [{**SUB, "do": [{"op": "edit"}]}]}, ["subscriber 's' does more than raise"]),
        ({"steps": [SUB, call(provider=[{"op": "step", "step": SUB}])]}, ["'s'"]),
    ],
)
def test_a_broken_scenario_is_told_what_and_where(scenario: Json, parts: list[str]) -> None:
    with pytest.raises(ScenarioError) as caught:
        complete(scenario)
    assert [part for part in parts if part not in str(caught.value)] == [], str(caught.value)


def test_the_texts_that_may_be_raised_name_their_callback() -> None:
    def boom(number: int) -> Json:
        return {"op": "raise", "text": f"boom-{number}!"}

    inner = {"op": "step", "step": intercept(boom(5), name="j")}
    steps = [
        intercept(boom(1)),
        call(provider=[inner, boom(2)], codec={"decode": [boom(3)], "encode": [boom(4)]}),
    ]
    assert raised_texts(complete({"steps": steps})) == {
        "boom-1!": "i",
        "boom-2!": "c.provider",
        "boom-3!": "c.decode",
        "boom-4!": "c.encode",
        "boom-5!": "j",
    }


def ops(spelling: Spelling, *given: Json) -> list[Json]:
    found: list[Json] = spell(complete({"steps": [intercept(*given)]}), spelling)["steps"][0]["do"]
    return found


MARK: Json = {"name": "m", "category_profile": {"category_profile": 1}, "data": {"data_schema": 1}}
SPELLED: Json = {"name": "m", "categoryProfile": {"category_profile": 1}, "data": {"data_schema": 1}}


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        ({"set": {"/annotated_request": {"pending_marks": 1}}}, {"set": {"/annotated": {"pending_marks": 1}}}),
        ({"set": {"/annotated_request/pending_marks": 1}}, {"set": {"/annotated/pending_marks": 1}}),
        ({"set": {"/request/content/pending_marks": 1}}, {"set": {"/request/content/pending_marks": 1}}),
        ({"remove": ["/pending_marks", "/request"]}, {"remove": ["/pendingMarks", "/request"]}),
        ({"set": {"/pending_marks": [MARK, "text"]}}, {"set": {"/pendingMarks": [SPELLED, "text"]}}),
        ({"set": {"/pending_marks": None}}, {"set": {"/pendingMarks": None}}),
        ({"set": {"/pending_marks/0": MARK}}, {"set": {"/pendingMarks/0": SPELLED}}),
        (
            {"set": {"/pending_marks/0/category_profile": MARK}},
            {"set": {"/pendingMarks/0/categoryProfile": MARK}},
        ),
        (
            {"remove": ["/pending_marks/0/data_schema/data_schema"]},
            {"remove": ["/pendingMarks/0/dataSchema/data_schema"]},
        ),
        ({"append": {"/pending_marks": [MARK]}}, {"append": {"/pendingMarks": [SPELLED]}}),
        ({"append": {"/pending_marks": [{"$as_is": MARK}]}}, {"append": {"/pendingMarks": [MARK]}}),
        ({"set": {"/pending_marks": [{"$as_is": MARK}]}}, {"set": {"/pendingMarks": [MARK]}}),
        ({"set": {"/pending_marks": {"$as_is": [MARK]}}}, {"set": {"/pendingMarks": [MARK]}}),
        (
            {"set": {"": {"annotated_request": None, "pending_marks": [MARK], "x": 1}}},
            {"set": {"": {"annotated": None, "pendingMarks": [SPELLED], "x": 1}}},
        ),
        ({"set": {"": {"$as_is": {"pending_marks": []}}}}, {"set": {"": {"pending_marks": []}}}),
        ({"set": {"": None}}, {"set": {"": None}}),
        (
            {"set": {"/request": {"$get": "given/annotated_request/annotated_request"}}},
            {"set": {"/request": {"$get": "given/annotated/annotated_request"}}},
        ),
        (
            {"set": {"/request": {"$get": "given/request/headers"}}},
            {"set": {"/request": {"$get": "given/request/headers"}}},
        ),
        (
            {"set": {"/request": {"$get": "h/annotated_request"}}},
            {"set": {"/request": {"$get": "h/annotated_request"}}},
        ),
        ({"set": {"": {"$get": "given"}}}, {"set": {"": {"$get": "given"}}}),
    ],
)
def test_an_edit_is_sent_in_nodes_spelling(edit: Json, expected: Json) -> None:
    assert ops(NODE, {"op": "edit", **edit}) == [{"op": "edit", **expected}]


def test_an_edit_as_it_is_is_sent_so() -> None:
    edit = {"op": "edit", "set": {"/pending_marks": [MARK]}, "remove": ["/annotated_request"]}
    assert ops(NODE, {**edit, "as_is": True}) == [edit]
    assert ops(WIRE, {**edit, "as_is": True}) == ops(WIRE, edit) == [edit]


def test_only_intercepts_reply_in_the_bindings_spelling() -> None:
    edit = {"op": "edit", "set": {"/annotated_request": 1}}
    inner = {"op": "step", "step": intercept(edit, name="j")}
    steps = [call(codec={"decode": [edit], "encode": [edit]}, provider=[edit, inner]), {"step": "flush"}]
    sent = spell(complete({"steps": steps}), NODE)["steps"][0]
    assert sent["codec"] == {"decode": [edit], "encode": [edit]}
    assert sent["provider"][0] == edit
    assert sent["provider"][1]["step"]["do"] == [{"op": "edit", "set": {"/annotated": 1}}]
