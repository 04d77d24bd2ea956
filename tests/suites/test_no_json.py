"""Values that JSON lacks, in scenarios: where they may stand, and what they mean."""

from __future__ import annotations

import pytest

import bindproof_reference.relay as reference
from bindproof.core.model import Json
from bindproof.suites import Lenient, Prepared
from bindproof.suites.relay.scenario.complete import ScenarioError, brief, complete
from bindproof.suites.relay.scenario.no_json import hands_over_no_json, replies_no_json
from tests.relay import NEWEST, SUITE, broken, judged, lawful, plain

NAN: Json = {"$float": "NaN"}
WIDE: Json = {"$integer": "18446744073709551616"}
FUNCTION: Json = {"$function": True}
SCOPE: Json = {"step": "start", "as": "p", "name": "p", "data": {"n": [FUNCTION]}}
MARK: Json = {"step": "mark", "as": "m", "name": "m", "data": NAN}


def _call(**members: Json) -> Json:
    return {"step": "call", "as": "c", "name": "gpt", **members}


def _replying(family: str, value: Json, at: str = "") -> Json:
    return {"step": "register", "as": "i", "family": family, "name": "i", "do": [{"op": "edit", "set": {at: value}}]}


TOLD: Json = {"step": "register", "as": "s", "family": "subscriber", "name": "s"}
ANSWER: Json = [{"op": "edit", "set": {"": {"own": 1}}}]
SANITIZING: Json = _replying("llm.sanitize_response", {"k": FUNCTION})
YIELDS: Json = {"op": "yield", "chunks": [{"n": 0}, FUNCTION]}
CATCHES: Json = {"op": "next", "edits": [{}], "catch": True}


def _wrapping(*ops: Json) -> Json:
    return {"step": "register", "as": "w", "family": "llm.stream", "name": "w", "do": list(ops)}


CATCHING: Json = {
    "step": "register",
    "as": "x",
    "family": "llm.execution",
    "name": "x",
    "do": [CATCHES],
}


@pytest.mark.parametrize(
    "step",
    [
        MARK,
        SCOPE,
        _call(request={"headers": {"h": WIDE}, "content": 1}),
        _call(kind="tool", args=[{"n": NAN}]),
        {"step": "helper", "as": "h", "kind": "tool.request", "name": "t", "args": FUNCTION},
    ],
)
def test_what_a_step_hands_over_may_be_what_json_lacks(step: Json) -> None:
    full = complete({"steps": [step]})
    assert hands_over_no_json(full["steps"][0])
    assert brief(full)["steps"] == [step]


@pytest.mark.parametrize(
    ("steps", "parts"),
    [
        ([{**MARK, "data": {"$float": "1.5"}}], ["step 'm'", "'1.5'", "means nothing"]),
        ([{**MARK, "data": {"$integer": "12"}}], ["step 'm'", "'12'", "means nothing"]),
        ([{**MARK, "data": {"$integer": 2**64}}], ["step 'm'", "means nothing"]),
        ([{**MARK, "data": {"$function": False}}], ["step 'm'", "means nothing"]),
        ([{**MARK, "data": {"$float": "NaN", "more": 1}}], ["step 'm'", "means nothing"]),
        ([_replying("llm.conditional", NAN)], ["step 'i'", "and nowhere else"]),
        ([_replying("tool.sanitize_request", NAN)], ["step 'i'", "an object or a list", "not for all of it"]),
        ([_call(kind="llm_stream", provider=[{"op": "edit", "set": {"": NAN}}])], ["step 'c'", "and nowhere else"]),
        ([_call(kind="llm_stream", provider=[YIELDS], drain=False)], ["step 'c'", "each stream is drained"]),
        ([_call(kind="llm_stream", provider=[YIELDS]), MARK], ["step 'c'", "nothing else that JSON lacks"]),
        ([_wrapping(CATCHES), _call(kind="llm_stream", provider=[YIELDS])], ["step 'c'", "caught", "'w'"]),
        ([_wrapping({"op": "edit", "set": {"": [FUNCTION]}}), MARK], ["step 'w'", "nothing else that JSON lacks"]),
        ([_call(codec={"decode": [{"op": "edit", "set": {"": NAN}}]})], ["step 'c'", "not for all of it"]),
        ([SANITIZING, _call(kind="llm_stream", drain=False)], ["step 'i'", "each stream is drained, unlike 'c'"]),
        ([SANITIZING, {**SANITIZING, "as": "j", "name": "j"}, MARK], ["step 'i'", "nothing else that JSON lacks"]),
        ([SANITIZING, _call(background=True)], ["step 'i'", "in the background", "'c'"]),
        ([_replying("llm.request", {"$float": "1.5"})], ["step 'i'", "means nothing"]),
        ([_replying("llm.request", NAN), _call(background=True)], ["step 'i'", "in the background", "'c'"]),
        ([_replying("llm.request", NAN), CATCHING, _call()], ["step 'i'", "caught", "'x'"]),
        ([{"step": "build", "as": "b", "object": "request", "value": {"content": NAN}}], ["step 'b'", "nowhere else"]),
        ([_call(provider=[{"op": "step", "step": MARK}])], ["step 'c'", "and nowhere else"]),
        ([_call(data=NAN, background=True)], ["step 'c'", "leave out `background`"]),
        ([SCOPE, {"step": "end", "as": "e", "of": "p"}], ["step 'e'", "goes by 'p'"]),
        ([SCOPE, {**MARK, "data": 1, "parent": "p"}], ["step 'm'", "goes by 'p'"]),
        ([_call(data=NAN), _call(**{"as": "d", "request": {"content": {"$get": "c/ok"}}})], ["'d'", "goes by 'c'"]),
    ],
)
def test_one_that_cannot_be_is_told_what_and_where(steps: list[Json], parts: list[str]) -> None:
    with pytest.raises(ScenarioError) as caught:
        complete({"steps": steps})
    assert [part for part in parts if part not in str(caught.value)] == [], str(caught.value)


@pytest.mark.parametrize(
    "step",
    [
        _replying("llm.request", {"a": [WIDE]}, "/request/content"),
        _replying("tool.request", NAN),
        _replying("llm.execution", {"k": FUNCTION}),
        _replying("tool.execution", FUNCTION, "/result"),
        _call(provider=[{"op": "edit", "set": {"/k": NAN}}]),
        _call(kind="tool", provider=[{"op": "each", "ops": [[{"op": "edit", "set": {"/result": NAN}}], []]}]),
        SANITIZING,
        _replying("event.metadata", {"k": NAN}),
        _replying("mark.sanitize", [WIDE], "/data"),
        _call(codec={"encode": [{"op": "edit", "set": {"/content/k": [NAN]}}]}),
        _call(kind="llm_stream", finalizer=[{"op": "edit", "set": {"": [FUNCTION]}}]),
        _call(kind="llm_stream", provider=[YIELDS]),
        _wrapping({"op": "next"}, YIELDS),
        _wrapping({"op": "edit", "set": {"": [FUNCTION]}}),
    ],
)
def test_what_a_callback_replies_may_be_what_json_lacks(step: Json) -> None:
    full = complete({"steps": [step]})
    assert replies_no_json(full["steps"][0])
    assert not hands_over_no_json(full["steps"][0])
    assert brief(full)["steps"] == [step]


def _told(error: Json) -> dict[str, str]:
    """What the rules say of a call of which a tool's result has a function in it, and that ended with this error."""
    provider = [{"op": "edit", "set": {"/result": {"k": FUNCTION}}}]
    prepared = SUITE.prepare(complete({"steps": [_call(kind="tool", provider=provider)]}), NEWEST, "python")
    log = lawful(prepared, 0, "python")
    done = next(row for row in log if row["fact"] == "done")
    done.pop("error")
    done |= error
    return broken(judged(prepared, log, NEWEST, "python"))


def test_a_reply_that_json_lacks_is_refused_by_that_error_alone() -> None:
    failed = {"type": "RuntimeError", "code": None, "same_as": None}
    text = "internal error: ValueError: Failed to convert to JSON: unsupported type function"
    assert _told({"error": {**failed, "message": text}}) == {}
    assert _told({"error": {**failed, "message": f"internal error: RuntimeError: {text}"}}) == {}  # behind an intercept
    assert list(_told({"error": {**failed, "message": "internal error: something"}})) == ["DLC-013"]
    taken = {"value": {"result": {"k": None}, "annotation": None}}
    assert list(_told(taken)) == ["DLC-013"]
    assert set(_told({"value": {"result": {"k": 1}, "annotation": None}})) > {"DLC-013"}


def test_in_node_the_error_has_the_words_of_each_intercept_that_it_came_through() -> None:
    around = {**_replying("tool.execution", 0), "do": []}
    provider = [{"op": "edit", "set": {"/b": NAN}}]
    full = complete({"steps": [around, _call(kind="tool", provider=provider)]})
    prepared = SUITE.prepare(full, "0.9", "node")
    log = lawful(prepared, 0, "node")
    words = "internal error: JavaScript callback returned a non-finite number that cannot be converted to JSON"
    answer, left, done = log[-4:-1]
    answer["error"]["message"], left["raised"], done["error"]["message"] = words, words, f"internal error: {words}"
    assert broken(judged(prepared, log, "0.9", "node")) == {}


def test_one_that_is_taken_is_named_though_the_call_fails_for_another_reply_behind_it() -> None:
    behind = {**_replying("llm.request", 5, "/request"), "as": "j", "name": "j", "priority": 1}
    full = complete({"steps": [_replying("llm.request", NAN, "/request/content"), behind, _call()]})
    prepared = SUITE.prepare(full, NEWEST, "python")
    assert isinstance(prepared, Lenient)
    log = reference.resolve(prepared.accepting(frozenset({"c/i"})), 0, plain("python"))
    assert next(row["error"]["message"] for row in log if "error" in row)
    assert list(broken(judged(prepared, log, NEWEST, "python"))) == ["DLC-013"]


@pytest.mark.parametrize(
    ("op", "dialect"),
    [
        ({"set": {"/optimization_contributions": [{"producer": "a", "kind": "a", "payload": 0}]}}, "python"),
        ({"remove": ["/pending_marks"]}, "python"),
        ({"set": {"/pending_marks": [{"name": "m", "severity": "Warn"}]}}, "node"),
    ],
)
def test_a_providers_reply_that_json_lacks_says_nothing_of_the_outcomes_before_it(op: Json, dialect: str) -> None:
    """The error is that of a malformed outcome: what outcomes may have, or leave out, did not bring it about."""
    register = {**_replying("llm.request", 0), "do": [{"op": "edit", **op}]}
    call = _call(provider=[{"op": "edit", "set": {"": WIDE}}])
    prepared = SUITE.prepare(complete({"steps": [register, call]}), NEWEST, dialect)
    assert broken(judged(prepared, lawful(prepared, 0, dialect), NEWEST, dialect)) == {}


def test_a_number_that_64_bits_hold_is_said_in_json() -> None:
    assert not hands_over_no_json(complete({"steps": [{**MARK, "data": 2**64 - 1}]})["steps"][0])


def _sanitized(data: Json) -> dict[str, str]:
    """What the rules say of a call whose end is told with this data, behind a sanitizer that fails: it has a function
    in its reply."""
    prepared = SUITE.prepare(complete({"steps": [TOLD, SANITIZING, _call(provider=ANSWER)]}), NEWEST, "python")
    log = lawful(prepared, 0, "python")
    next(row["event"] for row in reversed(log) if row["fact"] == "event")["data"] = data
    return broken(judged(prepared, log, NEWEST, "python"))


def test_what_rewrites_events_fails_where_it_replies_with_what_json_lacks() -> None:
    assert _sanitized(None) == {}
    assert list(_sanitized({"k": None})) == ["DLC-014"]
    assert list(_sanitized({"own": 1})) == ["EVT-025"]


def test_a_finalizer_that_replies_with_what_json_lacks_leaves_the_calls_data() -> None:
    call = _call(kind="llm_stream", data={"own": 1}, finalizer=[{"op": "edit", "set": {"": {"k": [FUNCTION]}}}])
    prepared = SUITE.prepare(complete({"steps": [TOLD, call]}), NEWEST, "python")
    logs = (lawful(prepared, seed, "python") for seed in range(9))
    log = next(log for log in logs if all(row["fact"] != "refused" for row in log))
    told = next(row["event"] for row in reversed(log) if row["fact"] == "event")
    assert told["data"] == {"own": 1}
    assert broken(judged(prepared, log, NEWEST, "python")) == {}
    told["data"] = {"k": [None]}
    assert list(broken(judged(prepared, log, NEWEST, "python"))) == ["DLC-014"]
    told["data"] = None
    assert list(broken(judged(prepared, log, NEWEST, "python"))) == ["STR-012"]


def test_a_codec_that_is_asked_again_has_not_gone_on() -> None:
    call = _call(codec={"decode": [{"op": "edit", "set": {"/k": [FUNCTION]}}]})
    prepared = SUITE.prepare(complete({"steps": [call]}), NEWEST, "python")
    log = lawful(prepared, 0, "python")
    assert broken(judged(prepared, log, NEWEST, "python")) == {}
    again = [{**log[at], "k": 1} for at in (0, 1)]
    assert "DLC-014" not in broken(judged(prepared, [*log[:2], *again, *log[2:]], NEWEST, "python"))


def _streamed(provider: Json, *before: Json) -> tuple[Prepared, list[Json]]:
    """A stream call with what rewrites its chunks, and how it goes where the rules are kept."""
    call = _call(kind="llm_stream", provider=[provider])
    prepared = SUITE.prepare(complete({"steps": [TOLD, *before, call]}), NEWEST, "python")
    log = lawful(prepared, 0, "python")
    assert broken(judged(prepared, log, NEWEST, "python")) == {}
    return prepared, log


@pytest.mark.parametrize("before", [(), (_wrapping({"op": "next"}),)])
def test_a_chunk_that_json_lacks_fails_who_reads_it_by_that_error_alone(before: tuple[Json, ...]) -> None:
    prepared, log = _streamed(YIELDS, *before)
    assert [row["value"] for row in log if row["fact"] == "read"] == [{"n": 0}]
    assert [row["how"] for row in log if row["fact"] == "over" and row["callback"] == "c.source"] == ["closed"]
    next(row for row in log if row["fact"] == "done" and row["step"] == "c")["error"]["message"] = "something"
    assert "DLC-015" in broken(judged(prepared, log, NEWEST, "python"))


def test_a_chunk_that_json_lacks_and_is_read_is_read_with_null() -> None:
    prepared, _ = _streamed({"op": "yield", "chunks": [{"k": [NAN]}, 1]})
    assert isinstance(prepared, Lenient)
    taken = reference.resolve(prepared.accepting(frozenset({"c/c.source"})), 0, plain("python"))
    assert [row["value"] for row in taken if row["fact"] == "read"] == [{"k": [None]}, 1]
    assert list(broken(judged(prepared, taken, NEWEST, "python"))) == ["DLC-015"]


@pytest.mark.parametrize(
    ("chunks", "before", "accepted"),
    [
        ([{"k": [NAN]}, 1], (), "c/c.source"),
        ([{"k": [NAN]}, 1], (_wrapping({"op": "next"}),), "c/c.source"),
        ([{"n": 0}, 1], (_wrapping({"op": "edit", "set": {"": {"k": [NAN]}}}),), "c/w"),
        ([{"k": [NAN]}, 1], (_wrapping({"op": "next"}, {"op": "yield", "chunks": [2]}),), "c/c.source"),
    ],
)
def test_one_that_the_collector_fails_at_was_read(chunks: Json, before: tuple[Json, ...], accepted: str) -> None:
    """Nothing comes behind it, and what hands it over is closed: that it was collected shows that it was taken."""
    fails = [{"op": "raise", "text": "boom-1!"}]
    call = _call(kind="llm_stream", provider=[{"op": "yield", "chunks": chunks}], collector=fails)
    prepared = SUITE.prepare(complete({"steps": [TOLD, *before, call]}), NEWEST, "python")
    assert isinstance(prepared, Lenient)
    for seed in range(10):
        taken = reference.resolve(prepared.accepting(frozenset({accepted})), seed, plain("python"))
        assert {
            row["given"]["chunk"]["k"][0] for row in taken if row.get("callback") == "c.collector" and "given" in row
        } == {None}
        assert list(broken(judged(prepared, taken, NEWEST, "python"))) == ["DLC-015"]


def test_a_stream_that_ends_at_a_chunk_that_json_lacks_has_to_say_so() -> None:
    prepared, log = _streamed(YIELDS)
    done = next(row for row in log if row["fact"] == "done" and row["step"] == "c")
    del done["error"]
    done["value"] = None
    assert "DLC-015" in broken(judged(prepared, log, NEWEST, "python"))


def test_a_chunk_behind_one_that_the_collector_failed_at_is_read_by_nobody() -> None:
    """It may have been handed over all the same, and closed: the error is the collector's."""
    fails = [{"op": "each", "ops": [[], [{"op": "raise", "text": "boom-1!"}]]}]
    chunks = {"op": "yield", "chunks": [0, 0, {"k": [FUNCTION]}]}
    call = _call(kind="llm_stream", provider=[chunks], collector=fails)
    prepared = SUITE.prepare(complete({"steps": [TOLD, call]}), NEWEST, "python")
    handed = 0
    for seed in range(20):
        log = lawful(prepared, seed, "python")
        handed += any(row["fact"] == "chunk" and row["value"] == {"k": [FUNCTION]} for row in log)
        assert broken(judged(prepared, log, NEWEST, "python")) == {}
    assert handed
