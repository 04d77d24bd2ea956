"""The ids that a scenario chooses for its steps decide nothing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.relay import NEWEST, SUB, SUITE, broken, call, intercept, judged, lawful, marks

Json = Any

CODED: Json = {"decode": [], "encode": []}
BESIDE: dict[str, list[Json]] = {
    "a call": [call()],
    "calls with a codec": [call(codec=CODED), call("c2", codec=CODED)],
    "a stream": [call("st", kind="llm_stream")],
}


def outcome(*steps: Json, dialect: str) -> dict[str, str]:
    """What the reference is blamed for when it acts these steps out; nothing, too, where they are refused as read."""
    try:
        full = SUITE.complete({"steps": list(steps)})
    except ValueError:
        return {}
    prepared = SUITE.prepare(full, NEWEST, dialect)
    return broken(judged(prepared, lawful(prepared, 0, dialect), NEWEST, dialect))


@pytest.mark.parametrize("dialect", ["wire", "python", "node"])
@pytest.mark.parametrize("name", ["i.sanitize", "i.inject", "x.source", "x.collector"])
def test_id_that_ends_as_another_lane_leaves_the_reference_unblamed(name: str, dialect: str) -> None:
    assert outcome(SUB, intercept(marks("m1"), name=name), call(), dialect=dialect) == {}


@pytest.mark.parametrize(
    ("name", "family", "beside"),
    [
        ("c.provider", "llm.request", "a call"),
        ("c.provider", "llm.conditional", "a call"),
        ("c.decode", "llm.request", "calls with a codec"),
        ("c.encode", "llm.execution", "calls with a codec"),
        ("c.encode", "llm.conditional", "calls with a codec"),
        ("st.source", "llm.request", "a stream"),
        ("st.collector", "llm.request", "a stream"),
        ("st.finalizer", "llm.conditional", "a stream"),
    ],
)
def test_id_that_is_a_part_of_a_call_leaves_the_reference_unblamed(name: str, family: str, beside: str) -> None:
    registered: Json = {"step": "register", "as": name, "family": family, "name": "n"}
    assert outcome(SUB, registered, *BESIDE[beside], dialect="wire") == {}
