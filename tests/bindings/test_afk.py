"""The runner of AFK behind its adapter, on the checkout that AFK_SRC names."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from bindproof.cli import main
from bindproof.core.model import AdapterCommand
from bindproof.drive import Job
from bindproof.runner.fault_trials import check_faults
from bindproof.suites.interaction.targets.checkout_target import CHECKOUT
from bindproof.targets import resolve
from tests.bindings.killed import answers, with_place
from tests.interaction import SUITE

NO_CHECKOUT = f"AFK is in no registry: {CHECKOUT} names a checkout"

KILLS = """
import os, runpy, signal, sys
import bindproof_adapter
whole = bindproof_adapter.serve

def serve(name, version, connect):
    def connected():
        made = connect()
        import scripted
        answer = scripted.Scripted._answer
        async def kills(self, request, step):
            if step["text"] == "kill-here":
                os.kill(os.getpid(), signal.SIGKILL)
            return await answer(self, request, step)
        scripted.Scripted._answer = kills
        return made
    whole(name, version, connected)

bindproof_adapter.serve = serve
sys.argv[:] = sys.argv[1:]
sys.path.insert(0, os.path.dirname(sys.argv[0]))
runpy.run_path(sys.argv[0], run_name="__main__")
"""
"""Starts the adapter so that it is killed while its model answers with these words."""

pytestmark = [
    pytest.mark.binding,
    pytest.mark.long,
    pytest.mark.skipif(CHECKOUT not in os.environ, reason=NO_CHECKOUT),
]


@pytest.fixture(scope="module")
def command() -> AdapterCommand:
    """How to start the adapter; what AFK imports is installed on first use."""
    found = resolve("afk", required=True, progress=lambda _: None)
    assert isinstance(found, AdapterCommand), found
    return found


def test_every_vector_is_as_expected(command: AdapterCommand, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--suite", "interaction"]) == 0
    assert "2 of 2 adapters judged" in capsys.readouterr().out


def test_it_takes_every_step_of_smoke(command: AdapterCommand, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["smoke", "afk", "--suite", "interaction"]) == 0
    assert capsys.readouterr().out.count("ok   ") > len(SUITE.smoke)


def test_each_fault_breaks_exactly_what_it_names(command: AdapterCommand) -> None:
    found = check_faults("afk", lambda text: None)
    assert len(found) == len(SUITE.faults)
    assert [(one.fault.name, one.broken) for one in found if not one.exact] == []


def test_generated_scenarios_are_as_expected(command: AdapterCommand, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fuzz", "--suite", "interaction", "--adapter", "afk", "--examples", "1000"]) == 0
    assert "1000 scenarios, 0 unexpected divergences" in capsys.readouterr().out


def test_a_run_that_kills_its_process_costs_its_scenario_and_leaves_nothing(
    command: AdapterCommand, tmp_path: Path
) -> None:
    """Runner and model are one process, which dies in a second step, with the answer of the first one kept."""
    (temporary := tmp_path / "temporary").mkdir()
    deadly = replace(command, argv=(sys.executable, "-S", "-c", KILLS, *command.argv[2:]))

    found = answers(with_place(deadly, temporary), (_job(number) for number in range(20)))

    assert len(found) == 20
    lost = {name: one.outcome for name, one in found.items() if one.outcome != "observation"}
    assert lost == {"7": "crash", "8": "crash"}
    assert list(temporary.iterdir()) == []


def _job(number: int) -> Job:
    """Return a run of two steps, in the second of which some are killed."""
    steps = [{"tool": True}, {"text": "kill-here" if number in (7, 8) else "done"}]
    run = {"suite": "interaction", "scenario": SUITE.complete({"steps": steps})}
    return Job(str(number), "interaction", json.dumps(run).encode())
