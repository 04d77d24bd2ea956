"""What waits when an event is published: what a scenario may ask of it."""

from __future__ import annotations

import pytest

from bindproof.core.model import Json
from bindproof.suites.relay.scenario.complete import ScenarioError, complete

SUB: Json = {"step": "register", "as": "s", "family": "subscriber", "name": "s"}
MARK: Json = {"step": "mark", "as": "m", "name": "m"}
CALL: Json = {"step": "call", "as": "c", "name": "gpt"}
OPEN: Json = {"step": "open", "as": "o", "latch": "x"}
FLUSH: Json = {"step": "flush", "as": "f"}
REJECTS: Json = {"step": "register", "as": "r", "family": "llm.conditional", "name": "r"}


def _held(family: str = "mark.sanitize", **more: Json) -> Json:
    wait = {"op": "wait", "latch": "x"}
    return {"step": "register", "as": "z", "family": family, "name": "z", "do": [wait], **more}


@pytest.mark.parametrize(
    "steps",
    [
        [SUB, _held(), MARK, CALL, OPEN],
        [SUB, _held("start.sanitize"), CALL, OPEN, FLUSH],
        [SUB, _held("event.metadata"), MARK, OPEN],
        [SUB, _held("llm.sanitize_response"), CALL, OPEN],
    ],
)
def test_what_an_event_surely_comes_to_may_wait(steps: list[Json]) -> None:
    complete({"steps": steps})


@pytest.mark.parametrize(
    ("steps", "part"),
    [
        ([_held(), MARK, OPEN], "register a subscriber before it"),
        ([SUB, _held(), OPEN, MARK], "no event surely comes to it"),
        ([SUB, _held(), CALL, OPEN], "no event surely comes to it"),
        ([SUB, _held(), {**MARK, "severity": "info"}, OPEN], "no event surely comes to it"),
        ([SUB, REJECTS, _held("start.sanitize"), CALL, OPEN], "no event surely comes to it"),
        ([SUB, _held("start.sanitize"), {**CALL, "codec": {}}, OPEN], "no event surely comes to it"),
        ([SUB, _held("llm.sanitize_response"), {**CALL, "kind": "tool"}, OPEN], "no event surely comes to it"),
        ([SUB, _held(), MARK, FLUSH, OPEN], "nothing is flushed"),
        ([SUB, _held(), MARK, {"step": "deregister", "as": "d", "of": "s"}, OPEN], "nothing taken back"),
        ([SUB, _held(), MARK], "the program opens the latch 'x'"),
        ([SUB, OPEN, _held(), MARK], "the program opens the latch 'x'"),
        ([SUB, _held(), {**_held("event.metadata"), "as": "y"}, MARK, OPEN], "another such callback"),
        ([SUB, _held(), MARK, {**CALL, "background": True}, OPEN], "waits beside background"),
        ([SUB, {"step": "start", "as": "p", "name": "p"}, _held(scope="p"), MARK, OPEN], "a scope"),
    ],
)
def test_one_that_could_hang_or_never_stand_is_refused(steps: list[Json], part: str) -> None:
    with pytest.raises(ScenarioError, match=part):
        complete({"steps": steps})
