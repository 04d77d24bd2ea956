"""What the adapters of the real packages show, and that they keep their slate clean."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof.core.model import AdapterCommand
from bindproof.targets import without_target

pytestmark = pytest.mark.binding

Json = Any

CODEC: Json = {"decode": [], "encode": []}


def of(log: list[Json], fact: str, **members: Json) -> list[Json]:
    """The facts of one kind with these members."""
    return [seen for seen in log if seen["fact"] == fact and members.items() <= seen.items()]


def one(log: list[Json], fact: str, **members: Json) -> Json:
    """The one fact of this kind with these members."""
    (found,) = of(log, fact, **members)
    return found


def test_it_says_what_it_drives(bare: Any, command: AdapterCommand) -> None:
    told = bare(command).initialize()["result"]
    assert told["target"]["version"] == command.version
    assert told["suites"]["relay"]["dialect"] == command.name
    assert command.files


def test_without_its_package_it_refuses(bare: Any, command: AdapterCommand) -> None:
    without = without_target(command)
    assert without is not None
    error = bare(without).initialize()["error"]
    assert error["code"] == -32000
    assert "nemo-relay" in error["message"]


def test_two_marks(talk: Any) -> None:
    log = talk.observe(
        talk.subscriber(), talk.intercept(talk.mark(name="m1"), talk.mark(name="m2", severity="warn")), talk.call()
    )
    events = [seen["event"] for seen in of(log, "event", subscriber="s")]
    assert [event["name"] for event in events] == ["gpt", "m1", "m2", "gpt"]
    assert events[1]["timestamp"] == events[2]["timestamp"]
    assert events[2]["metadata"] == {"nemo_relay.log.severity": "warn"}
    assert one(log, "done", step="c")["value"] == {"ok": True}


def test_helper_gives_every_key(talk: Any) -> None:
    outcome = one(talk.observe(talk.intercept(talk.mark(name="m")), talk.helper()), "done", step="h")["value"]
    assert outcome.keys() >= {"request", talk.annotation[1:], talk.marks[1:]}
    assert len(outcome[talk.marks[1:]][0]) == 7


@pytest.mark.parametrize("reply", [None, 3, "x", [], [1], {}, {"request": None}, {"request": 1}])
def test_malformed_outcomes_end_the_call(talk: Any, reply: Json) -> None:
    log = talk.observe(talk.subscriber(), talk.intercept({"op": "edit", "set": {"": reply}}), talk.call())
    assert of(log, "leave", callback="i") or of(log, "refused", callback="i")
    assert one(log, "done", step="c")["error"]["message"]
    assert not of(log, "enter", callback="c.provider")
    assert not of(log, "event")


@pytest.mark.parametrize("mark", [{}, {"name": None}, {"name": "m", "bogus": 1}])
def test_malformed_marks_end_the_call(talk: Any, mark: Json) -> None:
    assert one(talk.observe(talk.intercept(talk.mark(**mark)), talk.call()), "done", step="c")["error"]


def test_an_exception_in_a_callback(talk: Any) -> None:
    log = talk.observe(talk.intercept({"op": "raise", "text": "boom-1!"}), talk.call())
    assert one(log, "leave", callback="i")["raised"] == "boom-1!"
    error = one(log, "done", step="c")["error"]
    assert "boom-1!" in error["message"]
    assert error["same_as"] in (None, "i")


def test_a_registration_inside_a_callback(talk: Any) -> None:
    inner = {"op": "step", "step": talk.intercept(name="j")}
    log = talk.observe(talk.intercept(inner), talk.call(), talk.call(**{"as": "c2"}))
    assert len(of(log, "enter", callback="j")) == 1
    second = [seen for seen in of(log, "done", step="j") if "error" in seen]
    assert "already exists" in second[0]["error"]["message"]


def test_a_name_that_is_taken(talk: Any) -> None:
    log = talk.observe(talk.subscriber(), {**talk.subscriber(), "as": "s2"}, talk.call())
    assert "already exists" in one(log, "done", step="s2")["error"]["message"]
    assert len(of(log, "event", subscriber="s")) == 2
