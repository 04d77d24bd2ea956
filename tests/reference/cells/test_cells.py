"""The reference of `cells`: what it allows of a scenario, and which scenarios leave too much to chance."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cells import prepare

Json = Any

OPEN: Json = {"step": "open"}
LATCH: Json = {"do": "latch", "name": "l"}


def text(what: str) -> Json:
    """A statement that puts a text out."""
    return {"do": "text", "text": what}


def create(*program: Json, **more: Json) -> Json:
    """A step that creates the cell `a`."""
    return {"step": "create", "as": "a", "program": list(program), **more}


REACH: Json = {"step": "reach", "cell": "a", "call": "l"}
RELEASE: Json = {"step": "release", "cell": "a", "latch": "l"}
OBSERVE: Json = {"step": "observe", "cell": "a", "as": "o"}


def awaiting(name: str) -> Json:
    """A step that waits for an observation."""
    return {"step": "await", "of": name}


def told(*steps: Json) -> dict[str, list[str]]:
    """The texts that each observation is told."""
    lanes = prepare(*steps).prediction["lanes"]
    outcomes = {lane.partition(" ")[2]: records[0] for lane, records in lanes.items() if lane.startswith("told ")}
    return {name: [item["text"] for item in one["outcome"]["content_items"]] for name, one in outcomes.items()}


def test_output_is_told_in_parts() -> None:
    found = told(OPEN, create(text("1"), {"do": "yield"}, text("2"), LATCH, text("3")), awaiting("a"), REACH,
                 {**OBSERVE, "within": 5}, awaiting("o"))  # fmt: skip
    assert found == {"a": ["1"], "o": ["2"]}


def test_what_is_called_comes_later_than_what_lets_it_be_called() -> None:
    prediction = prepare(OPEN, create(LATCH), REACH, {"step": "terminate", "cell": "a"}, awaiting("a")).prediction
    assert ["call a/l", 0, "program", 1] in prediction["after"]
    assert ["program", 3, "call a/l", 1] in prediction["after"]  # its end is told after the call is cancelled


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ([create(text("1")), {"step": "terminate", "cell": "a"}], "may still be running"),
        ([create(text("1"), LATCH), {"step": "terminate", "cell": "a"}], "how far the cell 'a' is"),
        ([create(LATCH), {"step": "terminate", "cell": "a"}], "before its call 'l'"),
        ([create(text("1"), LATCH, within=5)], "before the deadline"),
        ([create(text("1"), LATCH), awaiting("a")], "does not come back by itself"),
        ([create(text("1"))], "wait for its outcome first"),
        ([create(LATCH, within=5), RELEASE], "wait for the observation 'a' first"),
        ([create(text("1")), OBSERVE], "may still be running"),
        ([create(), RELEASE], "does not stand at the latch"),
    ],
)
def test_what_is_left_to_chance_is_refused(steps: list[Json], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        prepare(OPEN, *steps)


def test_a_yield_that_may_meet_an_observer_or_not_is_refused() -> None:
    program = [LATCH, {"do": "yield"}, text("1")]
    steps = [OPEN, create(*program), REACH, {"step": "yield", "of": "a"}, awaiting("a"), OBSERVE]
    with pytest.raises(ValueError, match="before it knows of its observer"):
        prepare(*steps, RELEASE)
    later = {"step": "observe", "cell": "a", "as": "p"}
    found = told(*steps[:-1], {**OBSERVE, "count": 2}, RELEASE, awaiting("o"), later, awaiting("p"))
    assert found == {"a": [], "o": [], "p": ["1"]}
