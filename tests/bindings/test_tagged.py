"""Our own host of cells, which speaks the outcomes of the document: judged, spoiled, killed."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from bindproof.cli import main
from bindproof.core.model import AdapterCommand
from bindproof.core.paths import adapters_root
from bindproof.runner.fault_trials import check_faults
from bindproof.targets import resolve
from tests.bindings.killed import each_costs_its_scenario_and_leaves_nothing

pytestmark = pytest.mark.binding

HOST = adapters_root() / "tagged-1" / "host"
NAME = "tagged-1"

SPOILED = {
    "SHP-002": ("shapes/terminations", "cell.py", '_outcome("terminated")', '_outcome("yielded")'),
    "SHP-003": (
        "shapes/terminations",
        "cell.py",
        '"content_items": items}',
        '"content_items": items, "error_text": None}',
    ),
    "SHP-004": (
        "shapes/nothing",
        "cell.py",
        '{**self._outcome("completed"), "error_text": self._error}',
        'self._outcome("completed")',
    ),
    "SHP-005": (
        "shapes/terminations",
        "tagged_host.py",
        '"type": "missing",',
        '"type": "missing", "content_items": [],',
    ),
    "SHP-007": ("shapes/no-detail", "cell.py", "{} if statement", '{"detail": None} if statement'),
    "RPL-001": ("replays/first-yield", "cell.py", "elif not self._was_observed and self._kept is None", "elif False"),
    "RPL-002": (
        "replays/terminated-instead",
        "cell.py",
        "self._items, self._kept = self._kept + self._items, None",
        "self._kept = None",
    ),
    "RPL-003": ("replays/one-cell", "tagged_host.py", "if known is not None:", "if False:"),
    "RPL-005": ("replays/told-again", "retries.py", "elif KEY in request:", "elif False:"),
    "RPL-006": ("replays/other-program", "retries.py", 'if source != request["source"]:', "if False:"),
    "RPL-008": ("replays/same-generation", "retries.py", "result if request[GENERATION] == latest else None", "None"),
    "RPL-009": ("replays/acknowledged", "retries.py", "if request[GENERATION] < latest:", "if False:"),
    "RPL-010": ("replays/chosen-again-later", "retries.py", "if how in request:", "if how == KEY and how in request:"),
    "RPL-011": ("replays/chosen-for-another", "retries.py", 'if source != request["source"]:', "if False:"),
}
"""Requirement → a vector, and what is written otherwise in a file of the host."""

KILLS_ITS_HOST = """
import os, sys
sys.path.insert(0, {folder!r})
import client
whole = client.Client.send
def kills(self, message):
    whole(self, message)
    with open({told!r}, "a") as told:
        told.write(f"{{self._host.pid}} ")
    if "kill-here" in str(message):
        self._host.kill()
client.Client.send = kills
exec(compile(open({program!r}).read(), {program!r}, "exec"))
"""


@pytest.fixture(scope="module")
def command() -> AdapterCommand:
    """How to start the adapter: nothing is fetched for it."""
    found = resolve(NAME, required=True, progress=lambda _: None)
    assert isinstance(found, AdapterCommand), found
    return found


def test_every_vector_conforms(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--suite", "cells", "--adapter", NAME]) == 0
    assert "81 scenarios, 0 unexpected divergences, 0 known, 22 inexpressible" in capsys.readouterr().out


def test_it_takes_every_step_of_smoke(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["smoke", NAME, "--suite", "cells"]) == 0
    assert "all 5 steps are taken" in capsys.readouterr().out


def test_generated_scenarios_are_as_the_reference_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fuzz", "--suite", "cells", "--adapter", NAME, "--examples", "200"]) == 0
    assert "0 unexpected divergences" in capsys.readouterr().out


def test_each_fault_breaks_exactly_what_it_names() -> None:
    found = check_faults(NAME, lambda text: None)
    assert [(one.fault.name, one.broken) for one in found if not one.exact] == []


@pytest.mark.parametrize("requirement", SPOILED)
def test_a_host_that_says_it_otherwise_is_named(
    requirement: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The adapter hands outcomes on as they are: it hides no fault of the wire that it speaks."""
    vector, name, written, instead = SPOILED[requirement]
    host = Path(shutil.copytree(HOST, tmp_path / "host"))
    text = (host / name).read_text()
    assert written in text
    (host / name).write_text(text.replace(written, instead))

    assert main(["run", "--suite", "cells", "--adapter", f"{NAME}@{host}", "--vector", f"cells/{vector}"]) == 1
    told = capsys.readouterr().out.splitlines()
    assert [line for line in told if line.startswith(f"{requirement} ")]


def test_a_host_that_is_killed_costs_its_scenario_and_leaves_nothing(command: AdapterCommand, tmp_path: Path) -> None:
    program = command.argv[2]
    source = KILLS_ITS_HOST.format(folder=str(Path(program).parent), told=str(tmp_path / "pids"), program=program)
    deadly = replace(command, argv=(sys.executable, "-S", "-c", source, *command.argv[3:]))

    assert len(set(each_costs_its_scenario_and_leaves_nothing(deadly, tmp_path))) >= 3
