"""The protocol chapter, its schema and the code say the same."""

from __future__ import annotations

import hashlib
import json
import select
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from bindproof.core.model import AdapterCommand
from bindproof.drive import Limits
from bindproof.protocol.forms import ADAPTER_FAULT, PROTOCOL_VERSION
from bindproof.protocol.process import AdapterProcess
from bindproof.protocol.schema import schema_text
from bindproof.protocol.session import MOVES, Session

ROOT = Path(__file__).parents[2]
CHAPTER = (ROOT / "spec/protocol/README.md").read_text(encoding="utf-8")
SCHEMA_BYTES = (ROOT / "spec/protocol/messages.schema.json").read_bytes()
SCHEMA = json.loads(SCHEMA_BYTES)
KINDS = [entry["$ref"].removeprefix("#/$defs/") for entry in SCHEMA["anyOf"]]


def valid_as(message: Any) -> list[str]:
    return [kind for kind, form in zip(KINDS, SCHEMA["anyOf"], strict=True) if fits(form, message)]


def valid(definition: str, value: Any) -> bool:
    return fits({"$ref": f"#/$defs/{definition}"}, value)


def fits(form: Any, value: Any) -> bool:
    return jsonschema_rs.validator_for({**SCHEMA, "anyOf": [form]}).is_valid(value)


def spoken(fake: str, scenario: Any) -> list[Any]:
    """All messages of a real session with one run, requests and replies in turn."""
    command = AdapterCommand(fake, (sys.executable, "-S", str(ROOT / f"tests/fakes/{fake}.py")), {}, str(ROOT))
    process = AdapterProcess(command, 100)
    session: Session[None] = Session(1 << 20)
    told: list[Any] = []
    params = json.dumps({"suite": "relay", "scenario": scenario}).encode()
    requests: list[Callable[[], bytes]] = [
        lambda: session.initialize("0"),
        lambda: session.run(params, None),
        session.shutdown,
    ]
    for request in requests:
        line = request()
        process.send([line])
        answer = b""
        while not answer.endswith(b"\n"):
            select.select([process.stdout], [], [], 20)
            answer += process.read() or b""
        list(session.receive(answer))
        told += [json.loads(line), json.loads(answer)]
    process.end()
    return told


def test_the_schema_is_a_schema() -> None:
    jsonschema_rs.meta.validate(SCHEMA)


def test_the_chapter_carries_the_hash_of_the_schema() -> None:
    assert f"sha256 `{hashlib.sha256(SCHEMA_BYTES).hexdigest()[:12]}`" in CHAPTER


def test_the_chapter_has_the_table_of_states() -> None:
    rows = [f"| {state} | {move} | {after} |" for (state, move), after in MOVES.items()]

    assert "\n".join(["| state | move | next state |", "|-|-|-|", *rows, ""]) in CHAPTER


def test_the_chapter_has_the_limits() -> None:
    limits = Limits()
    rows = [
        ("line, either way", f"{limits.line >> 20} MiB"),
        ("answer to a scenario that is read", f"{limits.reply >> 20} MiB"),
        ("stderr that is kept", f"the last {limits.stderr >> 10} KiB"),
        ("answer to `initialize`", f"{limits.initialize:g} s"),
        ("answer to a scenario", f"{limits.scenario:g} s"),
        ("answer to `shutdown`, and then to end", f"{limits.shutdown:g} s each"),
        ("scenarios in flight", str(limits.window)),
        ("restarts", str(limits.restarts)),
    ]
    for name, value in rows:
        assert f"| {name} | {value} |" in CHAPTER


def test_the_chapter_names_version_and_code() -> None:
    assert f"# Adapter protocol {PROTOCOL_VERSION}\n" in CHAPTER
    assert f"code −{-ADAPTER_FAULT}" in CHAPTER


def test_the_examples_of_the_chapter_are_valid() -> None:
    blocks = CHAPTER.split("```json\n")[1:]
    lines = [line for block in blocks for line in block.split("```")[0].splitlines()]

    assert len(lines) == 7
    for line in lines:
        assert jsonschema_rs.is_valid(SCHEMA, json.loads(line)), line


@pytest.mark.long
@pytest.mark.parametrize(
    ("fake", "reply"),
    [("answers_well", "result"), ("reports_its_own_fault_on_poison", "error")],
)
def test_the_messages_of_real_sessions_are_valid(fake: str, reply: str) -> None:
    told = spoken(fake, {"steps": [{"step": "flush", "as": "poison"}]})

    for kind, message in zip(KINDS, told, strict=True):
        assert kind in valid_as(message), message
        assert jsonschema_rs.is_valid(SCHEMA, message)
    assert reply in told[3]


def test_the_committed_schema_is_made_of_the_types() -> None:
    command = "python -m bindproof.protocol.schema > spec/protocol/messages.schema.json"
    assert SCHEMA_BYTES.decode() == schema_text(), f"make it again: {command}"


def test_every_form_and_what_needs_words_is_described() -> None:
    assert [name for name, form in SCHEMA["$defs"].items() if not form.get("description", "").strip()] == []
    observation = SCHEMA["$defs"]["Observation"]["properties"]
    assert all(observation[member]["description"] for member in ("log", "left", "stray"))


OBSERVED = {"jsonrpc": "2.0", "id": 2, "result": {"observation": {"log": []}}}


@pytest.mark.parametrize(
    "message",
    [
        {**OBSERVED, "error": {"code": -32000, "message": "m"}},
        {"jsonrpc": "2.0", "id": 2},
        {**OBSERVED, "id": 0},
        {**OBSERVED, "more": 1},
        {**OBSERVED, "result": {}},
        {**OBSERVED, "result": {**OBSERVED["result"], "unsupported": {"capability": "c", "reason": "r"}}},  # type: ignore[dict-item]
        {**OBSERVED, "result": {"observation": {"log": [], "left": [{"family": "", "name": "n"}]}}},
        {**OBSERVED, "result": {"observation": {"log": [], "stray": [1]}}},
        {"jsonrpc": "2.0", "id": 1, "method": "run", "params": {"suite": "relay"}},
        {"jsonrpc": "2.0", "id": 1, "method": "tell", "params": {}},
    ],
)
def test_what_no_message_of_a_run_may_be_is_invalid(message: Any) -> None:
    """Of the reply to `shutdown` an object of any kind is a result."""
    assert "RunReplyMessage" in valid_as(OBSERVED)
    assert set(valid_as(message)) <= {"ShutdownReplyMessage"}


def test_a_suite_has_records_scenarios_and_an_entry_of_its_own() -> None:
    assert valid("Observation", {"log": [{"total": 2}]})
    assert not valid("Observation", {"log": [2]})
    assert valid("RunParams", {"suite": "tally", "scenario": {"numbers": [1, 2]}})
    assert not valid("RunParams", {"suite": "tally", "scenario": [1, 2]})
    assert valid("SuiteEntry", {"dialect": "d", "more": 1})
    assert not valid("SuiteEntry", {"capabilities": []})
    assert not valid("InitializeResult", {**INITIALIZED, "suites": {"tally": {}}})
    assert valid("InitializeResult", INITIALIZED)


INITIALIZED = {
    "protocol_version": 1,
    "adapter": {"name": "a", "version": "1"},
    "target": {"name": "t", "version": "2", "language": "c", "runtime": ""},
    "suites": {"tally": {"dialect": "d"}},
}
