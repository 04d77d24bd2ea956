"""A host of native plugins behind its adapter: what it takes and refuses is what the reference says."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from bindproof.cli import main
from bindproof.core.model import AdapterCommand
from bindproof.drive import Job
from bindproof.runner.fault_trials import check_faults
from bindproof.targets import resolve
from tests.bindings.killed import answers, killing_in_node, with_place
from tests.relay import SUITE

pytestmark = pytest.mark.binding

Json = Any

KILLS = """
import os, signal, sys
sys.path.insert(0, {folder!r})
import native_calls, {program}
whole = native_calls.counted_call
async def kills(relay, name, *more):
    if name == "kill-here":
        os.kill(os.getpid(), signal.SIGKILL)
    return await whole(relay, name, *more)
native_calls.counted_call = kills
native_calls.serve("{name}", "1", {program}.connect)
"""


IN_PYTHON = ("native", "native-c")
"""Each of these hosts has a program of its own, and the rest in common."""

HOSTS = (*IN_PYTHON, "native-node")


def ready(name: str) -> AdapterCommand:
    """How to start the adapter; its plugin, and a host that is no package, are built on first use."""
    found = resolve(name, required=True, progress=lambda _: None)
    if not isinstance(found, AdapterCommand):
        pytest.skip(f"{name} cannot be had: {found.reason}")
    return found


@pytest.mark.parametrize("name", [*HOSTS, pytest.param("native@0.9.4", marks=pytest.mark.long)])
def test_every_vector_conforms(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    ready(name)
    assert main(["run", "--suite", "relay", "--adapter", name, "--vector", "relay/native/*"]) == 0
    said = capsys.readouterr().out
    assert "0 unexpected divergences, 0 known" in said
    assert "17 held" in said


def job(number: int, name: str) -> Job:
    """One scenario with one call."""
    steps = SUITE.complete({"steps": [{"step": "native", "as": name}]})
    return Job(str(number), "relay", json.dumps({"suite": "relay", "scenario": steps}).encode())


def deadly(name: str, folder: Path) -> AdapterCommand:
    """How to start the adapter so that it is killed by the call `kill-here`."""
    command = ready(name)
    if name not in IN_PYTHON:
        return killing_in_node(command, folder, "host")
    own = Path(command.argv[2])
    program = KILLS.format(folder=str(own.parent), program=own.stem, name=name)
    return replace(command, argv=(sys.executable, "-S", "-c", program, *command.argv[3:]))


@pytest.mark.parametrize("name", HOSTS)
def test_a_host_that_is_killed_costs_its_scenario_and_leaves_nothing(name: str, tmp_path: Path) -> None:
    """The plugin is loaded then; its folder, and the copy of the library that the host made, go too."""
    (temporary := tmp_path / "temporary").mkdir()
    command = with_place(deadly(name, tmp_path), temporary)
    found = answers(command, (job(number, name) for number, name in enumerate(("a", "kill-here", "b"))))
    outcomes = {name: answer.outcome for name, answer in found.items()}
    assert outcomes == {"0": "observation", "1": "crash", "2": "observation"}
    assert list(temporary.iterdir()) == []


@pytest.mark.long
@pytest.mark.parametrize("name", ["native", "native-node"])
def test_each_fault_breaks_exactly_what_it_names(name: str) -> None:
    ready(name)
    found = check_faults(name, lambda text: None)
    assert [(one.fault.name, one.broken) for one in found if not one.exact] == []
