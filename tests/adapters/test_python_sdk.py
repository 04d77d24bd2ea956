"""The Python SDK with a binding of a few lines: ops, pointers, values, faults, isolation."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest

from bindproof_adapter import AdapterFault, Inexpressible, Unsupported, spelled
from bindproof_adapter.relay import Actor, Callback, Sink
from bindproof_adapter.serve import Session, Text

Json = Any

OUTCOME = {"request": {"headers": {}, "content": {}}, "marks": []}


class Toy:
    """Calls every intercept and then the provider; an event for each call."""

    def __init__(self) -> None:
        self.intercepts: dict[str, Callback] = {}
        self.sinks: dict[str, Sink] = {}
        self.forgets = False
        self.late: Callable[[], None] | None = None

    def describe(self) -> Json:
        target = {"name": "toy", "version": "1", "language": "python", "runtime": "none"}
        return {"target": target, "suites": {"relay": {"dialect": "toy", "capabilities": []}}}

    def fresh_scope(self) -> None: ...

    def registered(self) -> list[tuple[str, str]]:
        intercepts = [("llm.request", name) for name in self.intercepts]
        return intercepts + [("subscriber", name) for name in self.sinks]

    async def flush(self) -> None: ...

    def register(self, step: Json, callback: Callback | Sink) -> Callable[[], object]:
        name = step["name"]
        if isinstance(callback, Sink):
            self.sinks[name] = callback
            return lambda: self.sinks.pop(name)
        if name in self.intercepts:
            raise KeyError("already there")
        if step["family"] != "llm.request":
            raise Unsupported(step["family"], "no toy")
        self.intercepts[name] = callback
        return lambda: None if self.forgets else self.intercepts.pop(name)

    async def call_llm(self, step: Json, provider: Callback, decode: Callback | None, encode: Callback | None) -> Json:
        for intercept in list(self.intercepts.values()):
            intercept.play({"name": step["name"]}, OUTCOME, self.build)
        for sink in self.sinks.values():
            sink.put({"kind": "mark"})
            self.late = lambda sink=sink: sink.put({"kind": "late"})
        return provider.play({"request": step["request"]}, {"ok": True})

    async def helper(self, step: Json) -> Json:
        return {"request": step["request"]}

    def build(self, reply: Json) -> Json:
        if reply == "refuse me":
            raise TypeError("not that")
        return reply


def register(do: list[Json], **more: Json) -> Json:
    base = {"step": "register", "as": "i", "family": "llm.request", "name": "i", "scope": "global"}
    return {**base, "priority": 0, "break_chain": False, "do": do, **more}


def call(**more: Json) -> Json:
    base = {"step": "call", "as": "c", "kind": "llm", "name": "gpt", "request": {"headers": {}, "content": {}}}
    return {**base, "model": None, "codec": "none", "provider": [], **more}


def edit(**parts: Json) -> Json:
    return {"op": "edit", **parts}


SUBSCRIBER = register([], **{"as": "s", "family": "subscriber", "name": "s"})


def run(*steps: Json, toy: Toy | None = None) -> Json:
    with closing(Actor(toy or Toy())) as actor:
        return actor.run("relay", {"steps": list(steps)})


def reply_to(op: Json) -> Json:
    log = run(register([op]), call())["log"]
    return next(fact["reply"] for fact in log if fact["fact"] == "leave" and fact["callback"] == "i")


@pytest.mark.parametrize(
    ("op", "reply"),
    [
        (edit(set={"": 5}), 5),
        (edit(set={"/new": {"a": 1}}), {**OUTCOME, "new": {"a": 1}}),
        (edit(set={"/request/headers/a~1b~0": 1}), {**OUTCOME, "request": {"headers": {"a/b~": 1}, "content": {}}}),
        (edit(remove=["/request"]), {"marks": []}),
        (edit(append={"/marks": [1, 2]}), {**OUTCOME, "marks": [1, 2]}),
        (edit(set={"/marks": [1, 2, 3]}, remove=["/marks/0"], append={"/marks": [4]}), {**OUTCOME, "marks": [2, 3, 4]}),
        (edit(set={"/x": {"$get": "given/name"}}), {**OUTCOME, "x": "gpt"}),
        (edit(append={"/marks": [{"name": {"$get": "given"}}]}), {**OUTCOME, "marks": [{"name": {"name": "gpt"}}]}),
    ],
)
def test_edits(op: Json, reply: Json) -> None:
    assert reply_to(op) == reply


def test_each_entry_does_its_own_ops_and_later_ones_the_last() -> None:
    each = {"op": "each", "ops": [[], [edit(set={"": 1}), edit(set={"": 2})], [{"op": "raise", "text": "boom-1!"}]]}
    log = run(register([each]), *(call(**{"as": name}) for name in "cdef"))["log"]
    left = [fact for fact in log if fact["fact"] == "leave" and fact["callback"] == "i"]
    assert [fact.get("reply", fact.get("raised")) for fact in left] == [OUTCOME, 2, "boom-1!", "boom-1!"]


@pytest.mark.parametrize(
    ("op", "pointer"),
    [
        (edit(set={"/no/where": 1}), "/no/where"),
        (edit(set={"x": 1}), "x"),
        (edit(set={"/marks/0": 1}), "/marks/0"),
        (edit(set={"/marks/-": 1}), "/marks/-"),
        (edit(remove=["/nothing"]), "/nothing"),
        (edit(remove=[""]), ""),
        (edit(append={"/request": [1]}), "/request"),
        (edit(append={"/nothing": [1]}), "/nothing"),
        (edit(set={"/marks": {"$get": "given/nothing"}}), "/marks"),
        (edit(set={"/marks": {"$get": "nobody/x"}}), "/marks"),
    ],
)
def test_an_op_that_cannot_be_carried_out_names_callback_op_and_pointer(op: Json, pointer: str) -> None:
    with pytest.raises(AdapterFault) as caught:
        run(register([edit(), op]), call())
    assert str(caught.value).startswith(f"callback 'i', op 1, pointer {pointer!r}: ")


def test_what_is_raised_is_known_again() -> None:
    log = run(register([{"op": "raise", "text": "boom-1!"}]), call())["log"]
    assert {"fact": "leave", "callback": "i", "k": 0, "raised": "boom-1!"} in log
    described = {"type": "ScriptedError", "message": "boom-1!", "code": None, "same_as": "i"}
    assert log[-2] == {"fact": "done", "step": "c", "error": described}


def test_a_reply_that_the_binding_refuses_to_build() -> None:
    log = run(register([edit(set={"": "refuse me"})]), call())["log"]
    assert log[2] == {
        "fact": "refused",
        "callback": "i",
        "k": 0,
        "reply": "refuse me",
        "error": {"type": "TypeError", "message": "not that"},
    }
    assert log[-2]["error"]["same_as"] == "i"


def test_a_failed_registration_is_a_fact() -> None:
    log = run(register([]), register([], **{"as": "j"}))["log"]
    assert log[1]["error"]["type"] == "KeyError"


@pytest.mark.parametrize("lacking", [{"$float": "NaN"}, {"$integer": "18446744073709551616"}, {"$function": True}])
def test_a_binding_that_takes_anything_is_handed_what_json_lacks(lacking: Json) -> None:
    taken: list[Json] = []

    class Taking(Toy):
        takes_anything = True

        async def call_llm(self, step: Json, provider: Callback, decode: object, encode: object) -> Json:
            taken.append(step["request"]["content"]["n"])
            raise ValueError("refused")

    step = call(request={"headers": {}, "content": {"n": lacking}})
    assert run(step, toy=Taking())["log"][0]["error"]["message"] == "refused"
    assert list(map(spelled, taken)) == [lacking]


@pytest.mark.parametrize("lacking", [{"$float": "NaN"}, {"$integer": "18446744073709551616"}, {"$function": True}])
def test_such_a_binding_is_replied_what_json_lacks_and_the_log_spells_it(lacking: Json) -> None:
    taken: list[Json] = []

    class Taking(Toy):
        takes_anything = True

        async def call_llm(self, step: Json, provider: Callback, decode: object, encode: object) -> Json:
            taken.append(provider.play({"request": {}}, {"ok": True}))
            return None

    log = run(call(provider=[edit(set={"/n": lacking})]), toy=Taking())["log"]
    assert list(map(spelled, taken)) == [{"ok": True, "n": lacking}]
    assert log[1] == {"fact": "leave", "callback": "c.provider", "k": 0, "reply": {"ok": True, "n": lacking}}
    with pytest.raises(Inexpressible, match="JSON"):
        run(call(provider=[edit(set={"/n": lacking})]))


@pytest.mark.parametrize(
    "steps",
    [
        [register([], family="tool.request")],
        [{"step": "mark", "as": "m"}],
        [call(codec="openai_chat")],
        [register([{"op": "step", "step": call()}]), call()],
        [{"step": "raw", "as": "r", "function": "call"}],
    ],
)
def test_what_is_not_built_yet_is_unsupported(steps: list[Json]) -> None:
    with pytest.raises(Unsupported):
        run(*steps)


class Counting(Toy):
    """A binding with a boundary: its raw steps register what they are called, and count what is registered still."""

    def __init__(self) -> None:
        super().__init__()
        self.open: set[str] = set()
        self.seen: list[str] = []

    def raw(self, step: Json) -> tuple[Json, Callable[[], object]]:
        self.seen.append(step["as"])
        if step["function"] == "fail":
            raise KeyError("no")
        self.open.add(step["as"])
        return step["function"], lambda: self.open.discard(step["as"])

    def measured(self) -> list[tuple[str, Json]]:
        return [(name, {"open": name in self.open}) for name in self.seen]


def test_raw_steps_are_measured_when_all_is_cleared_up() -> None:
    steps = [{"step": "raw", "as": name, "function": name} for name in ("call", "fail")]
    log = run(*steps, toy=Counting())["log"]
    assert log[0] == {"fact": "done", "step": "call", "value": "call"}
    assert log[1]["error"]["type"] == "KeyError"
    assert log[2:] == [
        {"fact": "measure", "name": "call", "value": {"open": False}},
        {"fact": "measure", "name": "fail", "value": {"open": False}},
        {"fact": "settled"},
    ]


def test_where_there_is_no_raw_step_nothing_is_measured() -> None:
    assert [fact["fact"] for fact in run(call(), toy=Counting())["log"]][-2:] == ["done", "settled"]


def test_an_adapter_that_forgets_is_seen_once() -> None:
    toy = Toy()
    toy.forgets = True
    with closing(Actor(toy)) as actor:
        assert actor.run("relay", {"steps": [register([])]})["left"] == [{"family": "llm.request", "name": "i"}]
        assert actor.run("relay", {"steps": []})["left"] == []


def test_what_arrives_after_the_reply_is_stray() -> None:
    toy = Toy()
    late = {"fact": "event", "subscriber": "s", "event": {"kind": "late"}}
    with closing(Actor(toy)) as actor:
        actor.run("relay", {"steps": [SUBSCRIBER, call()]})
        assert toy.late is not None
        toy.late()
        assert actor.run("relay", {"steps": []})["stray"] == [late]
        assert actor.run("relay", {"steps": []})["stray"] == []


def test_a_stopped_scenario_leaves_a_clean_slate() -> None:
    toy = Toy()
    with pytest.raises(AdapterFault):
        run(SUBSCRIBER, register([edit(remove=["/nothing"])]), call(), toy=toy)
    assert toy.registered() == []


def conversation(connect: Callable[[], Any]) -> Callable[..., Json]:
    session = Session("toy", "1", connect, Text())

    def ask(method: str, params: Json = None, request_id: Json = 7) -> Json:
        message = {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params or {}}
        return json.loads(session.answer(json.dumps(message).encode()))

    return ask


HELLO = {"protocol_versions": [1], "harness": {"name": "t", "version": "1"}}


@pytest.fixture
def actor() -> Iterator[Actor]:
    with closing(Actor(Toy())) as actor:
        yield actor


def test_a_conversation(actor: Actor) -> None:
    ask = conversation(lambda: actor)
    assert ask("run", {"suite": "relay", "scenario": {}})["error"]["code"] == -32600
    assert ask("initialize", {**HELLO, "protocol_versions": [2]})["error"]["code"] == -32000
    assert ask("initialize", HELLO)["result"]["protocol_version"] == 1
    assert ask("run", {"suite": "relay", "scenario": {"steps": []}})["result"]["observation"]["log"]
    assert ask("run", {"suite": "relay"})["error"]["code"] == -32602
    assert ask("dance")["error"]["code"] == -32601
    assert ask("initialize", HELLO, "x")["error"]["code"] == -32600
    assert ask("shutdown") == {"jsonrpc": "2.0", "id": 7, "result": {}}


def test_stops_are_answers(actor: Actor) -> None:
    ask = conversation(lambda: actor)
    ask("initialize", HELLO)

    def result(*steps: Json) -> Json:
        return ask("run", {"suite": "relay", "scenario": {"steps": list(steps)}})

    none = result(register([edit(set={"/x": {"$none": True}})]), call())
    assert none["result"] == {"inexpressible": {"path": "$none", "reason": "Python has no value for undefined"}}
    assert result({"step": "mark"})["result"]["unsupported"]["capability"] == "lifecycles"
    assert result(register([edit(remove=["/x"])]), call())["error"]["code"] == -32000


def saying(value: Json) -> Callable[..., Json]:
    """A conversation with a target whose log has this value, whatever it is asked to act out."""

    class Saying:
        def describe(self) -> Json:
            return {}

        def run(self, suite: str, scenario: Json) -> Json:
            return {"log": [{"a": [value]}]}

    ask = conversation(Saying)
    ask("initialize", HELLO)
    return ask


def test_what_has_no_spelling_is_the_adapters_fault(capsys: pytest.CaptureFixture[str]) -> None:
    assert saying(object())("run", {"suite": "relay", "scenario": {}})["error"]["code"] == -32000
    assert "there is no spelling of a object" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (float("nan"), {"$float": "NaN"}),
        ((1.5, float("-inf")), [1.5, {"$float": "-Infinity"}]),
        (print, {"$function": True}),
    ],
)
def test_a_binding_that_hands_on_what_json_lacks_is_judged_by_that(value: Json, told: Json) -> None:
    """An adapter that failed over it would be blamed for what its binding did."""
    answer = saying(value)("run", {"suite": "relay", "scenario": {}})
    assert answer["result"] == {"observation": {"log": [{"a": [told]}]}}


def test_a_failed_import_is_an_answer() -> None:
    def connect() -> Any:
        raise AdapterFault("the package toy cannot be imported")

    error = {"code": -32000, "message": "the package toy cannot be imported"}
    assert conversation(connect)("initialize", HELLO)["error"] == error


class WithCodecs(Toy):
    """A binding that brings a codec along."""

    def codecs(self) -> list[str]:
        return ["openai_chat"]

    response_codecs = codecs

    async def call_llm(self, step: Json, provider: Callback, decode: Callback | None, encode: Callback | None) -> Json:
        assert (decode, encode) == (None, None)
        return step["codec"]


def test_a_built_in_codec_is_the_bindings_to_use() -> None:
    assert run(call(codec="openai_chat"), toy=WithCodecs())["log"][-2]["value"] == "openai_chat"


@pytest.mark.parametrize(("toy", "codec"), [(Toy(), "openai_chat"), (WithCodecs(), "anthropic_messages")])
def test_a_built_in_codec_that_is_not_there_is_unsupported(toy: Toy, codec: str) -> None:
    for member, capability in (("codec", "codec.builtin"), ("response_codec", "codec.response")):
        with pytest.raises(Unsupported) as caught:
            run(call(**{member: codec}), toy=toy)
        assert caught.value.capability == capability
