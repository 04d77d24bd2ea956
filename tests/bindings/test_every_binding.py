"""What the adapter of every real package shows, in whichever language it is written."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof.core.model import AdapterCommand
from bindproof.targets import resolve
from tests.bindings.toolchains import BINDINGS, each

pytestmark = pytest.mark.binding

Json = Any

CODEC: Json = {"decode": [], "encode": []}
AWKWARD = "a\u2028b\u2029c\u0085d\u0000e\r\nf\ufeff\U0001f600\u007f"


@pytest.fixture(scope="session", params=each(*BINDINGS))
def command(request: pytest.FixtureRequest) -> AdapterCommand:
    """How to start each binding's adapter, what it drives fetched or built on first use."""
    found = resolve(request.param, required=True, progress=lambda _: None)
    assert isinstance(found, AdapterCommand), found
    return found


def of(log: list[Json], fact: str, **members: Json) -> list[Json]:
    """The facts of one kind with these members."""
    return [seen for seen in log if seen["fact"] == fact and members.items() <= seen.items()]


def one(log: list[Json], fact: str, **members: Json) -> Json:
    """The one fact of this kind with these members."""
    (found,) = of(log, fact, **members)
    return found


def test_it_ends_by_itself_after_shutdown(talk: Any) -> None:
    assert talk.ask("shutdown")["result"] == {}
    assert talk.process.wait(5) == 0


def test_acting_out_changes_nothing_that_was_built(talk: Any, command: AdapterCommand) -> None:
    """What is changed in the cache is built anew at the next start, so an adapter must not write there."""
    talk.observe(talk.call())
    said: list[str] = []
    again = resolve(command.name, required=True, progress=said.append)
    assert isinstance(again, AdapterCommand), again
    assert [text for text in said if "built anew" in text] == []
    assert (again.cwd, again.files) == (command.cwd, command.files)


def test_codec_path(talk: Any) -> None:
    edit = {"op": "edit", "set": {f"{talk.annotation}/model": "big", f"{talk.annotation}/vendor": [1]}}
    log = talk.observe(talk.intercept(edit), talk.call(codec=CODEC))
    order = [(seen["fact"], seen["callback"]) for seen in log if "callback" in seen]
    names = ["c.decode", "i", "c.encode", "c.provider"]
    assert order == [(fact, name) for name in names for fact in ("enter", "leave")]
    content = {"messages": [], "model": "big", "vendor": [1]}
    assert one(log, "enter", callback="c.encode")["given"][talk.annotation[1:]] == content
    assert one(log, "enter", callback="c.provider")["given"]["request"]["content"] == content


def test_an_exception_in_the_provider(talk: Any) -> None:
    log = talk.observe(talk.subscriber(), talk.call(provider=[{"op": "raise", "text": "boom-2!"}]))
    assert "boom-2!" in one(log, "done", step="c")["error"]["message"]
    assert len(of(log, "event")) == 2


def test_a_megabyte_passes(talk: Any) -> None:
    big = "x\u2028" * (1 << 19)
    request = {"headers": {}, "content": {"messages": [], "big": big}}
    log = talk.observe(talk.call(request=request, provider=[{"op": "edit", "set": {"": {"$get": "given/request"}}}]))
    assert one(log, "done", step="c")["value"]["content"] == request["content"]


def test_awkward_text_passes_unharmed(talk: Any) -> None:
    key = AWKWARD.replace("\0", "")  # the Node package refuses a NUL in a key
    request = {"headers": {"h": AWKWARD}, "content": {"messages": [], "text": AWKWARD, key: 1}}
    log = talk.observe(talk.intercept(talk.mark(name="m", data=AWKWARD)), talk.subscriber(), talk.call(request=request))
    assert one(log, "enter", callback="i")["given"]["request"] == request
    marks = [seen["event"] for seen in of(log, "event") if seen["event"]["kind"] == "mark"]
    assert [mark["data"] for mark in marks] == [AWKWARD]


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
    assert talk.run({"step": "dance", "as": "d"})["result"]["unsupported"]["capability"] == "dance"
    if talk.name != "c":
        raw: Json = {"step": "raw", "as": "r", "function": "last_error", "with": {}, "replies": {}, "inside": None}
        assert talk.run(raw)["result"]["unsupported"]["capability"] == "raw"
    if talk.name in ("c", "go"):
        built_in = talk.run(talk.call(codec="openai_chat"))["result"]["unsupported"]
        assert built_in["capability"] == "codec.builtin"


def test_an_answer_is_read_and_handed_on(talk: Any) -> None:
    answer = {"id": "i", "choices": []}
    provider = [{"op": "edit", "set": {"": answer}}]
    log = talk.observe(talk.subscriber(), talk.call(response_codec="openai_chat", provider=provider))
    assert one(log, "done", step="c")["value"] == answer
    end = of(log, "event")[-1]["event"]
    assert end["category_profile"]["annotated_response"] == {"id": "i", "api_specific": {"api": "openai_chat"}}


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
