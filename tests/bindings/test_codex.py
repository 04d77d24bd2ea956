"""The code-mode host of Codex behind its adapter: it does what the reference says, and a host that dies is told."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from bindproof.cli import main
from bindproof.core.model import AdapterCommand
from bindproof.runner.fault_trials import check_faults
from bindproof.targets import resolve
from tests.bindings.killed import each_costs_its_scenario_and_leaves_nothing
from tests.cells import SUITE

ASKED = os.environ.get("BINDPROOF_CODEX") == "1"
HEAVY = "the package takes 400 MB: BINDPROOF_CODEX=1 has the host of Codex judged"

pytestmark = [pytest.mark.binding, pytest.mark.long, pytest.mark.skipif(not ASKED, reason=HEAVY)]

BUSY = (
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol_versions":[1]}}\n'
    '{"jsonrpc":"2.0","id":2,"method":"run","params":{"suite":"cells","scenario":{"steps":['
    '{"step":"open","session":"s"},'
    '{"step":"create","as":"a","session":"s","within":null,"program":[{"do":"busy"}]},'
    '{"step":"await","of":"a"}]}}}\n'
)

KILLS_ITS_HOST = """
import child_process from "node:child_process";
import { appendFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
const { spawn } = child_process;
child_process.spawn = (...started) => {
  const host = spawn(...started);
  appendFileSync(process.env.TOLD, `${host.pid} `);
  const write = host.stdin.write.bind(host.stdin);
  host.stdin.write = (bytes) => {
    write(bytes);
    if (bytes.includes("kill-here")) host.kill("SIGKILL");
  };
  return host;
};
syncBuiltinESMExports();
"""
"""What is loaded before an adapter: the host is killed once it has been asked for a cell that says so."""


@pytest.fixture(scope="module")
def command() -> AdapterCommand:
    """How to start the adapter; the package is installed on first use."""
    found = resolve("codex", required=True, progress=lambda _: None)
    if not isinstance(found, AdapterCommand):
        pytest.skip(f"codex cannot be had: {found.reason}")
    return found


def test_every_vector_conforms(command: AdapterCommand, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--suite", "cells"]) == 0
    assert "3 of 3 adapters judged" in capsys.readouterr().out


def test_it_takes_every_step_of_smoke(command: AdapterCommand, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["smoke", "codex", "--suite", "cells"]) == 0
    assert capsys.readouterr().out.count("ok   ") > len(SUITE.smoke)


def test_each_fault_breaks_exactly_what_it_names(command: AdapterCommand) -> None:
    found = check_faults("codex", lambda text: None)
    assert len(found) == len(SUITE.faults)
    assert [(one.fault.name, one.broken) for one in found if not one.exact] == []


def test_generated_scenarios_are_as_the_reference_says(
    command: AdapterCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    """A sixth of them are asks, which its wire has not."""
    assert main(["fuzz", "--suite", "cells", "--adapter", "codex", "--examples", "1200"]) == 0
    assert "1014 scenarios, 0 unexpected divergences, 0 known" in capsys.readouterr().out


def test_a_host_that_is_killed_ends_its_adapter(command: AdapterCommand) -> None:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    adapter = subprocess.Popen(command.argv, cwd=command.cwd, env=dict(command.env), text=True, **pipes)  # type: ignore[call-overload]
    adapter.stdin.write(BUSY)
    adapter.stdin.flush()
    os.kill(_host_of(adapter.pid), signal.SIGKILL)

    assert "the host ended" in adapter.communicate(timeout=20)[1]
    assert adapter.returncode == 1


def test_a_host_that_is_killed_costs_its_scenario_and_leaves_nothing(command: AdapterCommand, tmp_path: Path) -> None:
    before, told = tmp_path / "before.mjs", tmp_path / "pids"
    before.write_text(KILLS_ITS_HOST)
    node, *rest = command.argv
    argv = (node, "--import", str(before), *rest)
    deadly = replace(command, argv=argv, env={**command.env, "TOLD": str(told)})

    assert len(each_costs_its_scenario_and_leaves_nothing(deadly, tmp_path)) >= 20


def _host_of(adapter: int) -> int:
    """The process that an adapter has started, once there is one."""
    for _ in range(500):
        children = Path(f"/proc/{adapter}/task/{adapter}/children").read_text().split()
        if children:
            return int(children[0])
        time.sleep(0.02)
    raise AssertionError("the adapter started no host")
