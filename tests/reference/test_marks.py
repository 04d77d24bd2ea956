from __future__ import annotations

from typing import Any

import pytest

from bindproof_reference.relay.editions import rules
from bindproof_reference.relay.marks import SEVERITY_KEY, full_form, malformed_mark, mark_fields

Json = Any

NOTHING: Json = dict.fromkeys(("category", "category_profile", "data", "data_schema", "metadata"))
NOW = rules("0.10")
FIRST = rules("0.5")
SCHEMA: Json = {"name": "n", "version": "1"}


@pytest.mark.parametrize(
    "mark",
    [
        {"name": "m"},
        {"name": ""},
        {"name": "m", **NOTHING, "severity": None},
        {"name": "m", "category": "weird", "severity": "trace"},
        {"name": "m", "category_profile": {"model_name": None, "tool_call_id": "t", "free": 1}},
        {"name": "m", "data": [1], "metadata": "text", "data_schema": {**SCHEMA, "free": 1}},
    ],
)
def test_well_formed_marks(mark: Json) -> None:
    assert malformed_mark(mark, NOW) is None


@pytest.mark.parametrize(
    ("mark", "reason"),
    [
        (None, "is no object"),
        ("m", "is no object"),
        ([], "is no object"),
        ({}, "has no name"),
        ({"name": None}, "has no name"),
        ({"name": 3}, "has no name"),
        ({"name": "m", "uuid": "u"}, "has an unknown key 'uuid'"),
        ({"name": "m", "timestamp": 1}, "has an unknown key 'timestamp'"),
        ({"name": "m", "categoryProfile": {}}, "has an unknown key 'categoryProfile'"),
        ({"name": "m", "category": 1}, "category is no text"),
        ({"name": "m", "severity": "fatal"}, "severity is unknown"),
        ({"name": "m", "severity": True}, "severity is unknown"),
        ({"name": "m", "severity": {}}, "severity is unknown"),
        ({"name": "m", "category_profile": "text"}, "category profile is no object"),
        ({"name": "m", "category_profile": []}, "category profile is no object"),
        ({"name": "m", "category_profile": {"model_name": 1}}, "category profile has a field of the wrong type"),
        ({"name": "m", "category_profile": {"subtype": []}}, "category profile has a field of the wrong type"),
        ({"name": "m", "data_schema": "text"}, "data schema needs a name and a version"),
        ({"name": "m", "data_schema": {"name": "n"}}, "data schema needs a name and a version"),
        ({"name": "m", "data_schema": {"name": "n", "version": 1}}, "data schema needs a name and a version"),
    ],
)
def test_malformed_marks_say_why(mark: Json, reason: str) -> None:
    assert reason in str(malformed_mark(mark, NOW))


@pytest.mark.parametrize(
    ("said", "on_the_event"),
    [
        ({}, {}),
        ({"category": "llm", "data": False}, {"category": "llm", "data": False}),
        ({"metadata": "text"}, {"metadata": "text"}),
        ({"category_profile": {}}, {"category_profile": {}}),
        ({"category_profile": {"model_name": None, "free": None}}, {"category_profile": {"free": None}}),
        ({"data_schema": {**SCHEMA, "free": 1}}, {"data_schema": SCHEMA}),
        ({"severity": "info"}, {"metadata": {SEVERITY_KEY: "info"}}),
        ({"severity": "warn", "metadata": {"k": 1}}, {"metadata": {"k": 1, SEVERITY_KEY: "warn"}}),
        ({"severity": "warn", "metadata": {SEVERITY_KEY: "info"}}, {"metadata": {SEVERITY_KEY: "warn"}}),
        ({"severity": None, "metadata": {"k": 1}}, {"metadata": {"k": 1}}),
    ],
)
def test_the_fields_of_a_marks_event(said: Json, on_the_event: Json) -> None:
    assert mark_fields({"name": "m", **said}) == {"name": "m", **NOTHING, **on_the_event}


def test_the_helper_shows_every_field() -> None:
    assert full_form({"name": "m"}, NOW) == {"name": "m", **NOTHING, "severity": None}
    said = {"name": "m", "severity": "info", "category_profile": {"subtype": None}, "data_schema": {**SCHEMA, "x": 1}}
    whole = full_form(said, NOW)
    assert set(whole) == set(NOW.mark_fields)
    assert (whole["severity"], whole["metadata"]) == ("info", None)
    assert (whole["category_profile"], whole["data_schema"]) == ({}, SCHEMA)


def test_before_schema_and_severity_there_are_neither() -> None:
    assert malformed_mark({"name": "m", "severity": "info"}, FIRST) == "a pending mark has an unknown key 'severity'"
    assert malformed_mark({"name": "m", "data_schema": SCHEMA}, FIRST) is not None
    assert full_form({"name": "m"}, FIRST).keys() == {"name", "category", "category_profile", "data", "metadata"}
