"""Whatever an adapter writes behind its answers, a drive ends, and every job gets its answer.

The adapters of this module are no processes: they answer at once, in memory.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count as count_from
from typing import Any, cast

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from bindproof.core.model import AdapterCommand
from bindproof.drive import Answer, Failed, Job, Limits, Ready, Unanswered
from bindproof.drive.adapter_run import AdapterRun
from bindproof.drive.docket import Sent
from bindproof.drive.generation import Generation, OutputEndedError
from bindproof.drive.pool import MOST_LOST_STARTS, Pool
from bindproof.drive.values import Item
from bindproof.protocol.session import Initialized, Replied, Session, ShutdownAcknowledged

LIMITS = Limits(line=4096, window=3, restarts=2)
COMMAND = AdapterCommand("x", ("x",), {}, "/")
INFO = {
    "protocol_version": 1,
    "adapter": {"name": "a", "version": "1"},
    "target": {"name": "t", "version": "2", "language": "c", "runtime": "r"},
    "suites": {},
}
LEFT = {"observation": {"log": [], "left": [{"family": "subscriber", "name": "s"}]}}
CLEAN: dict[str, Any] = {"observation": {"log": []}}


@dataclass(frozen=True)
class Script:
    """What an adapter does. A key is `initialize`, `shutdown`, or a job's number."""

    behind: dict[str, bytes] = field(default_factory=dict)
    """Bytes after an answer, in the same write."""
    ends: frozenset[str] = frozenset()
    """It ends after that."""
    unclean: frozenset[str] = frozenset()
    """The scenario leaves something behind."""
    silent: frozenset[str] = frozenset()
    """It does not answer."""
    read: int = 1 << 16
    """So many bytes arrive at a time."""


class InMemory:
    """A generation whose process is a script."""

    def __init__(self, script: Script) -> None:
        self.session: Session[Sent] = Session(LIMITS.line)
        self._script = script
        self._output = b""
        self._ended = False

    def send(self, lines: list[bytes]) -> None:
        for line in lines:
            message = json.loads(line)
            key = message["params"]["scenario"] if message["method"] == "run" else message["method"]
            if self._ended or key in self._script.silent:
                continue
            result = {"initialize": INFO, "shutdown": {}}.get(key, LEFT if key in self._script.unclean else CLEAN)
            self._output += json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode() + b"\n"
            self._output += self._script.behind.get(key, b"")
            self._ended = key in self._script.ends

    @property
    def says_something(self) -> bool:
        return bool(self._output) or self._ended

    def receive(self) -> Iterator[Initialized | Replied[Sent] | ShutdownAcknowledged]:
        data, self._output = self._output[: self._script.read], self._output[self._script.read :]
        if not data:
            raise OutputEndedError(self.session.end())
        return self.session.receive(data)

    def stderr_tail(self) -> str:
        return ""

    def stop(self, grace: float) -> str:
        return "it was killed"


def driven(
    script: Script, count: int, limits: Limits = LIMITS, cut_after: int | None = None, *, waits: bool = True
) -> tuple[list[Item], int]:
    """What comes of so many jobs, and how many processes were started for it.

    cut_after: so many signs of life, or their absence, are seen before the time is up. waits: without it, what came
    until nothing more was to be heard, and no deadline had passed.
    """
    started: list[InMemory] = []

    def begin(_: AdapterRun) -> Generation:
        started.append(InMemory(script))
        return cast(Generation, started[-1])

    now = 0.0
    pool = Pool(COMMAND, lambda _: (job(number) for number in range(count)), limits, 1)
    run = AdapterRun(pool, begin, lambda: now)
    items = list(run.items())
    for step in count_from(0):
        if run.finished:
            break
        assert len(started) <= most(count)
        if cut_after is not None and step >= cut_after and run.introduced:
            run.cut_short()
        elif started[-1].says_something:
            run.ready(cast(Generation, started[-1]), "stdout")
        elif not waits:
            break
        else:
            assert run.deadline < math.inf
            now = run.deadline
            run.expired()
        items += run.items()
    return items, len(started)


def job(number: int) -> Job:
    return Job(str(number), "relay", json.dumps({"suite": "relay", "scenario": str(number)}).encode())


def most(count: int) -> int:
    """So many processes at most: for each restart those that try every suspect twice, and each job's own."""
    return (LIMITS.restarts + 2) * (2 * count + 2)


KEYS = st.sampled_from(["initialize", "shutdown", "0", "1", "2", "3", "4"])
REPLY = b'{"jsonrpc":"2.0","id":%d,"result":{"observation":{"log":[]}}}\n'
BYTES = st.one_of(
    st.binary(max_size=20),
    st.sampled_from([b"hello\n", b"hello", b"\n", *(REPLY % number for number in range(8))]),
)
SCRIPTS = st.builds(
    Script,
    behind=st.dictionaries(KEYS, BYTES, max_size=4),
    ends=st.frozensets(KEYS, max_size=2),
    unclean=st.frozensets(KEYS, max_size=3),
    silent=st.frozensets(KEYS, max_size=3),
    read=st.sampled_from([1, 30, 1 << 16]),
)


@pytest.mark.long
@given(script=SCRIPTS, count=st.integers(0, 5))
@example(script=Script(behind={"initialize": b"hello\n"}), count=5)
@example(script=Script(behind={"initialize": b"hello\n"}), count=0)
@example(script=Script(behind={"1": b"hello\n"}, unclean=frozenset("0")), count=3)
def test_any_bytes_behind_answers_end_a_drive_that_has_an_answer_for_every_job(script: Script, count: int) -> None:
    items, started = driven(script, count)
    answered = sorted(item.job.id for item in items if isinstance(item, Answer))

    assert started <= most(count)
    if any(isinstance(item, Ready) for item in items):
        assert answered == [str(number) for number in range(count)]
    else:
        assert [type(item) for item in items] == [Failed]


@pytest.mark.long
@given(script=SCRIPTS, count=st.integers(0, 5), cut_after=st.integers(0, 12))
@example(script=Script(behind={"initialize": b"\n"}, read=30), count=1, cut_after=0)
def test_when_the_time_is_up_every_job_has_its_answer_or_is_unanswered(
    script: Script, count: int, cut_after: int
) -> None:
    items, started = driven(script, count, cut_after=cut_after)
    told = sorted(item.job.id for item in items if isinstance(item, Answer | Unanswered))

    # The time is up once the adapter is introduced, and what introduces it may also lose it.
    assert started <= max(cut_after, 1) + 1 or not any(isinstance(item, Ready) for item in items)
    if any(isinstance(item, Ready) for item in items):
        assert told == [str(number) for number in range(count)]


def test_a_loss_that_nobody_is_known_to_be_guilty_of_when_the_time_is_up_is_the_adapters() -> None:
    items, _ = driven(Script(silent=frozenset("12")), 3, cut_after=4)
    (failed,) = (item for item in items if isinstance(item, Failed))

    assert outcomes(items) == {"0": "observation"}
    assert failed.reason == "no reply within 10 s; the time was up before it was known which scenario does it"


def test_garbage_behind_the_answer_to_initialize_costs_restarts_and_blames_the_adapter() -> None:
    items, started = driven(Script(behind={"initialize": b"hello\n"}), 3)

    assert started == LIMITS.restarts + 1
    assert [item.evidence for item in items if isinstance(item, Failed)] == ["hello"]
    assert set(outcomes(items).values()) == {"not_run"}


def test_many_restarts_are_not_for_processes_that_are_lost_before_a_scenario_is_sent() -> None:
    items, started = driven(Script(behind={"initialize": b"hello\n"}), 20, replace(LIMITS, restarts=1000))

    assert started == MOST_LOST_STARTS + 1
    assert set(outcomes(items).values()) == {"not_run"}


def test_garbage_behind_the_answer_to_shutdown_counts_for_nothing() -> None:
    items, started = driven(Script(behind={"shutdown": b"hello\n"}), 3)

    assert started == 1
    assert [item for item in items if isinstance(item, Failed)] == []
    assert set(outcomes(items).values()) == {"observation"}


def test_the_last_answer_is_good_once_shutdown_is_answered_however_long_the_process_takes_to_end() -> None:
    items, _ = driven(Script(), 3, waits=False)

    assert outcomes(items) == {"0": "observation", "1": "observation", "2": "observation"}


def test_until_shutdown_is_answered_the_last_answer_is_held() -> None:
    items, _ = driven(Script(silent=frozenset(["shutdown"])), 3, waits=False)

    assert outcomes(items) == {"0": "observation", "1": "observation"}


def outcomes(items: list[Item]) -> dict[str, str]:
    return {item.job.id: item.outcome for item in items if isinstance(item, Answer)}


def test_what_was_answered_before_garbage_by_an_unclean_process_is_judged() -> None:
    items, _ = driven(Script(unclean=frozenset("0"), behind={"1": b"hello\n"}), 3)

    assert outcomes(items) == {"0": "observation", "1": "protocol_error", "2": "observation"}
