"""The drive on good and on harmlessly odd adapters: completeness, order, laziness, clocks, and cleaning up."""

from __future__ import annotations

import os
import selectors
import sys
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from bindproof.core.model import AdapterCommand
from bindproof.drive import Answer, Failed, HardEnd, Job, Limits, Ready, Unanswered, drive, loop

PATIENT = Limits(line=4 << 20, stderr=1 << 10, initialize=60.0, scenario=60.0, shutdown=60.0)


@pytest.mark.long
@pytest.mark.parametrize("fake", ["answers_well", "warns_on_stderr", "floods_stderr", "exits_nonzero_after_shutdown"])
def test_all_is_judged_in_order(drives: Any, fake: str) -> None:
    result = drives.run(fake, 200)

    assert isinstance(result.items[0], Ready)
    assert [answer.job.id for answer in result.answers] == [str(n) for n in range(200)]
    assert {answer.outcome for answer in result.answers} == {"observation"}
    assert result.failed == []


def test_what_an_answer_holds(drives: Any) -> None:
    (_, answer) = drives.run("answers_well", 1).items

    assert answer.adapter == "answers_well"
    assert answer.payload == {
        "log": [{"fact": "done", "step": "a", "value": None}, {"fact": "settled"}],
        "left": [],
        "stray": [],
    }
    assert answer.raw.startswith(b'{"jsonrpc": "2.0", "id": 2,')


@pytest.mark.long
@pytest.mark.parametrize("poison", [(), (7,), (9, 10)])
def test_a_process_acts_out_no_more_than_it_may(drives: Any, poison: tuple[int, ...]) -> None:
    command = replace(drives.command("tells_its_process"), scenarios=10)
    items = list(drive([(command, drives.jobs(55, poison))], PATIENT))
    answers = [item for item in items if isinstance(item, Answer)]
    processes = [item.payload["log"][0]["value"] for item in answers if item.outcome == "observation"]

    assert sorted(int(item.job.id) for item in answers) == list(range(55))
    assert [int(item.job.id) for item in answers if item.outcome == "crash"] == list(poison)
    assert max(map(processes.count, processes)) == 10
    assert len(set(processes)) >= 6
    assert not any(isinstance(item, Failed) for item in items)


@pytest.mark.long
@pytest.mark.parametrize("text", ["\u2028", "\u2029", "\u0085", "\0", "\r\n", "😀", "x" * (1 << 20)])
def test_any_text_passes(drives: Any, text: str) -> None:
    jobs = [drives.job(n, value=text) for n in range(3)]
    items = list(drive([(drives.command("answers_well"), lambda _info: jobs)], PATIENT))

    assert [i.payload["log"][0]["value"] for i in items if isinstance(i, Answer)] == [text] * 3


def test_no_jobs(drives: Any) -> None:
    assert [type(item) for item in drives.run("answers_well", 0).items] == [Ready]


def test_an_adapter_that_never_shuts_down_loses_nothing(drives: Any) -> None:
    result = drives.run("never_shuts_down", 10, limits=replace(PATIENT, shutdown=0.3))

    assert result.outcomes() == {"observation": list(range(10))}
    assert result.failed == []


@pytest.mark.long
def test_adapters_run_side_by_side_and_do_not_disturb_each_other(drives: Any) -> None:
    fakes = ["answers_well", "exits_on_poison", "refuses_to_initialize"]
    items = list(drive([(drives.command(fake), drives.jobs(100, [7])) for fake in fakes], PATIENT))
    counts = {fake: sum(isinstance(i, Answer) and i.adapter == fake for i in items) for fake in fakes}

    assert counts == {"answers_well": 100, "exits_on_poison": 100, "refuses_to_initialize": 0}
    assert [i.job.id for i in items if isinstance(i, Answer) and i.outcome == "crash"] == ["7"]


def test_a_program_that_is_not_there() -> None:
    (failed,) = drive([(AdapterCommand("x", ("/nowhere/x",), {}, "/"), lambda _info: [])], PATIENT)

    assert "cannot start" in failed.reason  # type: ignore[union-attr]


def test_a_scenario_beyond_the_line_limit_is_not_run(drives: Any) -> None:
    jobs = [drives.job(0), drives.job(1, value="x" * 5000), drives.job(2)]
    items = list(drive([(drives.command("answers_well"), lambda _info: jobs)], replace(PATIENT, line=2000)))
    outcomes = {item.job.id: item.outcome for item in items if isinstance(item, Answer)}

    assert outcomes == {"0": "observation", "1": "not_run", "2": "observation"}


@pytest.mark.long
def test_jobs_are_pulled_as_they_are_sent(drives: Any) -> None:
    pulled = 0

    def jobs(_info: object) -> Iterator[Job]:
        nonlocal pulled
        for number in range(1000):
            pulled += 1
            yield drives.job(number)

    seen = 0
    for item in drive([(drives.command("answers_well"), jobs)], replace(PATIENT, window=8)):
        seen += isinstance(item, Answer)
        # In flight, held back, and what one read can bring at most: a pipe holds far less than all jobs here.
        assert pulled - seen <= 2 * 8 + 1

    assert seen == pulled == 1000


def test_time_that_the_caller_takes_is_on_nobodys_clock(drives: Any) -> None:
    clock = loop._Clock()
    before = time.monotonic() - clock.now()
    for _ in clock.pause_while(drives.run("answers_well", 2).answers):
        time.sleep(0.05)

    assert time.monotonic() - clock.now() - before >= 0.1


def test_an_exception_of_the_jobs_is_passed_on_and_kills_the_adapter(drives: Any) -> None:
    def jobs(_info: object) -> Iterator[Job]:
        yield drives.job(1)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(drive([(drives.command("answers_well"), jobs)], PATIENT))


@pytest.mark.long
def test_closing_the_drive_kills_the_adapter_and_its_children(drives: Any) -> None:
    code = (
        "import subprocess, sys, os\n"
        "child = subprocess.Popen([sys.executable, '-S', '-c', 'import time; time.sleep(3600)'])\n"
        "sys.path.insert(0, '.')\n"
        "from fake_adapter import FakeAdapter\n"
        "class Tells(FakeAdapter):\n"
        "    def run(self, request, scenario):\n"
        "        self.reply(request, {'inexpressible': {'path': str(os.getpid()), 'reason': str(child.pid)}})\n"
        "Tells().serve()\n"
    )
    command = AdapterCommand("x", (sys.executable, "-S", "-c", code), {}, drives.command("answers_well").cwd)
    driving = drive([(command, drives.jobs(1000))], replace(PATIENT, window=4))
    told = next(item for item in driving if isinstance(item, Answer)).payload
    assert alive(int(told["path"]))
    assert alive(int(told["reason"]))
    driving.close()  # type: ignore[attr-defined]

    assert gone(int(told["path"]))
    assert gone(int(told["reason"]))


def test_at_the_hard_end_nothing_is_waited_for_and_what_was_answered_stays(drives: Any) -> None:
    end = HardEnd()
    answered: list[str] = []
    unanswered: list[str] = []
    for item in drive([(drives.command("hangs_on_poison"), drives.jobs(20, [5]))], PATIENT, end=end):
        if isinstance(item, Answer):
            answered.append(item.job.id)
            end.at = time.monotonic() + 0.2
        elif isinstance(item, Unanswered):
            unanswered.append(item.job.id)

    assert answered == [str(number) for number in range(5)]
    assert unanswered == [str(number) for number in range(5, 20)]


@pytest.mark.long
def test_a_child_does_not_outlive_its_killed_parent(drives: Any) -> None:
    result = drives.run("leaves_a_child_on_poison", 3, [1], replace(PATIENT, scenario=1.0))
    (culprit,) = [answer for answer in result.answers if answer.outcome == "timeout"]

    assert gone(int(culprit.stderr))


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return not is_zombie(process)


def gone(process: int) -> bool:
    """An orphan is reaped by whoever adopted it, in its own time; a zombie does nothing any more."""
    for _ in range(500):
        if not alive(process):
            return True
        time.sleep(0.01)
    return False


def is_zombie(process: int) -> bool:
    try:
        with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as stat:  # noqa: PTH123
            return stat.read().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return False


@pytest.mark.long
def test_a_job_may_have_less_time_than_the_limit(drives: Any) -> None:
    jobs = [replace(job, seconds=0.5 if job.id == "3" else None) for job in drives.jobs(10, [3])(None)]
    items = list(drive([(drives.command("hangs_on_poison"), lambda _: jobs)], PATIENT))
    answers = [item for item in items if isinstance(item, Answer)]

    assert [(one.job.id, one.reason) for one in answers if one.outcome == "timeout"] == [("3", "no reply within 0.5 s")]
    assert len(answers) == 10


@pytest.mark.parametrize(
    ("seconds", "scenario", "initialize"), [(None, 10.0, 30.0), (2.0, 2.0, 30.0), (120.0, 120.0, 120.0)]
)
def test_who_allows_a_scenario_more_than_a_start_allows_a_start_as_much(
    seconds: float | None, scenario: float, initialize: float
) -> None:
    limits = Limits.allowing(seconds)
    assert (limits.scenario, limits.initialize) == (scenario, initialize)


@pytest.mark.parametrize(("slept", "counted"), [(0.0, 10.0), (0.5, 10.5), (3600.0, 0.0)])
def test_a_wait_in_which_nothing_ran_is_on_nobodys_clock(
    slept: float, counted: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = 0.0

    class Selector(selectors.SelectSelector):
        def select(self, timeout: float | None = None) -> Any:
            nonlocal moment
            moment += (timeout or 0.0) + slept
            return []

    monkeypatch.setattr(loop, "time", SimpleNamespace(monotonic=lambda: moment))
    clock = loop._Clock()
    assert clock.waited(Selector(), 10.0) == []
    assert clock.now() == counted


@pytest.mark.parametrize(("slept", "counted"), [(0.5, 0.5), (3600.0, 0.0)])
def test_the_time_in_which_nothing_ran_between_two_waits_is_on_nobodys_clock(
    slept: float, counted: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = 0.0
    monkeypatch.setattr(loop, "time", SimpleNamespace(monotonic=lambda: moment))
    clock = loop._Clock()
    moment += slept
    assert clock.awake() == counted

    clock.pause_while_done(lambda: None)
    moment += slept
    with selectors.SelectSelector() as selector:
        clock.waited(selector, 0.0)
    assert clock.now() == 2 * counted
