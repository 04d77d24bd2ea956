"""The real packages behind their adapters, spoken to without the harness; every reply is checked against the schema."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from bindproof.core.model import AdapterCommand
from bindproof.targets import resolve

Json = Any

HELLO = {"protocol_versions": [1], "harness": {"name": "tests", "version": "1"}}


class Conversation:
    """One adapter process and the binding's own names. Steps are made here, complete, as the harness sends them."""

    def __init__(self, command: AdapterCommand, schema: jsonschema_rs.Validator) -> None:
        self.name = command.name
        self.node = command.name.startswith("node")
        self.marks = "/pendingMarks" if self.node else "/pending_marks"
        self.annotation = "/annotated" if self.node else "/annotated_request"
        self._schema = schema
        self._sent = 0
        self.process = subprocess.Popen(
            command.argv,
            cwd=command.cwd,
            env=dict(command.env),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def ask(self, method: str, params: Json = None) -> Json:
        """One request and its reply, whole."""
        assert self.process.stdin
        assert self.process.stdout
        self._sent += 1
        message = {"jsonrpc": "2.0", "id": self._sent, "method": method, "params": params or {}}
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line.endswith(b"\n"), f"the adapter's stdout ended with {line!r}"
        reply = json.loads(line)
        self._schema.validate(reply)
        assert reply["id"] == self._sent
        return reply

    def initialize(self) -> Json:
        """The reply to `initialize`."""
        return self.ask("initialize", HELLO)

    def run(self, *steps: Json) -> Json:
        """The reply to one scenario."""
        return self.ask("run", {"suite": "relay", "scenario": {"steps": list(steps)}})

    def observe(self, *steps: Json) -> Json:
        """The log of one scenario that can be acted out and leaves nothing behind."""
        reply = self.run(*steps)
        observation = reply["result"]["observation"]
        assert observation["left"] == []
        assert observation["stray"] == []
        assert observation["log"][-1] == {"fact": "settled"}
        return observation["log"]

    def end(self) -> None:
        """Close both pipes and wait."""
        assert self.process.stdin
        assert self.process.stdout
        if self.process.poll() is None:
            self.process.kill()
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()

    def intercept(self, *do: Json, name: str = "i") -> Json:
        """A request intercept, its step's id its name."""
        base = {"step": "register", "as": name, "family": "llm.request", "name": name}
        return {**base, "scope": "global", "priority": 0, "break_chain": False, "do": list(do)}

    def subscriber(self, name: str = "s") -> Json:
        """A subscriber."""
        return {**self.intercept(name=name), "family": "subscriber"}

    def call(self, **more: Json) -> Json:
        """A managed call."""
        base: Json = {
            "step": "call",
            "as": "c",
            "kind": "llm",
            "name": "gpt",
            "model": None,
            "data": None,
            "metadata": None,
            "attributes": [],
            "parent": None,
            "codec": "none",
            "provider": [],
        }
        return {**base, "request": {"headers": {}, "content": {"messages": []}}, **more}

    def helper(self) -> Json:
        """The standalone helper."""
        request: Json = {"headers": {}, "content": {"messages": []}}
        return {"step": "helper", "as": "h", "kind": "llm.request", "name": "gpt", "request": request}

    def mark(self, **mark: Json) -> Json:
        """An op that appends one mark."""
        return {"op": "edit", "append": {self.marks: [mark]}}


@pytest.fixture(scope="session", params=["python", "node"])
def command(request: pytest.FixtureRequest) -> AdapterCommand:
    """How to start each default binding adapter, its package fetched on first use."""
    found = resolve(request.param, required=True, progress=lambda _: None)
    assert isinstance(found, AdapterCommand), found
    return found


@pytest.fixture(scope="session")
def schema(repository: Path) -> jsonschema_rs.Validator:
    """The protocol's own schema of a message, with the records of the suite relay."""
    schema = json.loads((repository / "spec/protocol/messages.schema.json").read_text())
    record = json.loads((repository / "spec/relay/record.schema.json").read_text())
    schema["$defs"] |= record["$defs"]
    for records in ("log", "stray"):
        schema["$defs"]["Observation"]["properties"][records]["items"] = {"oneOf": record["oneOf"]}
    return jsonschema_rs.validator_for(schema)


@pytest.fixture
def talk(command: AdapterCommand, schema: jsonschema_rs.Validator) -> Iterator[Conversation]:
    """A process that has initialized."""
    conversation = Conversation(command, schema)
    assert "result" in conversation.initialize()
    yield conversation
    conversation.end()


@pytest.fixture
def bare(schema: jsonschema_rs.Validator) -> Iterator[Any]:
    """Starts any command; what was started is ended."""
    started: list[Conversation] = []

    def start(command: AdapterCommand) -> Conversation:
        started.append(Conversation(command, schema))
        return started[-1]

    yield start
    for conversation in started:
        conversation.end()
