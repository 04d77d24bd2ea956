"""What adapters answer while something of theirs is killed, and how hosts of cells and hosts in Node are killed."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from bindproof.core.model import AdapterCommand
from bindproof.drive import Answer, Job, drive
from tests.cells import SUITE
from tests.drive.test_drive import gone

Json = Any

KILLING = [{"do": "text", "text": "kill-here"}, {"do": "busy"}]
"""A cell that computes for ever, so that its host is in the middle of it whenever it is killed."""

KILLED = ("7", "8")

KILLS_IN_NODE = """
const { readdirSync, readFileSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const { TOLD: told, WHOM: whom } = process.env;
const whole = Module._load;

function kill() {
  const threads = readdirSync("/proc/self/task").map((one) => `/proc/self/task/${one}/children`);
  const started = threads.flatMap((one) => readFileSync(one, "utf-8").split(" ")).filter(Boolean);
  writeFileSync(told, started.join(" "));
  for (const killed of whom === "host" ? [process.pid] : started) process.kill(Number(killed), "SIGKILL");
}

Module._load = (name, ...more) => {
  const found = whole(name, ...more);
  if (name === "nemo-relay-node" && !found.isDeadly) {
    const call = found.llmCallExecuteAsync;
    found.isDeadly = true;
    found.llmCallExecuteAsync = (name, ...rest) => {
      if (name === "kill-here") kill();
      return call(name, ...rest);
    };
  }
  return found;
};
"""


def answers(command: AdapterCommand, jobs: Iterable[Job]) -> dict[str, Answer]:
    """Return the answer to each job."""
    return {event.job.id: event for event in drive([(command, lambda _: iter(jobs))]) if isinstance(event, Answer)}


def each_costs_its_scenario_and_leaves_nothing(deadly: AdapterCommand, folder: Path) -> list[int]:
    """Have twenty cells acted out, at two of which the host is killed; return the processes that were its host.

    deadly: starts an adapter that writes those down in the file `pids` of the folder, and kills one that is asked for
    a cell that says `kill-here`.
    """
    temporary = folder / "temporary"
    temporary.mkdir()
    command = with_place(deadly, temporary)
    found = answers(command, (_job(number) for number in range(20)))

    assert len(found) == 20
    lost = {name: one.outcome for name, one in found.items() if one.outcome != "observation"}
    assert lost == dict.fromkeys(KILLED, "crash")
    hosts = [int(word) for word in (folder / "pids").read_text().split()]
    assert all(map(gone, hosts))
    assert list(temporary.iterdir()) == []
    return hosts


def killing_in_node(command: AdapterCommand, folder: Path, whom: str) -> AdapterCommand:
    """Return the command of a host in Node so that the call `kill-here` kills it, or what it started.

    whom: `host` or `worker`. The file `pids` of the folder gets the processes that it had started.
    """
    (hook := folder / "hook.cjs").write_text(KILLS_IN_NODE, "utf-8")
    argv = (command.argv[0], "--require", str(hook), *command.argv[1:])
    return replace(command, argv=argv, env={**command.env, "TOLD": str(folder / "pids"), "WHOM": whom})


def with_place(command: AdapterCommand, temporary: Path) -> AdapterCommand:
    """Return the command with a folder of its own for what it writes meanwhile."""
    return replace(command, env={**command.env, "TMPDIR": str(temporary)})


def _job(number: int) -> Job:
    """Return a scenario with one cell, which is waited for."""
    name = str(number)
    program = KILLING if name in KILLED else [{"do": "text", "text": "1"}]
    steps = [{"step": "open"}, {"step": "create", "as": "a", "program": program}, {"step": "await", "of": "a"}]
    run = {"suite": "cells", "scenario": SUITE.complete({"steps": steps})}
    return Job(name, "cells", json.dumps(run).encode())
