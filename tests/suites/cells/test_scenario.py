"""The language of `cells`: what it refuses, and that a scenario as one writes it means the same when it is complete."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cells import SUITE, VECTORS

Json = Any
CELL: Json = {"step": "create", "as": "a", "program": []}
ASKED: Json = {"ask": "open"}
MADE: Json = {"ask": "create", "as": "a", "program": []}
SEEN: Json = {"ask": "observe", "cell": "a"}


def complete(*steps: Json) -> Json:
    """The complete scenario of these steps."""
    return SUITE.complete({"steps": list(steps)})


@pytest.mark.parametrize(
    ("scenario", "said"),
    [
        ({}, "either `steps`, `asks` or `frames`"),
        ({"steps": [{"step": "open"}], "frames": [{"frame": "hello"}]}, "either `steps`, `asks` or `frames`"),
        ({"asks": [ASKED, ASKED]}, "ask 1: a session is opened once"),
        ({"asks": [ASKED, {"ask": "observe", "cell": "a"}]}, "ask 1: there is no cell 'a' by then"),
        ({"asks": [{**MADE, "chosen": True}]}, "ask 0: nothing says whether a chosen id that was refused is taken"),
        ({"asks": [ASKED, MADE, MADE]}, "ask 2: 'a' is the name of two cells"),
        ({"asks": [ASKED, {**MADE, "chosen": True, "key": "k"}]}, "ask 1: a cell is created by a key, or by an id"),
        ({"asks": [ASKED, MADE, {**SEEN, "key": "k", "number": 0}]}, "ask 2: it has a key or a number"),
        ({"asks": [ASKED, MADE, {**SEEN, "number": 1}]}, "ask 2: nothing says what it is to leave a number out"),
        (
            {"asks": [ASKED, MADE, {"ask": "terminate", "cell": "a"}, {**SEEN, "number": 0}, {**SEEN, "number": 0}]},
            "nothing says what is kept",
        ),
        (
            {"asks": [ASKED, {**MADE, "chosen": True}, SEEN, {**MADE, "chosen": True}]},
            "ask 3: nothing says what it is to create 'a' again once it is gone",
        ),
        ({"steps": [{"step": "dance"}]}, "not a scenario"),
        ({"steps": [CELL, CELL]}, "the name of two cells"),
        ({"steps": [{"step": "await", "of": "a"}]}, "no observation 'a'"),
        ({"steps": [{"step": "reach", "cell": "a", "call": "l"}]}, "no cell 'a'"),
        ({"steps": [{"step": "observe", "cell": "a", "as": "o", "count": 2, "within": 1}]}, "have no deadline"),
        ({"steps": [{**CELL, "program": [{"do": "latch", "name": "l"}] * 2}]}, "have one name"),
    ],
)
def test_what_breaks_the_language_is_refused(scenario: Json, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        SUITE.complete(scenario)


def test_an_operation_is_of_the_session_of_its_cell_unless_it_says_otherwise() -> None:
    steps = complete(
        {**CELL, "session": "t"},
        {"step": "terminate", "cell": "a"},
        {"step": "terminate", "cell": "a", "session": "s"},
        {"step": "terminate", "cell": "nobody"},
    )["steps"]
    assert [step["session"] for step in steps] == ["t", "t", "s", "s"]


def test_a_vector_is_written_as_briefly_as_it_can_be() -> None:
    for vector in VECTORS:
        assert SUITE.complete(SUITE.brief(SUITE.complete(vector.scenario))) == SUITE.complete(vector.scenario)
        assert SUITE.brief(SUITE.complete(vector.scenario)) == vector.scenario, vector.id
