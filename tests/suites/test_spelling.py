from __future__ import annotations

from typing import Any

import pytest

from bindproof.suites.relay.scenario.spelling import Spelling
from tests.relay import plain

Json = Any

NODE, WIRE = Spelling.of(plain("node")), Spelling.of(plain("wire"))


def test_what_an_intercept_was_given_is_read() -> None:
    given = {"name": "gpt", "request": {"annotated": 1}, "annotated": {"annotated": 2}}
    assert NODE.canonical_argument(given) == {
        "name": "gpt",
        "request": {"annotated": 1},
        "annotated_request": {"annotated": 2},
    }
    assert WIRE.canonical_argument(given) == given


def test_a_canonical_key_is_unread_where_the_binding_has_its_own() -> None:
    assert NODE.canonical_argument({"annotated_request": 1}) == {"wire:annotated_request": 1}
    assert NODE.canonical_encode({"annotated": 1, "original": 2}) == {"annotated_request": 1, "original": 2}
    assert NODE.canonical_reply({"pending_marks": [{"categoryProfile": 1}]}) == {
        "wire:pending_marks": [{"categoryProfile": 1}]
    }


def test_a_reply_and_a_helpers_answer_are_read_with_their_marks() -> None:
    reply = {"request": 1, "pendingMarks": [{"categoryProfile": 2, "data_schema": 3}, None]}
    expected = {"request": 1, "pending_marks": [{"category_profile": 2, "wire:data_schema": 3}, None]}
    assert NODE.canonical_reply(reply) == expected
    assert NODE.canonical_helper(reply) == expected


@pytest.mark.parametrize("value", [None, "text", 3, [], {"pendingMarks": None}, {"pendingMarks": "text"}])
def test_malformed_values_pass(value: Json) -> None:
    read = NODE.canonical_reply(value)
    assert read == ({"pending_marks": value["pendingMarks"]} if isinstance(value, dict) else value)


@pytest.mark.parametrize(
    "outcome",
    [
        {"request": 1, "annotated_request": {"x": 1}, "pending_marks": [{"name": "m", "category_profile": {"y": 2}}]},
        {"request": 1, "optimization_contributions": [], "pending_marks": []},
    ],
)
def test_spelling_and_reading_are_each_others_reverse(outcome: Json) -> None:
    for spelling in (NODE, WIRE):
        replies = spelling.replies("llm.request")
        assert replies is not None
        assert spelling.canonical_reply(replies.value("", outcome)) == outcome
