from __future__ import annotations

from typing import Any

import pytest

from bindproof.suites import ObservationError
from bindproof.suites.relay.observation.records import decode
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
    (read,) = decode([record])
    assert type(read).__struct_config__.tag == record["fact"]


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
        ({"fact": "enter", "callback": "i", "k": 0}, "(enter): Object missing required field `given`"),
        ({"fact": "enter", "callback": 1, "k": 0, "given": {}}, "Expected `str`, got `int`, at 'callback'"),
        ({"fact": "leave", "callback": "i", "k": "0", "reply": 1}, "Expected `int`, got `str`, at 'k'"),
        ({"fact": "next", "callback": "x", "k": 0}, "(next): Object missing required field `given`"),
        ({"fact": "chunk", "callback": "c.source", "k": 0}, "(chunk): Object missing required field `value`"),
        ({"fact": "read", "step": "c"}, "(read): Object missing required field `value`"),
        (
            {"fact": "over", "callback": "c.source", "k": 0, "how": "lost"},
            "(over): Invalid enum value 'lost', at 'how'",
        ),
        (
            {"fact": "over", "callback": "c.source", "k": 0, "how": "ended", "raised": "x"},
            "(over): needs one of 'how' and 'raised', and not both",
        ),
        ({"fact": "answer", "callback": "x", "k": 0}, "(answer): needs one of 'value' and 'error'"),
        ({"fact": "leave", "callback": "i", "k": 0}, "needs one of 'reply' and 'raised'"),
        ({"fact": "leave", "callback": "i", "k": 0, "reply": 1, "raised": "x"}, "needs one of 'reply' and 'raised'"),
        ({"fact": "refused", "callback": "i", "k": 0, "error": "x"}, "(refused): 'error' is no object"),
        ({"fact": "done", "value": 1}, "Object missing required field `step`"),
        ({"fact": "done", "step": "c"}, "needs one of 'value' and 'error'"),
        ({"fact": "done", "step": "c", "value": 1, "error": ERROR}, "needs one of 'value' and 'error'"),
        ({"fact": "done", "step": "c", "error": "x"}, "'error' needs type, message, code and same_as"),
        ({"fact": "done", "step": "c", "error": {"message": "m"}}, "'error' needs type, message, code and same_as"),
        ({"fact": "done", "step": "c", "error": {**ERROR, "message": None}}, "'error' needs a text as message"),
        ({"fact": "event", "subscriber": "s", "event": "x"}, "'event' is no object"),
        ({"fact": "measure", "name": "r", "value": 1}, "(measure): 'value' is no object"),
    ],
)
def test_records_that_are_none(record: Json, what: str) -> None:
    with pytest.raises(ObservationError) as refused:
        decode([{"fact": "settled"}, record])
    assert str(refused.value).startswith("log record 1")
    assert what in str(refused.value)


def test_observing_such_a_log_is_an_error_of_the_adapters() -> None:
    with pytest.raises(ObservationError, match="log record 0 states no known fact"):
        prepare(call()).observe([{"fact": "guess"}])
