from __future__ import annotations

from typing import Any

import pytest

from bindproof_reference.relay.dialects import holds_undefined, own_names, read, read_outcome, spell, spell_outcome
from tests.relay import plain

Json = Any

NODE = plain("node")
WIRE = plain("wire")


@pytest.mark.parametrize(
    ("kind", "side", "names"),
    [
        ("outcome", "argument", {"annotated_request": "annotated"}),
        (
            "outcome",
            "reply",
            {
                "annotated_request": "annotated",
                "pending_marks": "pendingMarks",
                "optimization_contributions": "optimizationContributions",
            },
        ),
        ("mark", "helper", {"category_profile": "categoryProfile", "data_schema": "dataSchema"}),
        ("mark", "event", {}),
        ("encode", "argument", {"annotated_request": "annotated"}),
    ],
)
def test_the_names_of_a_side(kind: str, side: str, names: dict[str, str]) -> None:
    assert own_names(NODE, kind, side) == names
    assert own_names(WIRE, kind, side) == {}


NAMES = {"a_b": "aB"}


@pytest.mark.parametrize("value", [None, 1, "a_b", ["a_b"]])
def test_what_is_no_object_is_not_respelled(value: Json) -> None:
    assert spell(value, NAMES) == value
    assert read(value, NAMES) == value


def test_only_the_keys_of_the_object_itself_are_respelled() -> None:
    assert spell({"a_b": {"a_b": 1}, "c": 2}, NAMES) == {"aB": {"a_b": 1}, "c": 2}
    assert read({"aB": {"aB": 1}, "c": 2}, NAMES) == {"a_b": {"aB": 1}, "c": 2}


def test_a_canonical_key_is_unread_where_there_is_an_own_one() -> None:
    assert read({"a_b": 1, "aB": 2}, NAMES) == {"wire:a_b": 1, "a_b": 2}
    assert read({"a_b": 1}, {}) == {"a_b": 1}


def test_an_outcome_is_read_with_its_marks() -> None:
    reply = {"request": 1, "pendingMarks": [{"categoryProfile": 2, "data_schema": 3}, "text"]}
    assert read_outcome(reply, NODE) == {
        "request": 1,
        "pending_marks": [{"category_profile": 2, "wire:data_schema": 3}, "text"],
    }
    assert read_outcome({"pending_marks": [{"category_profile": 1}]}, NODE) == {
        "wire:pending_marks": [{"category_profile": 1}]
    }
    assert read_outcome(reply, WIRE) == reply
    assert read_outcome(None, NODE) is None


def test_a_helpers_outcome_is_spelled_with_its_marks() -> None:
    outcome = {"request": 1, "annotated_request": 2, "pending_marks": [{"category_profile": {"category_profile": 3}}]}
    assert spell_outcome(outcome, NODE) == {
        "request": 1,
        "annotated": 2,
        "pendingMarks": [{"categoryProfile": {"category_profile": 3}}],
    }
    assert spell_outcome(outcome, WIRE) == outcome


@pytest.mark.parametrize(
    ("value", "holds"),
    [
        ({"$none": True}, True),
        ([{"a": [{"$none": True}]}], True),
        ({"$none": True, "a": 1}, False),
        ({"a": "$none"}, False),
        (None, False),
    ],
)
def test_undefined_is_found_anywhere(value: Json, holds: bool) -> None:
    assert holds_undefined(value) is holds
