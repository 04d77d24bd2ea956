"""A host of workers behind its adapter: what it takes is what the reference says, and nothing of a worker is left."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from msgspec.structs import replace

from bindproof.cli import main
from bindproof.core.model import AdapterCommand
from bindproof.drive import Answer, Job
from bindproof.runner.fault_trials import check_faults
from bindproof.targets import resolve
from tests.bindings.killed import answers, killing_in_node, with_place
from tests.drive.test_drive import gone
from tests.relay import SUITE

ASKED = os.environ.get("BINDPROOF_WORKERS") == "1"
whole = pytest.mark.skipif(not ASKED, reason="a worker is a process: BINDPROOF_WORKERS=1 has all of it judged")

pytestmark = pytest.mark.binding

Json = Any

SAMPLE = ("schema-before", "asked-again", "answer-nothing", "ends", "never", "spellings-of-others")
"""A vector for each way in which an answer may go wrong."""

PACKAGED = ("marks", "severity-unknown", "not-utf8")
"""Vectors whose outcome a package writes, refuses to write, and cannot."""

KILLS = """
import glob, os, signal, sys
sys.path.insert(0, {folder!r})
import {module} as calls
whole = calls.Calls._step
async def kills(self, step, *more):
    if step["as"] == "kill-here":
        workers = " ".join(open(thread).read() for thread in glob.glob("/proc/self/task/*/children"))
        open({told!r}, "w").write(workers)
        for killed in [os.getpid()] if {whom!r} == "host" else map(int, workers.split()):
            os.kill(killed, signal.SIGKILL)
    return await whole(self, step, *more)
calls.Calls._step = kills
calls.serve({name!r}, "1", calls.connect)
"""


@pytest.fixture(scope="module")
def command() -> AdapterCommand:
    """How to start the adapter; its packages are installed on first use."""
    return started("worker-raw")


@pytest.fixture(scope="module")
def packaged() -> AdapterCommand:
    """The same, where the worker is one on the package nemo-relay-plugin."""
    return started("worker")


def started(name: str) -> AdapterCommand:
    """How to start an adapter of workers; skips where it cannot be had."""
    found = resolve(name, required=True, progress=lambda _: None)
    if not isinstance(found, AdapterCommand):
        pytest.skip(f"{name} cannot be had: {found.reason}")
    return found


@pytest.fixture(scope="module")
def in_the_library() -> AdapterCommand:
    """The same, where the host is the C library, which is built on first use."""
    return started("worker-c")


@pytest.fixture(scope="module")
def in_node() -> AdapterCommand:
    """The same, where the host is the Node package."""
    return started("worker-node")


@pytest.mark.parametrize(
    ("host", "unsupported"),
    [("command", ""), ("in_the_library", ", 1 unsupported"), ("in_node", ", 1 unsupported")],
    ids=["python", "c", "node"],
)
def test_a_vector_of_each_sort_conforms(
    host: str, unsupported: str, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    """A call of the library, or of the Node package, cannot be cancelled."""
    command: AdapterCommand = request.getfixturevalue(host)
    chosen = [word for name in SAMPLE for word in ("--vector", f"relay/workers/{name}")]
    assert main(["run", "--suite", "relay", "--adapter", command.name, *chosen]) == 0
    assert f"0 unexpected divergences, 0 known{unsupported}" in capsys.readouterr().out.splitlines()[-1]


def test_a_package_says_what_it_can_and_no_pass_is_empty(
    packaged: AdapterCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    """One outcome is taken, one is refused by the package itself; bytes that it cannot write are unsupported."""
    chosen = [word for name in PACKAGED for word in ("--vector", f"relay/workers/{name}")]
    assert main(["run", "--suite", "relay", "--adapter", "worker", *chosen]) == 0
    assert "4 scenarios, 0 unexpected divergences, 0 known, 1 unsupported" in capsys.readouterr().out


def job(number: int, name: str) -> Job:
    """One scenario with one call."""
    steps = SUITE.complete({"steps": [{"step": "worker", "as": name}]})
    return Job(str(number), "relay", json.dumps({"suite": "relay", "scenario": steps}).encode())


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the children of a process")
@pytest.mark.parametrize(
    ("adapter", "whom", "lost"),
    [
        ("command", "host", "crash"),
        ("command", "worker", "observation"),
        ("packaged", "host", "crash"),
        ("packaged", "worker", "observation"),
        ("in_the_library", "host", "crash"),
        ("in_the_library", "worker", "observation"),
        ("in_node", "host", "crash"),
        ("in_node", "worker", "observation"),
    ],
)
def test_who_is_killed_costs_its_scenario_and_leaves_nothing(
    adapter: str, whom: str, lost: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """The worker is there when its host is killed: it, its sockets and its folder go too.

    One that is killed itself fails the call that it was to be asked in, which its host tells.
    """
    command: AdapterCommand = request.getfixturevalue(adapter)
    told, temporary = tmp_path / "pids", Path(mkdtemp(dir="/tmp"))  # a socket's path may have 107 bytes
    kills = killing_in_node if adapter == "in_node" else _killing
    deadly = with_place(kills(command, tmp_path, whom), temporary)
    jobs = (job(number, name) for number, name in enumerate(("a", "kill-here", "b")))

    found = answers(deadly, jobs)

    assert {name: answer.outcome for name, answer in found.items()} == {
        "0": "observation",
        "1": lost,
        "2": "observation",
    }
    failed = {name for name, answer in found.items() if any("error" in one for one in _log(answer))}
    assert failed == ({"1"} if whom == "worker" else set())
    workers = [int(word) for word in told.read_text().split()]
    assert workers
    until = time.monotonic() + 20
    while list(temporary.iterdir()) and time.monotonic() < until:
        time.sleep(0.01)
    assert all(map(gone, workers))
    temporary.rmdir()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the children of a process")
def test_a_host_in_another_language_that_is_killed_loses_nothing_and_leaves_nothing(
    in_node: AdapterCommand, tmp_path: Path
) -> None:
    """Somebody else killed it, while its worker was there: what it was in the middle of is acted out again."""
    told, temporary = tmp_path / "pid", Path(mkdtemp(dir="/tmp"))
    noted = replace(in_node, argv=("sh", "-c", f'echo $$ > {told}; exec "$@"', "sh", *in_node.argv))
    workers: list[int] = []

    def jobs() -> Iterator[Job]:
        for number in range(60):
            if number == 40:
                host = int(told.read_text())
                for children in Path(f"/proc/{host}/task").glob("*/children"):
                    workers.extend(map(int, children.read_text().split()))
                os.kill(host, signal.SIGKILL)
            yield job(number, "a")

    found = answers(with_place(noted, temporary), jobs())

    assert len(found) == 60
    assert {answer.outcome for answer in found.values()} == {"observation"}
    assert all(map(gone, workers))
    assert list(temporary.iterdir()) == []
    temporary.rmdir()


def _killing(command: AdapterCommand, folder: Path, whom: str) -> AdapterCommand:
    """Return the command of a host in Python so that the call `kill-here` kills it, or its worker."""
    main_file, told = Path(command.argv[2]), str(folder / "pids")
    program = KILLS.format(folder=str(main_file.parent), module=main_file.stem, name=command.name, told=told, whom=whom)
    return replace(command, argv=(sys.executable, "-S", "-c", program, *command.argv[3:]))


def _log(answer: Answer) -> list[Json]:
    """What was seen, nothing where the scenario was lost."""
    return list(answer.payload["log"]) if answer.outcome == "observation" else []


@whole
@pytest.mark.long
@pytest.mark.parametrize(
    "adapter", ["worker-raw", "worker-raw@0.9.4", "worker-raw@0.8.4", "worker-raw@0.6.0", "worker-c", "worker-node"]
)
def test_every_vector_conforms(adapter: str, command: AdapterCommand, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--suite", "relay", "--adapter", adapter, "--vector", "relay/workers/*"]) == 0
    assert "0 unexpected divergences, 0 known" in capsys.readouterr().out


@whole
@pytest.mark.long
@pytest.mark.parametrize("release", ["", "@0.9.4", "@0.8.4", "@0.7.3", "@0.6.0"])
def test_every_release_of_the_package_keeps_what_it_can_say(release: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--suite", "relay", "--adapter", f"worker{release}", "--vector", "relay/workers/*"]) == 0
    assert "0 unexpected divergences, 0 known" in capsys.readouterr().out


@whole
@pytest.mark.long
def test_a_release_from_before_the_schema_has_every_outcome_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """As predicted: its package names version 1, which is told as a known divergence."""
    assert main(["run", "--suite", "relay", "--adapter", "worker@0.5.0", "--vector", "relay/workers/*"]) == 0
    assert "0 unexpected divergences, 1 known" in capsys.readouterr().out


@whole
@pytest.mark.long
def test_each_fault_breaks_exactly_what_it_names(command: AdapterCommand) -> None:
    found = check_faults("worker-raw", lambda text: None)
    assert [(one.fault.name, one.broken) for one in found if not one.exact] == []


@whole
@pytest.mark.long
def test_generated_scenarios_are_as_the_reference_says(command: AdapterCommand) -> None:
    assert (
        main(["fuzz", "--suite", "relay", "--adapter", "worker-raw", "--examples", "5000"]) == 0
    )  # two of a hundred are of workers
