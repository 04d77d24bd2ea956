from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bindproof.core.model import Evidence
from bindproof.judge import compare
from bindproof.judge.match import allows
from bindproof.suites.choices import SeededChoices
from bindproof_reference.relay.values import literal, strictly_equal
from tests.choices import STEADY, json_values
from tests.relay import SETTINGS, SUITE, lanes, lawful, through_json

Json = Any


def lane_of(record: Json) -> str:
    return str(record["lane"])


def differences(expected: Json, observed: Json) -> list[Evidence]:
    """What differs between a log of one record and the prediction of one."""
    prediction = {"lanes": {"p": [{"lane": "p", "value": expected}]}, "after": []}
    return compare(prediction, [{"lane": "p", "value": observed}], lane_of)


@pytest.mark.long
@STEADY
@given(json_values())
def test_a_literal_equals_itself(value: Json) -> None:
    assert differences(literal(value), through_json(value)) == []


@pytest.mark.long
@STEADY
@given(json_values(), json_values())
def test_a_literal_equals_nothing_else(expected: Json, observed: Json) -> None:
    assert (differences(literal(expected), observed) == []) == strictly_equal(expected, observed)


@pytest.mark.long
@pytest.mark.parametrize("expected", [True, 1, 1.0, "1", None, [], {}, [True], {"a": 1}])
@pytest.mark.parametrize("observed", [True, 1, 1.0, "1", None, [], {}, [True], {"a": 1}, [1], {"a": True}])
def test_equality_is_strict(expected: Json, observed: Json) -> None:
    same = repr(expected) == repr(observed)
    assert (differences(expected, observed) == []) is same
    assert (differences({"$literal": expected}, observed) == []) is same


@pytest.mark.parametrize(
    ("matcher", "accepted", "refused"),
    [
        ({"$any": True}, [None, {}, "x"], []),
        ({"$literal": {"$any": True}}, [{"$any": True}], [{}, None, {"$any": 1}]),
        ({"$one_of": [1, {"$any": True}]}, [1, 2], []),
        ({"$one_of": ["a", ["b"]]}, ["a", ["b"]], ["b", None, ["a"]]),
        ({"$contains": {"a": 1}}, [{"a": 1}, {"b": 2, "a": 1}], [{"a": 1.0}, {"b": 1}, {}, None, ["a"]]),
        ({"$contains": {"a": {"$contains": {}}}}, [{"a": {"b": 1}}], [{"a": []}]),
        ({"$unordered": [1, {"$any": True}, 2]}, [[2, "x", 1], [1, 2, 2]], [[1, 2], [3, 4, 1], {}, None, [1, 2, 2, 3]]),
        ({"$unordered": [{"$any": True}, {"$one_of": [1, 2]}, 1]}, [[1, 2, 3], [1, 1, 9]], [[3, 4, 1]]),
        ({"$numeric": 2}, [2, 2.0], [3, True, "2", None]),
        ({"$numeric": 1}, [1, 1.0], [True]),
        ({"$numeric": 2**53}, [2**53, 2.0**53, {"$integer": "9007199254740992"}], [{"$integer": "1"}, {"$integer": 1}]),
        ({"$text": "boom"}, ["boom", "a boom b"], ["Boom", "", None, ["boom"]]),
        ({"$number": {"as": "n", "at_least": 0}}, [0, 0.5, 3], [-1, True, "0", None]),
        ([{"$number": {"as": "n", "at_least": 0}}] * 2, [[0, 0], [0.5, 0.5]], [[0, 1], [-1, -1]]),
        ({"$id": "c"}, ["llm:gpt"], [None, 3, {}]),
        (
            {"$trace": {"trace": "c", "span": "c"}},
            ["trace(llm:gpt)", {"trace": "x", "span": "x"}],
            ["llm:gpt", "00-1-1-01", None],
        ),
        ({"$time": {"as": "t"}}, [0, -1], [1.0, True, "2026-01-01T00:00:00Z", None]),
        ({"a": {"$any": True}}, [{"a": 1}], [{}, {"a": 1, "b": 2}, None, [1]]),
        ([{"$any": True}, 2], [[1, 2]], [[1], [1, 3], [1, 2, 3], None, {}]),
    ],
)
def test_every_matcher_accepts_and_refuses(matcher: Json, accepted: list[Json], refused: list[Json]) -> None:
    assert [value for value in accepted if differences(matcher, value)] == []
    assert [value for value in refused if not differences(matcher, value)] == []


def matched(expected: list[Json], observed: list[Json]) -> bool:
    return not differences(expected, observed)


def test_one_name_is_one_identity_and_the_reverse() -> None:
    a, b = {"$id": "a"}, {"$id": "b"}
    assert matched([a, b, a], ["x", "y", "x"])
    assert not matched([a, a], ["x", "y"])
    assert not matched([a, b], ["x", "x"])
    assert matched([a, {"$trace": {"trace": "a", "span": "a"}}], ["x", "trace(x)"])
    assert not matched([a, {"$trace": {"trace": "a", "span": "a"}}], ["x", "trace(y)"])
    assert not matched([a, {"$trace": {"trace": "b", "span": "b"}}], ["x", "trace(x)"])


def test_identities_are_bound_across_lanes() -> None:
    lanes = {name: [{"lane": name, "id": {"$id": "c"}}] for name in ("p", "s")}
    log = [{"lane": "p", "id": "x"}, {"lane": "s", "id": "y"}]
    assert [one.lane for one in compare({"lanes": lanes, "after": []}, log, lane_of)] == ["s"]


def test_times_are_held_to_the_one_that_they_are_measured_from() -> None:
    start: Json = {"$time": {"as": "s"}}
    equal: Json = {"$time": {"of": "s", "equal": 1000}}
    later: Json = {"$time": {"as": "e", "of": "s", "at_least": 1000}}
    assert matched([start, equal, later], [5, 1005, 1005])
    assert matched([start, equal, later, later], [5, 1005, 9999, 9999])
    assert not matched([start, equal], [5, 1004])
    assert not matched([start, later], [5, 1004])
    assert not matched([start, later, later], [5, 1005, 1006])
    assert not matched([start, start], [5, 6])


@pytest.mark.parametrize(
    ("log", "differs"),
    [
        ("p0 p3", False),
        ("p0 p1 p2 p3", False),
        ("p0 p1 p3", True),
        ("p0 p2 p3", True),
        ("p0 p1 p2", True),
        ("p0", True),
        ("s0 p0 p3", False),
        ("p0 p1 s0 p2 p3", True),
        ("p0 p1 p2 s0 p3", False),
    ],
)
def test_records_that_may_be_missing_come_all_or_none(log: str, differs: bool) -> None:
    one, two, three, four = ({"lane": "p", "n": n} for n in range(4))
    lanes = {"p": [one, {"$maybe": [two, three], "of": "c"}, four], "s": [{"lane": "s", "n": 0}]}
    without = "s0" not in log
    prediction = {"lanes": {"p": lanes["p"]} if without else lanes, "after": [] if without else [["s", 0, "p", 1]]}
    assert bool(compare(prediction, log_of(log), lane_of)) is differs


@pytest.mark.parametrize(
    ("log", "differs"),
    [
        ("p0 p1 p2", False),
        ("p0 p2", False),
        ("p1", True),
        ("p1 p2", True),
        ("p0 p1", False),
        ("p2", False),
        ("", False),
        ("p0", False),
    ],
)
def test_after_the_first_that_is_missing_all_of_the_same_stream_are(log: str, differs: bool) -> None:
    one, two, three = ({"$maybe": [{"lane": "p", "n": n}], "of": "c" if n < 2 else "d"} for n in range(3))
    assert bool(compare({"lanes": {"p": [one, two, three]}, "after": []}, log_of(log), lane_of)) is differs


@pytest.mark.parametrize(("log", "differs"), [("p7 p1", False), ("p0", False), ("p1", True), ("p7 p0", True)])
def test_what_is_missing_does_not_count(log: str, differs: bool) -> None:
    maybe = {"$maybe": [{"lane": "p", "n": 7}], "of": "c", "counts": {"x": 1}}
    lane = [maybe, {"lane": "p", "n": {"$counted": {"all": 1, "of": "x"}}}]
    assert bool(compare({"lanes": {"p": lane}, "after": []}, log_of(log), lane_of)) is differs


@pytest.mark.parametrize(
    ("log", "differs"),
    [("a0 p7 p8", False), ("p8", False), ("a0 p8", True), ("p7 p8", True), ("a0 p7", True), ("p7", True)],
)
def test_what_comes_with_another_is_missing_where_that_is(log: str, differs: bool) -> None:
    """Though what follows might be taken for it."""
    first = {"$maybe": [{"lane": "a", "n": 0}], "of": "c"}
    maybe = {"$maybe": [{"lane": "p", "n": {"$one_of": [7, 8]}}], "of": "c", "with": ["a", 0]}
    lanes = {"p": [maybe, {"lane": "p", "n": 8}], "a": [first]}
    assert bool(compare({"lanes": lanes, "after": []}, log_of(log), lane_of)) is differs


LANES: Json = {
    "p": [{"lane": "p", "n": 0}, {"lane": "p", "n": 1}],
    "s": [{"lane": "s", "n": 0}],
}


def log_of(text: str) -> list[Json]:
    """A log in short: `p0 s0 p1`."""
    return [{"lane": word[0], "n": int(word[1:])} for word in text.split()]


@pytest.mark.parametrize(
    ("log", "lanes"),
    [
        ("p0 p1 s0", []),
        ("p0 s0 p1", []),
        ("s0 p0 p1", ["s"]),
        ("p1 p0 s0", ["p"]),
        ("p0 s0", ["p"]),
        ("p0 p1", ["s"]),
        ("p0 p1 p1 s0", ["p"]),
        ("p0 p1 s0 x0", ["x"]),
        ("", ["p", "p", "s"]),
    ],
)
def test_lanes_are_compared_each_for_itself_and_after_holds_between_them(log: str, lanes: list[str]) -> None:
    found = compare({"lanes": LANES, "after": [["s", 0, "p", 0]]}, log_of(log), lane_of)
    assert [one.lane for one in found] == lanes


def test_a_difference_says_where_it_is() -> None:
    (found,) = differences({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}]})
    assert (found.text, found.record, found.expected, found.observed) == (
        "differs from the reference at /value/a/1/b",
        0,
        2,
        3,
    )
    (missing,) = differences({"a": 1}, {})
    assert (missing.text, missing.expected, missing.observed) == (
        "differs from the reference at /value/a",
        1,
        "(nothing)",
    )
    (surplus,) = differences({}, {"b": 1})
    assert (surplus.text, surplus.expected, surplus.observed) == (
        "differs from the reference at /value/b",
        "(nothing)",
        1,
    )


def test_a_difference_below_a_key_with_a_slash_is_at_its_pointer() -> None:
    (found,) = differences({"a/b": {"~": 1}}, {"a/b": {"~": 2}})
    assert found.text == "differs from the reference at /value/a~1b/~0"


def test_a_record_too_few_or_too_many_is_told() -> None:
    (few,) = compare({"lanes": {"p": LANES["p"]}, "after": []}, log_of("p0"), lane_of)
    assert (few.text, few.record, few.expected) == ("the reference demands a further record", None, LANES["p"][1])
    (many,) = compare({"lanes": {"p": []}, "after": []}, log_of("p0"), lane_of)
    assert (many.text, many.record, many.observed) == ("the reference allows no further record here", 0, LANES["p"][0])
    (order,) = compare({"lanes": LANES, "after": [["s", 0, "p", 1]]}, log_of("p0 s0 p1"), lane_of)
    assert order.text == "comes before record 1 of lane p, on which it depends"


def dropped(log: list[Json], at: int) -> list[Json]:
    return log[:at] + log[at + 1 :]


def repeated(log: list[Json], at: int) -> list[Json]:
    return [*log[: at + 1], *log[at:]]


def marked(log: list[Json], at: int) -> list[Json]:
    return [*log[:at], {**log[at], "surplus": 1}, *log[at + 1 :]]


@pytest.mark.long
@pytest.mark.parametrize("change", [dropped, repeated, marked])
def test_a_changed_log_is_found(change: Callable[[list[Json], int], list[Json]]) -> None:
    for seed in range(60):
        edition, dialect = SETTINGS[seed % len(SETTINGS)]
        full = SUITE.generate(SeededChoices(seed), dialect)
        prepared = SUITE.prepare(full, edition, dialect)
        if prepared.prediction.get("open"):  # a storm: nothing is foretold of it, and rules of its own judge it
            continue
        log, _ = prepared.observe(lawful(prepared, seed, dialect))
        lane = lanes(prepared)
        assert allows(prepared.prediction, log, lane)
        for at, record in enumerate(log):
            if change is marked or not has_an_open_end(prepared.prediction, lane(record)):
                assert not allows(prepared.prediction, change(log, at), lane), (seed, at)


def has_an_open_end(prediction: Json, lane: str) -> bool:
    """Tell whether of the records of a lane some may be missing: one more or one less can be lawful too."""
    return any("$maybe" in record for record in prediction["lanes"][lane])


@pytest.mark.long
@STEADY
@given(st.lists(st.sampled_from("ab"), max_size=6), st.lists(st.sampled_from("xy"), max_size=6))
def test_names_and_identities_correspond_one_to_one(names: list[str], labels: list[str]) -> None:
    lawful_pairs = len(names) == len(labels) and all(
        (n == m) == (left == right)
        for n, left in zip(names, labels, strict=True)
        for m, right in zip(names, labels, strict=True)
    )
    assert matched([{"$id": name} for name in names], labels) == lawful_pairs
