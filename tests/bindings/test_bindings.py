"""What the adapters of the real packages show, and that they keep their slate clean."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof.adapters import without_target
from bindproof.model import AdapterCommand

pytestmark = pytest.mark.binding

Json = Any

CODEC: Json = {"decode": [], "encode": []}
AWKWARD = "a\u2028b\u2029c\u0085d\u0000e\r\nf\ufeff\U0001f600\u007f"


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


def test_it_ends_by_itself_after_shutdown(talk: Any) -> None:
    assert talk.ask("shutdown")["result"] == {}
    assert talk.process.wait(5) == 0


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


def test_codec_path(talk: Any) -> None:
    edit = {"op": "edit", "set": {f"{talk.annotation}/model": "big", f"{talk.annotation}/vendor": [1]}}
    log = talk.observe(talk.intercept(edit), talk.call(codec=CODEC))
    order = [(seen["fact"], seen["callback"]) for seen in log if "callback" in seen]
    names = ["c.decode", "i", "c.encode", "c.provider"]
    assert order == [(fact, name) for name in names for fact in ("enter", "leave")]
    content = {"messages": [], "model": "big", "vendor": [1]}
    assert one(log, "enter", callback="c.encode")["given"][talk.annotation[1:]] == content
    assert one(log, "enter", callback="c.provider")["given"]["request"]["content"] == content


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


def test_an_exception_in_the_provider(talk: Any) -> None:
    log = talk.observe(talk.subscriber(), talk.call(provider=[{"op": "raise", "text": "boom-2!"}]))
    assert "boom-2!" in one(log, "done", step="c")["error"]["message"]
    assert len(of(log, "event")) == 2


def test_awkward_text_passes_unharmed(talk: Any) -> None:
    key = AWKWARD.replace("\0", "")  # the Node package refuses a NUL in a key
    request = {"headers": {"h": AWKWARD}, "content": {"messages": [], "text": AWKWARD, key: 1}}
    log = talk.observe(talk.intercept(talk.mark(name="m", data=AWKWARD)), talk.subscriber(), talk.call(request=request))
    assert one(log, "enter", callback="i")["given"]["request"] == request
    marks = [seen["event"] for seen in of(log, "event") if seen["event"]["kind"] == "mark"]
    assert [mark["data"] for mark in marks] == [AWKWARD]


def test_a_megabyte_passes(talk: Any) -> None:
    big = "x\u2028" * (1 << 19)
    request = {"headers": {}, "content": {"messages": [], "big": big}}
    log = talk.observe(talk.call(request=request, provider=[{"op": "edit", "set": {"": {"$get": "given/request"}}}]))
    assert one(log, "done", step="c")["value"]["content"] == request["content"]


@pytest.mark.parametrize(
    ("op", "pointer"),
    [
        ({"op": "edit", "set": {"/no/where": 1}}, "/no/where"),
        ({"op": "edit", "set": {"/request/content/messages/0": 1}}, "/request/content/messages/0"),
        ({"op": "edit", "remove": ["/nothing"]}, "/nothing"),
        ({"op": "edit", "append": {"/request": [1]}}, "/request"),
        ({"op": "edit", "set": {"/request": {"$get": "given/nothing"}}}, "/request"),
    ],
)
def test_a_bad_op_is_named(talk: Any, op: Json, pointer: str) -> None:
    error = talk.run(talk.subscriber(), talk.intercept({"op": "edit"}, op), talk.call())["error"]
    assert error["code"] == -32000
    assert error["message"].startswith(f"callback 'i', op 1, pointer '{pointer}': ")
    talk.observe(talk.call())


def test_undefined(talk: Any) -> None:
    reply = talk.run(talk.intercept(talk.mark(name="m", data={"$none": True})), talk.call())["result"]
    if talk.node:
        log = reply["observation"]["log"]
        assert one(log, "leave", callback="i")["reply"]["pendingMarks"][0]["data"] == {"$none": True}
    else:
        assert reply["inexpressible"]["path"] == "$none"


def test_what_is_not_built_is_unsupported(talk: Any) -> None:
    assert talk.run({"step": "mark", "as": "m"})["result"]["unsupported"]["capability"] == "mark"
    assert talk.run(talk.call(codec="openai_chat"))["result"]["unsupported"]["capability"] == "codec"


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


def test_two_hundred_scenarios_leave_nothing(talk: Any) -> None:
    full = [talk.subscriber(), talk.intercept(talk.mark(name="m")), talk.call(codec=CODEC), talk.helper()]
    roots = set()
    for turn in range(200):
        log = talk.observe(*(full if turn % 2 else [talk.subscriber("only"), talk.call()]))
        starts = [seen["event"] for seen in of(log, "event") if seen["event"].get("scope_category") == "start"]
        assert len(starts) == 1
        assert not of(log, "event", subscriber="s" if turn % 2 == 0 else "only")
        roots.add(starts[0]["propagation_root_uuid"])
    assert len(roots) == 200
