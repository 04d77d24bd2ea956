"""What the adapter of the Rust crate shows, and that it keeps its slate clean."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bindproof.core.model import AdapterCommand
from bindproof.targets import resolve, without_target
from tests.bindings.toolchains import toolchain

pytestmark = [pytest.mark.binding, toolchain("rust")]

Json = Any

CODEC: Json = {"decode": [], "encode": []}
RELEASES = ("rust", "rust@0.9.4")


@pytest.fixture(scope="session", params=RELEASES)
def command(request: pytest.FixtureRequest) -> AdapterCommand:
    """How to start the adapter on each release, built with cargo on first use."""
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


def test_it_says_what_it_drives(bare: Any, command: AdapterCommand) -> None:
    told = bare(command).initialize()["result"]
    assert (told["target"]["name"], told["target"]["version"]) == ("nemo-relay (crate)", command.version)
    assert told["target"]["runtime"].startswith("rustc 1.")
    assert told["suites"]["relay"]["dialect"] == "rust"
    assert set(command.files) == {"bindproof-rust", "Cargo.lock"}


def test_the_lock_names_the_release(command: AdapterCommand) -> None:
    lock = (Path(command.cwd) / "Cargo.lock").read_text()
    assert f'name = "nemo-relay"\nversion = "{command.version}"\n' in lock


def test_the_crate_is_in_the_program(command: AdapterCommand) -> None:
    assert without_target(command) is None


def test_it_ends_with_its_input(talk: Any) -> None:
    talk.process.stdin.close()
    assert talk.process.wait(5) == 0


def test_two_marks(talk: Any) -> None:
    marks = talk.mark(name="m1", category="custom", category_profile={"subtype": "a.b"}), talk.mark(name="m2", data=1.0)
    log = talk.observe(talk.subscriber(), talk.intercept(*marks), talk.call(model="gpt-large"))
    events = [seen["event"] for seen in of(log, "event")]
    assert [event["name"] for event in events] == ["gpt", "m1", "m2", "gpt"]
    assert events[0]["category_profile"]["model_name"] == "gpt-large"
    assert events[1]["category_profile"] == {"subtype": "a.b"}
    assert isinstance(events[2]["data"], float)
    assert one(log, "done", step="c")["value"] == {"ok": True}


def test_a_codec(talk: Any) -> None:
    edit = {"op": "edit", "set": {"/annotated_request/model": "other"}}
    request = {"headers": {}, "content": {"messages": [], "model": "m", "free": 1}}
    log = talk.observe(talk.intercept(edit), talk.call(codec=CODEC, request=request))
    assert one(log, "enter", callback="c.decode")["given"] == {"request": request}
    assert one(log, "enter", callback="c.encode")["given"]["annotated_request"] == {"messages": [], "model": "other"}
    assert one(log, "enter", callback="c.provider")["given"]["request"]["content"]["model"] == "other"


def test_the_helper_has_every_key(talk: Any) -> None:
    log = talk.observe(talk.intercept(talk.mark(name="m")), talk.helper())
    value = one(log, "done", step="h")["value"]
    assert {"request", "annotated_request", "pending_marks", "optimization_contributions"} >= set(value)
    assert value["annotated_request"] is None
    assert value["pending_marks"][0].keys() >= {
        "name",
        "category",
        "category_profile",
        "data",
        "metadata",
        "data_schema",
    }


@pytest.mark.parametrize("reply", [None, "text", 7, {}, {"request": None}, {"request": 1}])
def test_what_the_type_refuses_is_recorded_with_serdes_reason(talk: Any, reply: Json) -> None:
    log = talk.observe(talk.subscriber(), talk.intercept({"op": "edit", "set": {"": reply}}), talk.call())
    refused = one(log, "refused", callback="i")
    assert refused["reply"] == reply
    error = one(log, "done", step="c")["error"]
    assert error["type"] == "FlowError::Internal"
    assert error["message"] == f"internal error: intercept outcome: {refused['error']['message']}"
    assert not of(log, "enter", callback="c.provider")
    assert not of(log, "event")


def test_what_serde_lets_pass_is_passed(talk: Any) -> None:
    """The adapter adds no strictness of its own: a key that the crate's type does not know has no effect."""
    log = talk.observe(talk.subscriber(), talk.intercept(talk.mark(name="m", uuid="u")), talk.call())
    assert [seen["event"]["name"] for seen in of(log, "event")] == ["gpt", "m", "gpt"]


def test_errors_of_callbacks(talk: Any) -> None:
    raising = {"op": "raise", "text": "boom-1!"}
    for step in (talk.call(provider=[raising]), talk.call(codec={**CODEC, "decode": [raising]})):
        error = one(talk.observe(talk.subscriber(), step), "done", step="c")["error"]
        assert (error["message"], error["code"], error["same_as"]) == ("internal error: boom-1!", None, None)


@pytest.mark.parametrize(
    "number", [0, -1, 1.0, -0.0, 0.1, 1e-7, 123456789.12345679, 5e-324, 1.7976931348623157e308, 2**64 - 1, -(2**63)]
)
def test_numbers_pass_unharmed(talk: Any, number: float) -> None:
    log = talk.observe(talk.subscriber(), talk.intercept(talk.mark(name="m", data=number)), talk.call())
    (mark,) = [seen["event"] for seen in of(log, "event") if seen["event"]["kind"] == "mark"]
    assert (type(mark["data"]), repr(mark["data"])) == (type(number), repr(number))


@pytest.mark.parametrize(("value", "path"), [({"$none": True}, "$none"), (2**64, "$wide"), ("\ud800", "$surrogate")])
def test_what_rust_cannot_say(talk: Any, value: Json, path: str) -> None:
    reply = talk.run(talk.intercept(talk.mark(name="m", data=value)), talk.call())["result"]
    assert reply["inexpressible"]["path"] == path
    talk.observe(talk.call())


def test_a_registration_inside_a_callback(talk: Any) -> None:
    inner = {"op": "step", "step": talk.intercept(name="j")}
    log = talk.observe(talk.intercept(inner), talk.call(), talk.call(**{"as": "c2"}))
    assert len(of(log, "enter", callback="j")) == 1
    (second,) = [seen for seen in of(log, "done", step="j") if "error" in seen]
    assert (second["error"]["type"], "already exists" in second["error"]["message"]) == (
        "FlowError::AlreadyExists",
        True,
    )
