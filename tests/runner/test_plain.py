"""The plain form of a prediction: what is open, in which order, and what has no such form."""

from __future__ import annotations

import re
from typing import Any

import pytest

from bindproof.runner.plain import CUT, REFUSED, kinds, plain

Json = Any


def of(*records: Json, **lanes: list[Json]) -> Json:
    return {"lanes": {"program": list(records), **lanes}, "after": []}


def opened(value: Json) -> list[tuple[str, Json]]:
    """What is open in one value, by its rule."""
    (run,) = plain(of({"value": value})) or []
    return [(one["rule"], one["says"]) for one in run["open"]]


def test_a_value_without_matchers_is_to_be_equal_to() -> None:
    (run,) = plain(of({"step": "a", "value": {"list": [1, None]}})) or []
    assert run["records"] == [{"step": "a", "value": {"list": [1, None]}}]
    assert run["open"] == []


def test_a_place_is_told_by_the_keys_that_lead_to_it() -> None:
    (run,) = plain(of({"step": "a"}, {"value": ["x", {"uuid": {"$any": True}}]})) or []
    assert run["records"][1] == {"value": ["x", {"uuid": None}]}
    assert run["open"] == [{"at": [1, "value", 1], "key": "uuid", "rule": "any", "says": None}]


def test_what_is_open_in_an_open_object_comes_before_it() -> None:
    wanted = {"$contains": {"status": "ERROR", "text": {"$text": "boom"}}}
    assert opened(wanted) == [("text", "boom"), ("has", {"status": "ERROR", "text": None})]


def test_a_literal_is_equal_to_what_it_looks_like() -> None:
    (run,) = plain(of({"value": {"$literal": {"$any": True}}})) or []
    assert run["records"] == [{"value": {"$any": True}}]


@pytest.mark.parametrize(
    ("time", "says"),
    [
        ({"as": "t"}, {"name": "t", "of": None, "least": "0", "most": None}),
        ({"as": "t", "at": 7}, {"name": "t", "of": None, "least": "7000", "most": "7000"}),
        ({"as": "t", "of": "unknown", "at_least": 5}, {"name": "t", "of": None, "least": "0", "most": None}),
    ],
)
def test_times_have_one_form(time: Json, says: Json) -> None:
    assert opened({"$time": time}) == [("time", says)]


def test_a_time_is_measured_from_one_that_was_named_before() -> None:
    told = opened([{"$time": {"as": "start"}}, {"$time": {"of": "start", "equal": 1000}}])
    assert told[1] == ("time", {"name": "time 1", "of": "start", "least": "1000", "most": "1000"})


def test_a_record_that_may_be_one_of_two_gives_two_runs() -> None:
    runs = plain(of({"$one_of": [{"step": "a"}, {"step": "b"}]}, {"step": "c"})) or []
    assert [[one["step"] for one in run["records"]] for run in runs] == [["a", "c"], ["b", "c"]]


def test_places_in_order_are_those_of_the_records() -> None:
    wanted = of({"step": "a"}, {"step": "b"}, s=[{"subscriber": "s"}]) | {"after": [["s", 0, "program", 1]]}
    (run,) = plain(wanted) or []
    assert run["after"] == [[2, 1]]


@pytest.mark.parametrize(
    "wanted",
    [
        of({"$maybe": [{"step": "a"}], "of": "x"}),
        of({"value": {"$number": {"as": "n", "at_least": 1}}}),
        of({"callback": "c", "k": 0}, publication=[{"callback": "c", "k": 1}]),
        of({"step": "a"}, reader=[{"step": "b"}]),
        of(*[{"$one_of": [{"step": "a"}, {"step": "b"}]}] * 7),
    ],
    ids=["maybe", "number", "a callback in two lanes", "a step in a lane of its own", "too many runs"],
)
def test_what_has_no_plain_form_says_so(wanted: Json) -> None:
    assert plain(wanted) is None


ERRORS = [("first", "^bad: a"), ("second", "^bad: "), ("first", "late$")]
KNOWN = ["first", "second", "outcome_malformed", "callback_raised", "never"]


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("bad: a", "first"),
        ("bad: b", "second"),
        ("bad: b, late", "second"),
        ("too\nlate", "first"),
        (f"x {CUT}", "callback_raised"),
        (f"bad: {CUT}", "second"),
        (f"bad: {REFUSED}", "outcome_malformed"),
        ("x", "unknown"),
    ],
)
def test_a_message_has_the_kind_whose_expression_is_found_first(words: str, kind: str) -> None:
    assert [name for name, pattern in kinds(ERRORS, KNOWN).items() if re.search(pattern, words)] == [kind]
