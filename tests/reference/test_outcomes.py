from __future__ import annotations

from typing import Any

import pytest

from bindproof_reference.relay.editions import rules
from bindproof_reference.relay.outcomes import (
    Outcome,
    malformed_outcome,
    malformed_request,
    read_outcome,
    whole_outcome,
)

Json = Any

REQUEST: Json = {"headers": {}, "content": None}
SAVED = {"producer": "p", "kind": "k"}
MARK: Json = {"name": "m"}
NOW = rules("0.10")
FIRST = rules("0.5")


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        ({"request": REQUEST}, Outcome(REQUEST)),
        ({"request": REQUEST, "annotated_request": None, "pending_marks": []}, Outcome(REQUEST)),
        (
            {"request": REQUEST, "annotated_request": {"messages": [], "x": 1}},
            Outcome(REQUEST, {"messages": [], "x": 1}),
        ),
        ({"request": REQUEST, "annotated_request": {}}, Outcome(REQUEST, {})),
        ({"request": REQUEST, "pending_marks": [MARK, MARK]}, Outcome(REQUEST, None, (MARK, MARK))),
        ({"request": REQUEST, "optimization_contributions": [SAVED]}, Outcome(REQUEST, contributions=(SAVED,))),
        ({"request": {**REQUEST, "free": 1}}, Outcome({**REQUEST, "free": 1})),
    ],
)
def test_well_formed_outcomes(reply: Json, outcome: Outcome) -> None:
    assert read_outcome(reply, NOW) == outcome
    assert malformed_outcome(reply, NOW) is None


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (None, "the outcome is no object"),
        ("text", "the outcome is no object"),
        (3, "the outcome is no object"),
        ([REQUEST, None, []], "the outcome is no object"),
        ({}, "the outcome has no request"),
        ({"pendingMarks": []}, "the outcome has no request"),
        ({"request": REQUEST, "pendingMarks": []}, "the outcome has an unknown key 'pendingMarks'"),
        ({"request": None}, "the request is no object"),
        ({"request": []}, "the request is no object"),
        ({"request": {"content": 1}}, "the request's headers are no object"),
        ({"request": {"headers": None, "content": 1}}, "the request's headers are no object"),
        ({"request": {"headers": [], "content": 1}}, "the request's headers are no object"),
        ({"request": {"headers": {}}}, "the request has no content"),
        ({"request": REQUEST, "annotated_request": "x"}, "the annotation is no object"),
        ({"request": REQUEST, "annotated_request": []}, "the annotation is no object"),
        ({"request": REQUEST, "annotated_request": {"messages": None}}, "the annotation's messages are no list"),
        ({"request": REQUEST, "pending_marks": None}, "the pending marks are no list"),
        ({"request": REQUEST, "pending_marks": {}}, "the pending marks are no list"),
        ({"request": REQUEST, "pending_marks": [MARK, None]}, "a pending mark is no object"),
        ({"request": REQUEST, "pending_marks": [MARK, {}]}, "a pending mark has no name"),
        ({"request": REQUEST, "optimization_contributions": None}, "the optimization contributions are no list"),
        ({"request": REQUEST, "optimization_contributions": [1]}, "an optimization contribution is no object"),
        (
            {"request": REQUEST, "optimization_contributions": [SAVED, {"producer": "p"}]},
            "an optimization contribution needs a producer and a kind",
        ),
        (
            {"request": REQUEST, "optimization_contributions": [SAVED | {"applied": None}]},
            "whether an optimization contribution is applied is no truth value",
        ),
    ],
)
def test_malformed_outcomes_say_why(reply: Json, reason: str) -> None:
    assert read_outcome(reply, NOW) == reason
    assert malformed_outcome(reply, NOW) == reason


@pytest.mark.parametrize("content", [None, False, 0, "", [], {}])
def test_content_is_any_value(content: Json) -> None:
    assert malformed_request({"headers": {}, "content": content}) is None


def test_an_outcome_has_the_fields_of_its_edition() -> None:
    reply = {"request": REQUEST, "optimization_contributions": []}
    assert malformed_outcome(reply, FIRST) == "the outcome has an unknown key 'optimization_contributions'"
    assert whole_outcome(Outcome(REQUEST), FIRST) == {
        "request": REQUEST,
        "annotated_request": None,
        "pending_marks": [],
    }
    assert whole_outcome(Outcome(REQUEST), NOW) == whole_outcome(Outcome(REQUEST), FIRST) | {
        "optimization_contributions": []
    }
