"""What a planted fault has to break in front of an adapter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from bindproof.core.errors import UsageError
from bindproof.core.model import AdapterCommand, TargetInfo
from bindproof.core.request import RunRequest
from bindproof.drive import Answer, Job
from bindproof.runner import fault_trials
from bindproof.runner.fault_trials import Planted, record, without_the_idle
from bindproof.runner.inputs import read_inputs
from bindproof.suites import Fault

NODE = TargetInfo("node", "1", "nemo-relay-node", "0.9.2", "javascript", "node 24", {"relay": {"dialect": "node"}})


def planted(name: str, named: set[str], broken: set[str], count: int) -> Planted:
    fault = Fault(name, "a title", tuple(sorted(named)), lambda scenario, log, dialect, edition: None)
    return Planted(fault, frozenset(named), frozenset(broken), count)


def test_what_finds_nothing_to_spoil_has_to_break_what_nothing_else_broke() -> None:
    other = planted("other", {"STR-001"}, {"STR-001"}, 3)
    idle = planted("idle", {"STR-001", "STR-002"}, set(), 0)

    assert without_the_idle([other, idle]) == [other, planted_again(idle, {"STR-002"})]


def test_what_found_something_has_to_break_what_it_names() -> None:
    vain = [planted("vain", {"STR-001"}, set(), 3), planted("other", {"STR-001"}, {"STR-001"}, 3)]

    assert without_the_idle(vain) == vain


def planted_again(one: Planted, named: set[str]) -> Planted:
    return Planted(one.fault, frozenset(named), one.broken, one.planted)


def driven(monkeypatch: pytest.MonkeyPatch, outcome: Any) -> list[Job]:
    """Record vectors with a drive in which all scenarios come to this; return what was sent."""
    sent: list[Job] = []

    def drive(runs: Any) -> Iterator[Answer]:
        ((command, jobs),) = runs
        told: Iterable[Job] = jobs(NODE)
        for job in told:
            sent.append(job)
            yield Answer(command.name, job, outcome, reason="its 5 restarts are used up")

    monkeypatch.setattr(fault_trials, "drive", drive)
    inputs = read_inputs(RunRequest(suite="relay", adapters=("node",)))["relay"]
    record(AdapterCommand("node", ("none",), {}, "."), inputs, lambda text: None)
    return sent


@pytest.mark.long
def test_what_is_known_to_kill_is_said_to(monkeypatch: pytest.MonkeyPatch) -> None:
    killing = {job.id for job in driven(monkeypatch, "unsupported") if job.kills}
    assert {"relay/authority/decode-fails", "relay/streams/built-in-codec-unreadable"} < killing


def test_no_fault_is_tried_where_scenarios_were_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match=r"node did not run .*: its 5 restarts are used up"):
        driven(monkeypatch, "not_run")
