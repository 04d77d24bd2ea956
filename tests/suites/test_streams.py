"""Streams: which scenarios are refused, and how a log of a stream call is read."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof.suites.relay.observation.streams import StreamCall
from bindproof.suites.relay.scenario.complete import ScenarioError
from bindproof_reference.relay import resolve
from tests.relay import NEWEST, SPEC, SUB, SUITE, broken, call, judged, lawful, prepare

Json = Any

HANG: Json = {"op": "hang"}
NEXT: Json = {"op": "next"}
WIRE = SPEC.dialects["wire"].as_json()


def stream(*provider: Json, name: str = "c", **more: Json) -> Json:
    """A step that makes a stream call."""
    return {"step": "call", "as": name, "name": "gpt", "kind": "llm_stream", "provider": list(provider), **more}


def wrapper(*ops: Json, name: str = "x") -> Json:
    """A step that registers a stream intercept."""
    return {"step": "register", "as": name, "family": "llm.stream", "name": name, "do": list(ops)}


def hand_over(*chunks: Json) -> Json:
    return {"op": "yield", "chunks": list(chunks)}


def read(n: int | None = None) -> Json:
    return {"step": "read", "of": "c", "n": n}


CLOSE: Json = {"step": "close", "of": "c"}
BOOM: Json = {"op": "raise", "text": "boom-1!"}
CALL: Json = {"step": "call", "as": "d", "name": "gpt"}


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        ([{**CALL, "provider": [hand_over(1)]}], "are for the provider of an llm_stream"),
        ([{**CALL, "drain": False}], "`drain` means nothing to the kind 'llm'"),
        ([stream({"op": "edit", "set": {"": 1}})], "does neither edits nor steps"),
        ([stream(hand_over(1), HANG)], "the stream is not drained"),
        ([stream(HANG, hand_over(1), drain=False), read(1), CLOSE], "`hang` comes last"),
        ([stream(drain=False)], "is closed once"),
        ([stream(drain=False), CLOSE, read()], "after the last `read`"),
        ([stream(drain=False), read(), CLOSE, {**CLOSE, "as": "again"}], "is closed once"),
        ([stream(drain=False), CALL, read(), CLOSE], "reads, flushes, and closes"),
        ([stream(drain=False), read(1), CLOSE], "is read to its end"),
        ([stream(hand_over(1), HANG, drain=False), read(2), CLOSE], "no more than there are"),
        ([stream(hand_over(1), HANG, drain=False), read(), CLOSE], "no more than there are"),
        (
            [wrapper(hand_over(1)), stream(hand_over(1), HANG, drain=False), read(1), CLOSE],
            "changes chunks at the most",
        ),
        ([stream(BOOM, drain=False), read(), CLOSE], "is not drained opens"),
        ([stream(collector=[BOOM], drain=False), read(), CLOSE], "its collector takes every chunk"),
        ([stream(), read()], "has opened no stream"),
        ([CALL, {**CLOSE, "of": "d"}], "has opened no stream"),
        ([CLOSE], "no call step is called so"),
        ([wrapper(NEXT, NEXT), stream()], "one stream at the most"),
        ([wrapper({"op": "next", "edits": [{}, {}]}), stream()], "one stream at the most"),
        ([wrapper(BOOM), stream()], "goes on with nothing"),
        ([wrapper(hand_over(1), NEXT), stream()], "hands over no chunk"),
        ([wrapper(hand_over(), NEXT), wrapper(name="y"), stream()], "it is the only one"),
        ([wrapper(hand_over(), NEXT), stream(drain=False), read(), CLOSE], "the streams are drained"),
        ([wrapper(hand_over(), {"op": "step", "step": {"step": "mark", "name": "m"}}), stream()], "before the first"),
        (
            [
                {"step": "register", "as": "p", "family": "llm.sanitize_response", "name": "p"},
                {"step": "register", "as": "m", "family": "mark.sanitize", "name": "m"},
                stream(),
            ],
            "they race each other",
        ),
        ([{"step": "register", "as": "i", "family": "llm.request", "name": "i", "do": [hand_over(1)]}], "has none"),
    ],
)
def test_what_nobody_can_foresee_is_refused(steps: list[Json], why: str) -> None:
    with pytest.raises(ScenarioError, match=why):
        SUITE.complete({"steps": steps})


def read_streams(*steps: Json) -> list[StreamCall]:
    """The streams of a lawful log of these steps."""
    prepared = prepare(*steps)
    _, reading = prepared.observe(resolve(prepared.prediction, 1, WIRE))
    return list(reading.streams)


def test_a_stream_is_read_with_what_handed_over_collected_and_read() -> None:
    changes = wrapper({"op": "edit", "set": {"/x": 1}})
    (found,) = read_streams(SUB, changes, stream(hand_over({"n": 0}, {"n": 1})))
    chunks = [{"n": 0, "x": 1}, {"n": 1, "x": 1}]

    assert [one.callback for one in found.wrappers] == ["x"]
    assert found.outermost() is found.wrappers[0]
    assert [one.values() for one in (*found.sources, *found.wrappers)] == [[{"n": 0}, {"n": 1}], chunks]
    assert [one.given for one in found.collected] == [{"chunk": chunk} for chunk in chunks]
    assert [chunk for _, chunk in found.reads] == chunks
    assert [one.reply for one in found.finals] == [{"done": True}]
    assert found.ended
    assert not found.errors
    assert found.closed is None


def test_a_stream_that_is_closed_has_not_ended() -> None:
    (found,) = read_streams(stream(hand_over(1, 2), HANG, drain=False), read(1), CLOSE)
    assert [chunk for _, chunk in found.reads] == [1]
    assert found.closed is not None
    assert not found.ended
    assert found.sources[0].over is not None
    assert found.sources[0].over[1].how == "closed"


def test_a_stream_that_fails_has_the_error_of_its_reader() -> None:
    first, second = read_streams(stream(hand_over(1), BOOM), stream({"op": "raise", "text": "boom-2!"}, name="d"))
    assert [error["message"] for _, error in first.errors]
    assert first.started()
    assert second.started()
    assert not second.opened
    assert second.sources[0].raised == "boom-2!"


def test_how_far_a_closed_stream_was_read_ahead_is_open_and_the_same_everywhere() -> None:
    prepared = prepare(SUB, stream(hand_over(1, 2, 3), HANG, drain=False), read(1), CLOSE)
    counts = set()
    for seed in range(20):
        log, reading = prepared.observe(resolve(prepared.prediction, seed, WIRE))
        (found,) = reading.streams
        marks = [one for one in log if one["fact"] == "event" and one["event"]["name"] == "llm.chunk"]
        assert len(found.sources[0].chunks) == len(found.collected) == len(marks)
        counts.add(len(marks))
    assert counts == {1, 2, 3}


@pytest.mark.parametrize("ops", [[], [{"op": "edit", "set": {"/metadata": {"otel.status_code": "OK"}}}]])
def test_the_end_of_a_stream_that_is_closed_early_is_judged_where_a_sanitizer_leaves_it_alone(ops: list[Json]) -> None:
    """A sanitizer without ops hides nothing; of one that writes the status the end's own is not known."""
    sanitizer = {"step": "register", "as": "x", "family": "end.sanitize", "name": "x", "do": ops}
    steps = (SUB, sanitizer, stream(hand_over(1), HANG, drain=False), read(1), CLOSE)
    prepared = prepare(*steps)
    log = resolve(prepared.prediction, 1, WIRE)
    assert broken(judged(prepared, log, NEWEST, "wire")) == {}
    end = next(one for one in log if one["fact"] == "event" and one["event"].get("scope_category") == "end")
    end["event"]["metadata"]["otel.status_code"] = "ELSE"
    assert ("STR-013" in broken(judged(prepared, log, NEWEST, "wire"))) is (not ops)


@pytest.mark.parametrize("edition", ["0.4", "0.5", "0.6"])
def test_of_a_stream_that_is_dropped_the_finalizer_is_over_before_its_answer_is_sanitized(edition: str) -> None:
    """Before 0.6 nobody knows whether what is dropped comes to its end: where it does, that has its order."""
    prepared = prepare(
        {"step": "register", "as": "x", "family": "llm.sanitize_response", "name": "x"},
        call("c", kind="llm_stream", drain=False, provider=[{"op": "yield", "chunks": [0, 0]}, {"op": "hang"}]),
        {"step": "read", "as": "r", "of": "c", "n": 1},
        {"step": "close", "as": "d", "of": "c", "how": "drop"},
        edition=edition,
        dialect="python",
    )
    for seed in range(30):
        assert broken(judged(prepared, lawful(prepared, seed, "python"), edition, "python")) == {}


def test_a_dropped_stream_that_did_not_end_is_not_sanitized_by_what_sanitizes_the_next() -> None:
    prepared = prepare(
        SUB,
        {"step": "register", "as": "x", "family": "llm.sanitize_response", "name": "x"},
        call("c", kind="llm_stream", drain=False, provider=[{"op": "yield", "chunks": [0]}, {"op": "hang"}]),
        {"step": "read", "as": "r", "of": "c", "n": 1},
        {"step": "close", "as": "d", "of": "c", "how": "drop"},
        call("e", kind="llm_stream"),
        edition="0.5",
        dialect="python",
    )
    ran = set()
    for seed in range(30):
        log = lawful(prepared, seed, "python")
        entered = [row["callback"] for row in log if row["fact"] == "enter"]
        ran.add((entered.count("c.finalizer"), entered.count("x.sanitize")))
        assert broken(judged(prepared, log, "0.5", "python")) == {}
    assert ran == {(0, 1), (1, 2)}
