from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from bindproof.suites.relay.observation.normalise import nanoseconds
from bindproof_reference.relay import resolve
from tests.relay import SUB, call, intercept, marks, plain, prepare, through_json

Json = Any

PYTHON = plain("python")
STEPS: tuple[Json, ...] = (SUB, {**SUB, "as": "t", "name": "t"}, intercept(marks("m1", "m2")), call(), call("d"))
PREDICTION = prepare(*STEPS).prediction


def order(log: list[Json]) -> list[str]:
    return [record.get("subscriber", "program") for record in log]


def test_the_same_seed_gives_the_same_run() -> None:
    assert resolve(PREDICTION, 7, PYTHON) == resolve(through_json(PREDICTION), 7, PYTHON)


def test_other_seeds_give_other_orders_but_each_lane_keeps_its_own() -> None:
    runs = [resolve(PREDICTION, seed, PYTHON) for seed in range(20)]
    assert len({tuple(order(log)) for log in runs}) > 10
    for log in runs:
        assert len(log) == sum(len(lane) for lane in PREDICTION["lanes"].values())
        assert log[-1] == {"fact": "settled"}
        names = [r["event"]["name"] for r in log if r.get("subscriber") == "s"]
        assert names == ["gpt", "m1", "m2", "gpt"] * 2
        assert [(r["fact"], r.get("step")) for r in log if "event" not in r] == [
            (r["fact"], r.get("step")) for r in PREDICTION["lanes"]["program"]
        ]


def test_nothing_comes_before_what_it_depends_on() -> None:
    for seed in range(50):
        places: dict[str, list[int]] = {}
        for index, lane in enumerate(order(resolve(PREDICTION, seed, PYTHON))):
            places.setdefault(lane, []).append(index)
        for lane, position, other, seen in PREDICTION["after"]:
            assert places[lane][position] > places[other][seen]


def test_a_flush_comes_behind_all_that_was_emitted() -> None:
    prediction = prepare(SUB, call(), {"step": "flush", "as": "f"}, call(name="u")).prediction
    for seed in range(50):
        log = resolve(prediction, seed, PYTHON)
        before = log[: log.index({"fact": "done", "step": "f", "value": None})]
        assert [one["event"]["scope_category"] for one in before if one["fact"] == "event"] == ["start", "end"], seed


def test_the_prediction_stays_as_it_is() -> None:
    before = deepcopy(PREDICTION)
    resolve(PREDICTION, 1, PYTHON)
    assert before == PREDICTION


def one(matcher: Json, seed: int = 0) -> Json:
    """What a matcher becomes in a run that has nothing else."""
    lanes = {"program": [{"fact": "done", "step": "x", "value": matcher}]}
    return resolve({"lanes": lanes, "after": []}, seed, PYTHON)[0]["value"]


@pytest.mark.parametrize(
    ("matcher", "allowed"),
    [
        ({"$any": True}, [None]),
        ({"$literal": {"$any": True}}, [{"$any": True}]),
        ({"$one_of": [1, {"$literal": [2]}]}, [1, [2]]),
        ({"$contains": {"a": 1}}, [{"a": 1}, {"a": 1, "note": "free"}]),
        ({"$text": "boom"}, ["boom", "internal error: boom"]),
        ([{"a": {"$literal": {"$id": 1}}}], [[{"a": {"$id": 1}}]]),
    ],
)
def test_every_lawful_value_of_a_matcher_occurs_and_no_other(matcher: Json, allowed: list[Json]) -> None:
    seen = [one(matcher, seed) for seed in range(30)]
    assert all(value in allowed for value in seen)
    assert all(value in seen for value in allowed)


def test_a_matcher_that_nobody_knows_is_our_bug() -> None:
    with pytest.raises(AssertionError, match=r"\$sometimes is no matcher"):
        one({"$sometimes": 1})


def test_identities_are_uuids_and_traces_name_them() -> None:
    first, again, other, trace = one(
        [{"$id": "a"}, {"$id": "a"}, {"$id": "b"}, {"$trace": {"trace": "a", "span": "a"}}]
    )
    assert first == again != other
    digits = first.replace("-", "")
    assert trace == f"00-{digits}-{digits[16:]}-01"


def test_times_keep_their_distance() -> None:
    start = {"$time": {"as": "start"}}
    equal = {"$time": {"of": "start", "equal": 1000}}
    later = {"$time": {"as": "end", "of": "start", "at_least": 1000}}
    for seed in range(30):
        told = one([start, equal, later, start, {"$time": {"as": "end"}}], seed)
        at, mark, end, again, end_again = map(nanoseconds, told)
        assert isinstance(at, int)
        assert isinstance(end, int)
        assert mark == at + 1000
        assert end >= at + 1000
        assert (again, end_again) == (at, end)


@pytest.mark.parametrize(
    ("kind", "message"),
    [("codec_failed", "internal error: Codec decode() failed: refused"), ("unknown", "unknown: refused")],
)
def test_an_error_is_worded_as_the_dialect_words_it(kind: str, message: str) -> None:
    matcher = {key: {"$any": True} for key in ("type", "message", "code", "same_as")} | {"kind": kind}
    lanes = {"program": [{"fact": "done", "step": "c", "error": matcher}]}
    error = resolve({"lanes": lanes, "after": []}, 0, PYTHON)[0]["error"]
    assert error == {"type": "Error", "message": message, "code": None, "same_as": None}


def test_a_raised_text_stands_in_the_message_and_the_exception_is_the_callbacks() -> None:
    prediction = prepare(intercept({"op": "raise", "text": "boom-1!"}), call(), dialect="python").prediction
    error = resolve(prediction, 0, PYTHON)[-2]["error"]
    assert "boom-1!" in error["message"]
    assert error["same_as"] == "i"


def test_of_two_dropped_streams_that_one_intercept_wraps_either_may_be_closed_alone() -> None:
    """Edition 0.5 leaves open whether such a stream is closed at all."""

    def forgotten(name: str) -> list[Json]:
        hanging = [{"op": "yield", "chunks": [0]}, {"op": "hang"}]
        opened = call(name, kind="llm_stream", provider=hanging, drain=False)
        return [opened, {"step": "read", "of": name, "n": 1}, {"step": "close", "of": name, "how": "drop"}]

    wraps = {"step": "register", "as": "w", "family": "llm.stream", "name": "w"}
    prediction = prepare(wraps, *forgotten("a"), *forgotten("b"), edition="0.5", dialect="python").prediction
    closed = {
        tuple(
            one["k"] for one in resolve(prediction, seed, PYTHON) if (one["fact"], one.get("callback")) == ("over", "w")
        )
        for seed in range(60)
    }
    assert closed == {(), (0,), (1,), (0, 1)}
