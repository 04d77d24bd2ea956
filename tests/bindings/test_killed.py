"""Workers that are killed: by somebody else, which is nobody's fault, or by a scenario, which alone is lost."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from bindproof.core.model import AdapterCommand
from bindproof.drive import Job
from bindproof.targets import resolve
from tests.bindings.killed import answers
from tests.bindings.toolchains import BINDINGS, each, toolchain

pytestmark = pytest.mark.binding

Json = Any

CALL: Json = {
    "step": "call",
    "as": "c",
    "kind": "llm",
    "name": "gpt",
    "model": None,
    "metadata": None,
    "attributes": [],
    "parent": None,
    "codec": "none",
    "provider": [],
}

KILLS_ITSELF = """
import os, signal, sys
sys.path.insert(0, {folder!r})
import adapter
whole = adapter.Relay.call_llm
async def kills(self, step, *more):
    if step["request"]["content"] == "kill-here":
        os.kill(os.getpid(), signal.SIGKILL)
    return await whole(self, step, *more)
adapter.Relay.call_llm = kills
adapter.serve("c", "1", adapter.connect)
"""


def ready(adapter: str) -> AdapterCommand:
    """How to start the adapter, built on first use."""
    found = resolve(adapter, required=True, progress=lambda _: None)
    assert isinstance(found, AdapterCommand), found
    return found


def job(number: int, call: Json, content: str = "") -> Job:
    """One scenario with one call."""
    run = {"suite": "relay", "scenario": {"steps": [{**call, "request": {"headers": {}, "content": content}}]}}
    return Job(str(number), "relay", json.dumps(run).encode())


@pytest.mark.parametrize("adapter", each(*BINDINGS))
def test_killed_from_outside_nothing_is_lost(adapter: str, tmp_path: Path) -> None:
    command, told = ready(adapter), tmp_path / "pid"
    noted = replace(command, argv=("sh", "-c", f'echo $$ > {told}; exec "$@"', "sh", *command.argv))

    def jobs() -> Iterator[Job]:
        for number in range(400):
            if number == 200:
                os.kill(int(told.read_text()), signal.SIGKILL)
            yield job(number, CALL)

    found = answers(noted, jobs())
    assert len(found) == 400
    assert {answer.outcome for answer in found.values()} == {"observation"}


@toolchain("c")
def test_killed_by_a_scenario_that_scenario_alone_is_lost() -> None:
    command = ready("c")
    program = KILLS_ITSELF.format(folder=str(Path(command.argv[2]).parent))
    deadly = replace(command, argv=(sys.executable, "-S", "-c", program, *command.argv[3:]))
    jobs = (job(number, CALL, "kill-here" if number in (70, 71) else "") for number in range(200))

    found = answers(deadly, jobs)

    assert len(found) == 200
    assert {name for name, answer in found.items() if answer.outcome != "observation"} == {"70", "71"}
    assert {found[name].outcome for name in ("70", "71")} == {"crash"}
    assert "SIGKILL" in found["70"].reason
