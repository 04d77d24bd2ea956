from __future__ import annotations

from typing import Any

import pytest

from bindproof.suites import ObservationError
from bindproof.suites.relay.observation.records import invalid_record
from tests.relay import call, prepare

Json = Any

ERROR: Json = {"type": "E", "message": "m", "code": None, "same_as": None}


@pytest.mark.parametrize(
    "record",
    [
        {"fact": "enter", "callback": "i", "k": 0, "given": {}},
        {"fact": "leave", "callback": "i", "k": 0, "reply": None},
        {"fact": "leave", "callback": "i", "k": 0, "raised": "boom-1!"},
        {"fact": "refused", "callback": "i", "k": 0, "reply": None, "error": {"type": "E", "message": "m"}},
        {"fact": "done", "step": "c", "value": None},
        {"fact": "done", "step": "c", "error": ERROR},
        {"fact": "next", "callback": "x", "k": 0, "given": None},
        {"fact": "answer", "callback": "x", "k": 0, "value": None},
        {"fact": "answer", "callback": "x", "k": 0, "error": ERROR},
        {"fact": "wait", "callback": "c.provider", "k": 0, "latch": "x"},
        {"fact": "resume", "callback": "c.provider", "k": 0},
        {"fact": "cancelled", "callback": "c.provider", "k": 0},
        {"fact": "chunk", "callback": "c.source", "k": 0, "value": None},
        {"fact": "over", "callback": "c.source", "k": 0, "how": "closed"},
        {"fact": "over", "callback": "c.source", "k": 0, "raised": "boom-1!"},
        {"fact": "read", "step": "c", "value": None},
        {"fact": "event", "subscriber": "s", "event": {}},
        {"fact": "measure", "name": "r", "value": {}},
        {"fact": "settled"},
    ],
)
def test_records_that_an_adapter_may_send(record: Json) -> None:
    assert invalid_record([record]) is None


@pytest.mark.parametrize(
    ("record", "what"),
    [
        (
            None,
            "states no known fact; known: enter, leave, refused, next, answer, wait, resume, cancelled, chunk, over",
        ),
        ([], "states no known fact"),
        ({}, "states no known fact"),
        ({"fact": "guess"}, "states no known fact"),
        ({"fact": ["enter"]}, "states no known fact"),
        ({"fact": "enter", "callback": "i", "k": 0}, "(enter): 'given' is missing or of the wrong type"),
        ({"fact": "enter", "callback": 1, "k": 0, "given": {}}, "'callback' is missing or of the wrong type"),
        ({"fact": "leave", "callback": "i", "k": "0", "reply": 1}, "'k' is missing or of the wrong type"),
        ({"fact": "next", "callback": "x", "k": 0}, "(next): 'given' is missing"),
        ({"fact": "chunk", "callback": "c.source", "k": 0}, "(chunk): 'value' is missing"),
        ({"fact": "read", "step": "c"}, "(read): 'value' is missing"),
        (
            {"fact": "over", "callback": "c.source", "k": 0, "how": "lost"},
            "(over): needs either 'how', ended or closed",
        ),
        ({"fact": "over", "callback": "c.source", "k": 0, "how": "ended", "raised": "x"}, "(over): needs either 'how'"),
        ({"fact": "answer", "callback": "x", "k": 0}, "(answer): needs either 'value' or 'error'"),
        ({"fact": "leave", "callback": "i", "k": 0}, "needs either 'reply' or 'raised'"),
        ({"fact": "leave", "callback": "i", "k": 0, "reply": 1, "raised": "x"}, "needs either 'reply' or 'raised'"),
        ({"fact": "refused", "callback": "i", "k": 0, "error": "x"}, "'error' is missing or of the wrong type"),
        ({"fact": "done", "value": 1}, "'step' is missing or of the wrong type"),
        ({"fact": "done", "step": "c"}, "needs either 'value' or 'error'"),
        ({"fact": "done", "step": "c", "value": 1, "error": ERROR}, "needs either 'value' or 'error'"),
        ({"fact": "done", "step": "c", "error": "x"}, "'error' needs type, message, code and same_as"),
        ({"fact": "done", "step": "c", "error": {"message": "m"}}, "'error' needs type, message, code and same_as"),
        ({"fact": "done", "step": "c", "error": {**ERROR, "message": None}}, "'error' needs type, message"),
        ({"fact": "event", "subscriber": "s", "event": "x"}, "'event' is missing or of the wrong type"),
        ({"fact": "measure", "name": "r", "value": 1}, "(measure): 'value' is missing or of the wrong type"),
    ],
)
def test_records_that_are_none(record: Json, what: str) -> None:
    problem = invalid_record([{"fact": "settled"}, record])
    assert problem is not None
    assert problem.startswith("log record 1")
    assert what in problem


def test_observing_such_a_log_is_an_error_of_the_adapters() -> None:
    with pytest.raises(ObservationError, match="log record 0 states no known fact"):
        prepare(call()).observe([{"fact": "guess"}])
