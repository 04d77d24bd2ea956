"""A campaign on the machines of a Dask cluster.

Enters: the request of a campaign, a client of a cluster, where lines and progress go. Leaves: the lines of one log,
those of a batch as soon as it is done. Must not know how a scenario is made or judged.

A batch is a range of numbers; a scenario depends on the seed and its number alone, so a batch is the same one on every
machine. When a worker dies, Dask gives its running batch to another; nothing of the dead one's had come yet, so nothing
is counted twice.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count, islice
from pathlib import Path
from typing import Any

import msgspec

from bindproof.core.errors import UsageError
from bindproof.core.request import Campaign, RunRequest
from bindproof.results import AdapterLine, Emit, Line, RunLine
from bindproof.runner.campaign.saving import saved
from bindproof.runner.execute import execute, inputs_and_run_line
from bindproof.runner.joining import Joining, what_it_is
from bindproof.runner.loop import Progress
from bindproof.runner.shards import difference_of_making

BATCH = 250
"""Scenarios that a worker is given at a time: few enough to lose, enough to start the adapters for."""

AHEAD = 2
"""Batches for each thread of the cluster that are given out at a time, so that none waits."""

PATIENCE = 10.0
"""Seconds for a scheduler to answer."""

EXTRA = "it needs the packages distributed and cryptography: pip install 'bindproof[cluster]'"


@contextmanager
def client_of(cluster: str, workers: int) -> Iterator[Any]:
    """Yield a client of a cluster, and close what was opened for it.

    cluster: `local` for so many `workers` of this machine, else a scheduler's address, whose TLS is Dask's own
    matter. Raises UsageError where Dask is not installed, or nobody answers there.

    Whoever may talk to a cluster runs what they like on it. One of this machine listens on the loopback device, where
    other users of the machine are too, and so takes connections with a certificate that it makes for itself alone.
    """
    try:
        import distributed

        own = distributed.Security.temporary() if cluster == "local" else None
    except ImportError as error:
        raise UsageError(f"--cluster {cluster}: {EXTRA}") from error
    if cluster == "local":
        with (
            distributed.LocalCluster(
                n_workers=workers, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0", security=own
            ) as local,
            distributed.Client(local) as client,
        ):
            yield client
        return
    try:
        asyncio.run(asyncio.wait_for(_greet(cluster), PATIENCE))
        client = distributed.Client(cluster, timeout=PATIENCE)
    except (OSError, TimeoutError, TypeError, ValueError, RuntimeError) as error:
        said = str(error) or f"it said nothing that Dask understands within {PATIENCE:g} s"
        raise UsageError(f"--cluster {cluster}: no scheduler answers there: {said}") from error
    with client:
        yield client


async def _greet(address: str) -> None:
    """Ask who is there, because a client of Dask waits for ever for an answer of what is no scheduler."""
    from distributed import Security
    from distributed.comm import connect
    from distributed.core import send_recv

    there = await connect(address, timeout=PATIENCE, **Security().get_connection_args("client"))
    try:
        who = await send_recv(there, op="identity", reply=True)
    finally:
        there.abort()
    match who:
        case {"type": "Scheduler"}:
            return
        case {"type": what}:
            raise ValueError(f"{what!r:.100} answers")
    raise ValueError(f"{who!r:.100} is answered")


def campaign_on(client: Any, request: RunRequest, emit: Emit, progress: Progress, batch: int = BATCH) -> None:
    """Perform a campaign on a cluster; raises UsageError as `execute` does, and where its workers are not alike."""
    from distributed import KilledWorker, as_completed

    campaign = request.campaign or Campaign()
    _, first = inputs_and_run_line(request)
    found = _Whole(campaign, emit, first)
    todo = _batches(request, campaign, batch)
    running = as_completed()
    given: dict[Any, range] = {}

    def give(some: Iterator[tuple[range, RunRequest]]) -> None:
        for numbers, one in some:
            future = client.submit(acted, one, pure=False)
            given[future.key] = numbers
            running.add(future)

    threads = sum(client.nthreads().values())
    if not threads:
        raise UsageError("the cluster has no workers; start some: dask worker ADDRESS")
    progress(f"sharing out batches of {batch} scenarios to {threads} threads of {len(client.nthreads())} workers")
    try:
        give(islice(todo, AHEAD * threads))
        for future in running:
            numbers = given.pop(future.key)
            try:
                found.take(future.result())
            except KilledWorker as error:
                what = f"scenarios {numbers[0]} to {numbers[-1]} cost several workers their lives"
                raise UsageError(f"{what}: {error}") from error
            give(islice(todo, 1))
    finally:
        found.close()


def acted(request: RunRequest) -> list[Line] | str:
    """Perform one batch, on a worker; return its lines, or what the user has to mend."""
    lines: list[Line] = []
    try:
        execute(request, lines.append, lambda _: None)
    except UsageError as error:
        return str(error)
    return lines


def _batches(request: RunRequest, campaign: Campaign, size: int) -> Iterator[tuple[range, RunRequest]]:
    """Yield the batches of a campaign, until its examples are all given out or its time is over."""
    ends = None if campaign.seconds is None else time.monotonic() + campaign.seconds
    whole = campaign.count(None)
    for start in count(0, size):
        left = size if whole is None else min(size, whole - start)
        if left <= 0 or (ends is not None and time.monotonic() >= ends):
            return
        first = campaign.first + start
        rest = None if ends is None else max(0.001, ends - time.monotonic())
        part = msgspec.structs.replace(campaign, first=first, examples=left, seconds=rest, save=None)
        yield range(first, first + left), msgspec.structs.replace(request, campaign=part)


class _Whole:
    """The log of the whole, made of those of the batches."""

    def __init__(self, campaign: Campaign, emit: Emit, run: RunLine) -> None:
        self._asked = campaign.count(None) or 0
        self._emit, self._run = emit, run
        save = campaign.save
        self._joining = Joining(emit, finding=None if save is None else lambda line: saved(line, Path(save)))
        self._adapters: dict[str, AdapterLine] = {}
        self._failed: set[str] = set()
        self._selected: Counter[tuple[str, str]] = Counter()
        emit(run)

    def take(self, lines: list[Line] | str) -> None:
        """Emit what the lines of one batch add."""
        if isinstance(lines, str):
            raise UsageError(lines)
        for line in lines:
            if isinstance(line, RunLine):
                self._hold_same(line)
            elif isinstance(line, AdapterLine):
                self._take_adapter(line)
            else:
                self._joining.take(line)

    def close(self) -> None:
        """Say what no batch ever chose, and how many scenarios each adapter was given in all."""
        self._joining.close()
        for name, line in self._adapters.items():
            if line.suites and name not in self._failed:
                self._emit(_with(line, {one.suite: self._selected[name, one.suite] for one in line.suites}))

    def _hold_same(self, run: RunLine) -> None:
        what = difference_of_making(self._run, run)
        if what is not None:
            raise UsageError(f"a worker of the cluster is not like this machine: {what}")

    def _take_adapter(self, line: AdapterLine) -> None:
        for speaks in line.suites if line.state == "ready" else ():
            self._selected[line.name, speaks.suite] += speaks.selected
        known = self._adapters.get(line.name)
        if line.state == "failed":
            if line.name not in self._failed:
                self._failed.add(line.name)
                self._emit(msgspec.structs.replace(line, suites=()))
        elif known is None:
            self._adapters[line.name] = line
            self._emit(_with(line, {one.suite: self._asked for one in line.suites}))
        elif what_it_is(known) != what_it_is(line):
            what = f"{what_it_is(known)}, and {what_it_is(line)}"
            raise UsageError(f"adapter {line.name} is not the same on all workers: {what}")


def _with(line: AdapterLine, selected: Mapping[str, int]) -> AdapterLine:
    """Return an adapter's line with how many scenarios are selected of each suite."""
    suites = tuple(msgspec.structs.replace(one, selected=selected[one.suite]) for one in line.suites)
    return msgspec.structs.replace(line, suites=suites)
