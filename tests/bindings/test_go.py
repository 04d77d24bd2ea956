"""The Go adapter: its own tests with the race detector, its format, and what differs from the other bindings."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from bindproof.core.model import AdapterCommand, Unavailable
from bindproof.suites.relay.targets import go_target, go_upstream_target
from bindproof.suites.relay.targets.c_library import library
from bindproof.targets import resolve
from bindproof.targets.manifest import manifest_of
from bindproof.targets.terms import Terms
from tests.bindings.conftest import Conversation
from tests.bindings.toolchains import toolchain

pytestmark = [pytest.mark.binding, toolchain("go")]

Json = Any


def silent(text: str) -> None:
    """Nobody is told."""


def go(folder: Path, *arguments: str, env: Mapping[str, str]) -> str:
    """What a go command prints; it must succeed."""
    ended = subprocess.run(["go", *arguments], cwd=folder, env=dict(env), capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout + ended.stderr


@pytest.fixture(scope="module")
def command() -> AdapterCommand:
    """How to start the adapter; its library is built on first use."""
    found = resolve("go", required=True, progress=silent)
    assert isinstance(found, AdapterCommand), found
    return found


@pytest.fixture(scope="module")
def settings() -> Mapping[str, str]:
    """The environment that go builds in."""
    release = manifest_of("go").get.release
    assert release
    return go_target.settings(library(release, Terms(silent)))


@pytest.fixture
def talk(command: AdapterCommand, schema: Any) -> Iterator[Conversation]:
    """A process that has initialized."""
    conversation = Conversation(command, schema)
    conversation.initialize()
    yield conversation
    conversation.end()


def facts(log: list[Json], fact: str, **members: Json) -> list[Json]:
    """The facts of one kind with these members."""
    return [seen for seen in log if seen["fact"] == fact and members.items() <= seen.items()]


def test_its_own_tests(repository: Path, settings: Mapping[str, str]) -> None:
    """Those of the SDK need no library: they are run with the lints."""
    folder = repository / "adapters" / "go"
    assert "FAIL" not in go(folder, "test", "-race", "-count=1", "./...", env=settings)
    go(folder, "vet", "./...", env=settings)


def test_its_format(repository: Path) -> None:
    folders = [str(repository / "adapters" / module) for module in ("sdk/go", "go", "go-upstream")]
    assert subprocess.run(["gofmt", "-l", *folders], capture_output=True, text=True, check=True).stdout == ""


def test_it_says_what_it_drives(command: AdapterCommand, schema: Any) -> None:
    conversation = Conversation(command, schema)
    told = conversation.initialize()["result"]
    conversation.end()
    assert told["target"]["name"] == "nemo-relay-ffi/go"
    assert told["target"]["version"] == command.version
    assert told["suites"] == {"relay": {"dialect": "go", "capabilities": []}}
    assert {Path(path).suffix for path in command.files} >= {".h"}


def test_a_built_library_is_linked(schema: Any) -> None:
    built = library(str(manifest_of("go").get.release), Terms(silent))
    found = resolve(f"go@{built.folder}", required=True, progress=silent)
    assert isinstance(found, AdapterCommand), found
    conversation = Conversation(found, schema)
    told = conversation.initialize()["result"]
    conversation.observe(conversation.call())
    conversation.end()
    assert told["target"]["version"] == built.version


def test_the_library_judges_what_go_would_hide(talk: Conversation) -> None:
    request: Json = {"headers": {}, "content": {"messages": []}}
    for reply, accepted in [
        ({"request": request, "pending_marks": [{"name": "m", "bogus": 1}], "bogus": 1}, True),
        ([request, None, [], []], True),
        ({"request": request, "pending_marks": None}, False),
        ({"REQUEST": request}, False),
        ({"request": request, "pending_marks": [{"Name": "m"}]}, False),
    ]:
        log = talk.observe(talk.intercept({"op": "edit", "set": {"": reply}}), talk.call())
        assert facts(log, "leave", callback="i")[0]["reply"] == reply
        assert ("value" in facts(log, "done", step="c")[0]) is accepted, reply


def test_numbers_keep_their_digits(talk: Conversation) -> None:
    answer = {"int": 9007199254740993, "float": 1.0, "small": 1e-7}
    log = talk.observe(talk.call(provider=[{"op": "edit", "set": {"": answer}}]))
    value = facts(log, "done", step="c")[0]["value"]
    assert value == answer
    assert isinstance(value["float"], float)


def test_what_c_cannot_say_is_inexpressible(talk: Conversation) -> None:
    encode: Json = {"decode": [], "encode": [{"op": "edit", "set": {"/headers": {"x": 1}}}]}
    for path, step in {
        "name": talk.call(name="a\0b"),
        "model": talk.call(model="a\0b"),
        "encode": talk.call(codec=encode),
        "$none": talk.call(provider=[{"op": "edit", "set": {"": {"$none": True}}}]),
    }.items():
        assert talk.run(step)["result"]["inexpressible"]["path"] == path
    talk.observe(talk.call())


def test_the_error_text_is_there_every_time(talk: Conversation) -> None:
    steps = [talk.intercept({"op": "raise", "text": "boom-1!"})]
    steps += [{**talk.helper(), "as": f"h{turn}"} for turn in range(200)]
    errors = [fact["error"] for fact in facts(talk.observe(*steps), "done") if "error" in fact]
    assert {(error["code"], error["message"]) for error in errors} == {("INTERNAL", "internal error: boom-1!")}
    assert len(errors) == 200


def test_a_thousand_scenarios_leave_nothing(talk: Conversation) -> None:
    codec: Json = {"decode": [], "encode": []}
    for _ in range(1000):
        log = talk.observe(talk.subscriber(), talk.intercept(talk.mark(name="m")), talk.call(codec=codec))
        assert len(facts(log, "event")) == 3


def test_plugins_leave_nothing(talk: Conversation) -> None:
    inside = [talk.intercept(talk.mark(name="m")), talk.subscriber()]
    do: Json = [{"op": "step", "step": step} for step in inside]
    install: Json = {"step": "install", "as": "p", "plugins": ["p"], "do": do}
    raising: Json = {**install, "do": [*do, {"op": "raise", "text": "boom-1!"}]}
    uninstall: Json = {"step": "uninstall", "as": "u", "of": "p"}
    for _ in range(100):
        assert len(facts(talk.observe(install, talk.call()), "event")) == 3
        assert facts(talk.observe(install, uninstall, talk.call()), "event") == []
        error = facts(talk.observe(raising, talk.call()), "done", step="p")[0]["error"]
        assert (error["code"], error["message"]) == ("INTERNAL", "registration failed: boom-1!")


def test_upstream_is_unavailable_without_a_checkout(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(go_upstream_target.CHECKOUT, raising=False)
    unset = resolve("go-upstream", required=True, progress=silent)
    monkeypatch.setenv(go_upstream_target.CHECKOUT, str(tmp_path))
    empty = resolve("go-upstream", required=True, progress=silent)
    for found in (unset, empty):
        assert isinstance(found, Unavailable)
        assert go_upstream_target.CHECKOUT in found.reason
        assert go_upstream_target.CHECKOUT in found.remedy


@pytest.mark.skipif(go_upstream_target.CHECKOUT not in os.environ, reason="no checkout of upstream's Go package")
def test_upstream_answers(schema: Any) -> None:
    found = resolve("go-upstream", required=True, progress=silent)
    assert isinstance(found, AdapterCommand), found
    conversation = Conversation(found, schema)
    conversation.initialize()
    unset: Json = {
        "op": "edit",
        "set": {"": {"request": {"headers": {}, "content": 1}, "pending_marks": [{"data": 1}]}},
    }
    log = conversation.observe(conversation.subscriber(), conversation.intercept(unset), conversation.call())
    unknown = conversation.run(conversation.intercept({"op": "edit", "set": {"/bogus": 1}}), conversation.call())
    conversation.end()
    marks = [seen["event"] for seen in facts(log, "event") if seen["event"]["kind"] == "mark"]
    assert [mark["name"] for mark in marks] == [""], "a name that is left out is Go's empty text"
    assert "bogus" in unknown["result"]["inexpressible"]["reason"]
    assert unknown["result"]["inexpressible"]["path"] == "reply", "the dialect lists it"


def test_before_0_9_what_wraps_a_tool_is_told_its_arguments_alone(schema: Any) -> None:
    found = resolve("go@0.8.4", required=True, progress=silent)
    assert isinstance(found, AdapterCommand), found
    conversation = Conversation(found, schema)
    conversation.initialize()
    wrapped: Json = {"step": "register", "as": "x", "family": "tool.execution", "name": "x", "scope": "global"}
    wrapped |= {"priority": 0, "break_chain": False, "do": []}
    call: Json = {
        "step": "call",
        "as": "c",
        "kind": "tool",
        "name": "t",
        "args": {"tool_name": 1},
        "tool_call_id": "id",
    }
    call |= {"metadata": None, "attributes": [], "parent": None, "provider": [], "background": False}
    log = conversation.observe(wrapped, call)
    conversation.end()
    assert facts(log, "enter", callback="x")[0]["given"] == {"args": {"tool_name": 1}}


def test_without_go_it_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    real = shutil.which
    monkeypatch.setattr(shutil, "which", lambda name, *rest: None if name == "go" else real(name, *rest))
    found = resolve("go", required=True, progress=silent)
    assert isinstance(found, Unavailable)
    assert "https://go.dev" in found.remedy
