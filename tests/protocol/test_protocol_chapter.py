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
from bindproof.protocol.messages import ADAPTER_FAULT, PROTOCOL_VERSION
from bindproof.protocol.process import AdapterProcess
from bindproof.protocol.session import MOVES, Session

ROOT = Path(__file__).parents[2]
CHAPTER = (ROOT / "spec/protocol/README.md").read_text(encoding="utf-8")
SCHEMA_BYTES = (ROOT / "spec/protocol/messages.schema.json").read_bytes()
SCHEMA = json.loads(SCHEMA_BYTES)
KINDS = [entry["$ref"].removeprefix("#/$defs/") for entry in SCHEMA["anyOf"]]


def valid_as(message: Any) -> list[str]:
    return [kind for kind in KINDS if valid(kind, message)]


def valid(definition: str, value: Any) -> bool:
    return jsonschema_rs.validator_for({**SCHEMA, "anyOf": [{"$ref": f"#/$defs/{definition}"}]}).is_valid(value)


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


@pytest.mark.parametrize(
    ("fake", "reply"),
    [("answers_well", "run_reply"), ("reports_its_own_fault_on_poison", "error_reply")],
)
def test_the_messages_of_real_sessions_are_valid(fake: str, reply: str) -> None:
    told = spoken(fake, {"steps": [{"step": "flush", "as": "poison"}]})

    expected = ["initialize_request", "initialize_reply", "run_request", reply, "shutdown_request", "shutdown_reply"]
    for kind, message in zip(expected, told, strict=True):
        assert kind in valid_as(message), message


RECORDS: list[Any] = [
    {"fact": "enter", "callback": "i", "k": 0, "given": None},
    {"fact": "leave", "callback": "i", "k": 0, "reply": None},
    {"fact": "leave", "callback": "i", "k": 0, "raised": "boom-17!"},
    {"fact": "refused", "callback": "i", "k": 0, "reply": {}, "error": {"type": "TypeError", "message": "no"}},
    {"fact": "done", "step": "c", "value": None},
    {"fact": "done", "step": "c", "error": {"type": "E", "message": "m", "code": None, "same_as": "i"}},
    {"fact": "event", "subscriber": "s", "event": {}},
    {"fact": "settled"},
]


@pytest.mark.parametrize("record", RECORDS)
def test_records(record: Any) -> None:
    assert valid("relay_record", record)
    assert not valid("relay_record", {**record, "fact": "other"})
    assert not valid("relay_record", {**record, "more": 1})
    for key in record:
        assert not valid("relay_record", {name: value for name, value in record.items() if name != key})


def test_another_suite_has_records_of_its_own() -> None:
    assert valid("observation", {"log": [{"total": 2}]})
    assert valid("scenario", {"numbers": [1, 2]})
    assert not valid("observation", {"log": [2]})
    assert not valid("scenario", [1, 2])
