"""A campaign on the machines of a Dask cluster.

Enters: a CampaignRequest, a client of a cluster, where lines and progress go. Leaves: the lines of one log, those of a
batch as soon as it is done. Must not know how a scenario is made or judged.

A batch is a range of numbers; a scenario depends on the seed and its number alone, so a batch is the same one on every
machine. When a worker dies, Dask gives its running batch to another; nothing of the dead one's had come yet, so nothing
is counted twice.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count, islice
from typing import Any

import msgspec

from bindproof.campaign.perform import campaign, opening
from bindproof.campaign.request import CampaignRequest
from bindproof.campaign.saving import saved
from bindproof.core.errors import UsageError
from bindproof.results import AdapterLine, ChoicesLine, FindingLine, Line, RunLine, Speaks, VerdictLine, joined_choices
from bindproof.runner.shards import difference

BATCH = 250
"""Scenarios that a worker is given at a time: few enough to lose, enough to start the adapters for."""

AHEAD = 2
"""Batches for each thread of the cluster that are given out at a time, so that none waits."""

PATIENCE = 10.0
"""Seconds for a scheduler to answer."""

EXTRA = "it needs the package distributed: pip install 'bindproof[cluster]'"

Emit = Callable[[Line], None]
Progress = Callable[[str], None]


@contextmanager
def client_of(cluster: str, workers: int) -> Iterator[Any]:
    """Yield a client of a cluster, and close what was opened for it.

    cluster: `local` for so many `workers` of this machine, else a scheduler's address. Raises UsageError where Dask is
    not installed or nobody answers there.
    """
    try:
        import distributed
    except ImportError as error:
        raise UsageError(f"--cluster {cluster}: {EXTRA}") from error
    if cluster == "local":
        with (
            distributed.LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address="127.0.0.1:0") as local,
            distributed.Client(local) as client,
        ):
            yield client
        return
    try:
        client = distributed.Client(cluster, timeout=PATIENCE)
    except (OSError, TimeoutError, ValueError) as error:
        raise UsageError(f"--cluster {cluster}: no scheduler answers there: {error}") from error
    with client:
        yield client


def campaign_on(client: Any, request: CampaignRequest, emit: Emit, progress: Progress, batch: int = BATCH) -> None:
    """Perform a campaign on a cluster; raises UsageError as `campaign` does, and where its workers are not alike."""
    from distributed import KilledWorker, as_completed

    _, first = opening(request)
    found = _Found(request, emit, first)
    todo = _batches(request, batch)
    running = as_completed()
    given: dict[Any, CampaignRequest] = {}

    def give(some: Iterator[CampaignRequest]) -> None:
        for one in some:
            future = client.submit(acted, one, pure=False)
            given[future.key] = one
            running.add(future)

    threads = sum(client.nthreads().values())
    if not threads:
        raise UsageError("the cluster has no workers; start some: dask worker ADDRESS")
    progress(f"sharing out batches of {batch} scenarios to {threads} threads of {len(client.nthreads())} workers")
    try:
        give(islice(todo, AHEAD * threads))
        for future in running:
            one = given.pop(future.key)
            try:
                found.take(future.result())
            except KilledWorker as error:
                last = one.first + (one.count or 0) - 1
                raise UsageError(
                    f"scenarios {one.first} to {last} cost several workers their lives: {error}"
                ) from error
            give(islice(todo, 1))
    finally:
        found.close()


def acted(request: CampaignRequest) -> list[Line] | str:
    """Perform one batch, on a worker; return its lines, or what the user has to mend."""
    lines: list[Line] = []
    try:
        campaign(request, lines.append, lambda _: None)
    except UsageError as error:
        return str(error)
    return lines


def _batches(request: CampaignRequest, size: int) -> Iterator[CampaignRequest]:
    """Yield the batches of a campaign, until its examples are all given out or its time is over."""
    ends = None if request.seconds is None else time.monotonic() + request.seconds
    for start in count(0, size):
        left = size if request.count is None else min(size, request.count - start)
        if left <= 0 or (ends is not None and time.monotonic() >= ends):
            return
        yield replace(request, first=request.first + start, examples=left, seconds=None, save=None)


class _Found:
    """The log of the whole, made of those of the batches."""

    def __init__(self, request: CampaignRequest, emit: Emit, run: RunLine) -> None:
        self._request, self._emit, self._run = request, emit, run
        self._adapters: dict[str, AdapterLine] = {}
        self._failed: set[str] = set()
        self._selected: Counter[tuple[str, str]] = Counter()
        self._told: set[tuple[str, str]] = set()
        self._choices: list[ChoicesLine] = []
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
            elif isinstance(line, FindingLine):
                self._take_finding(line)
            elif isinstance(line, ChoicesLine):
                self._choices = joined_choices([*self._choices, line])
            elif isinstance(line, VerdictLine):
                self._emit(line)

    def close(self) -> None:
        """Say what no batch ever chose, and how many scenarios each adapter was given in all."""
        for choices in self._choices:
            self._emit(choices)
        for name, line in self._adapters.items():
            if line.suites and name not in self._failed:
                self._emit(msgspec.structs.replace(line, suites=self._summed(line)))

    def _hold_same(self, run: RunLine) -> None:
        what = difference(self._run, run)
        if what is not None:
            raise UsageError(f"a worker of the cluster is not like this machine: {what}")

    def _take_finding(self, line: FindingLine) -> None:
        """What several batches find alike is told, and saved, once."""
        if (line.adapter, line.id) in self._told:
            return
        self._told.add((line.adapter, line.id))
        folder = self._request.save
        self._emit(line if folder is None else saved(line, folder))

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
            self._emit(msgspec.structs.replace(line, suites=self._asked(line)))
        elif _kind(known) != _kind(line):
            raise UsageError(f"adapter {line.name} is not the same on all workers: {_kind(known)}, and {_kind(line)}")

    def _asked(self, line: AdapterLine) -> tuple[Speaks, ...]:
        return tuple(msgspec.structs.replace(one, selected=self._request.count or 0) for one in line.suites)

    def _summed(self, line: AdapterLine) -> tuple[Speaks, ...]:
        return tuple(msgspec.structs.replace(one, selected=self._selected[line.name, one.suite]) for one in line.suites)


def _kind(line: AdapterLine) -> str:
    """Say what an adapter is, in so far as all workers have to have the same."""
    if line.state == "unavailable":
        return f"unavailable ({line.reason})"
    return f"{line.target} {line.version}, " + ", ".join(f"{one.suite} {one.edition}" for one in line.suites)
