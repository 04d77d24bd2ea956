"""One selector loop for all adapters of a drive, without threads.

Enters: adapter commands with their jobs. Leaves: the items of `values`, in the order in which they happen.
Must not know blame (`docket`) or messages (`protocol`).
"""

from __future__ import annotations

import selectors
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from bindproof.core.model import AdapterCommand, TargetInfo
from bindproof.drive.adapter_run import AdapterRun
from bindproof.drive.generation import Generation, Role
from bindproof.drive.pool import Pool
from bindproof.drive.values import HardEnd, Item, Job, Limits, Pause

ASLEEP = 1.0
"""So many seconds longer than it should take a wait, where nothing runs."""

JobsFor: TypeAlias = Callable[[TargetInfo], Iterable[Job | Pause]]


def drive(
    runs: Sequence[tuple[AdapterCommand, JobsFor]],
    limits: Limits | None = None,
    processes: int | None = 1,
    end: HardEnd | None = None,
    meanwhile: Callable[[], None] | None = None,
) -> Iterator[Item]:
    """Act out every job on its adapter, all adapters at the same time.

    runs: an adapter, and a callable that gives its jobs; called once, after the adapter told which dialects it speaks.
    processes: how many of each adapter work at the same time, with None as many as each says itself; with more than
    one, answers come out of order.
    end: what has no answer then is Unanswered, and every process is killed; an adapter that did not say yet what it is
    has its own time for that.
    meanwhile: called once when all adapters are started, to be done while they get ready.
    The jobs are pulled as they are sent; after a Pause, once every answer was taken from here. Time that the caller
    spends between two items is on nobody's clock.
    Gives one Ready for each adapter that initializes, one Answer for each job but at the end, and a Failed for an
    adapter that is itself guilty. Closing the iterator kills every adapter with its children.
    Raises StartError's subclass UnsupportedPlatformError outside Linux and macOS, and whatever the jobs raise.
    """
    clock, end = _Clock(), end or HardEnd()
    with selectors.DefaultSelector() as selector:
        adapters: list[AdapterRun] = []
        try:
            pools = [Pool(one, jobs, limits or Limits(), processes or one.processes) for one, jobs in runs]
            for pool in pools:
                adapters.append(_run_of(pool, selector, clock.now))
            if meanwhile is not None:
                clock.pause_while_done(meanwhile)
            while adapters:
                for adapter in adapters:
                    yield from clock.pause_while(adapter.items())
                for pool in pools:
                    for _ in range(0 if end.passed else pool.vacancies()):
                        adapters.append(_run_of(pool, selector, clock.now))
                adapters = [adapter for adapter in adapters if not adapter.finished]
                _step(selector, adapters, clock, end)
        finally:
            for adapter in adapters:
                adapter.kill()


def _run_of(pool: Pool, selector: selectors.BaseSelector, now: Callable[[], float]) -> AdapterRun:
    return AdapterRun(pool, lambda owner: Generation(pool.command, pool.limits, selector, owner), now)


def _step(selector: selectors.BaseSelector, adapters: list[AdapterRun], clock: _Clock, end: HardEnd) -> None:
    if not adapters:
        return
    now = clock.now
    wait = min(adapter.deadline for adapter in adapters) - now()
    if any(adapter.introduced for adapter in adapters):
        wait = min(wait, end.at - time.monotonic())
    for key, _ in clock.waited(selector, wait):
        adapter, generation, role = _owner(key.data)
        adapter.ready(generation, role)
    moment = clock.awake()
    for adapter in adapters:
        # What has arrived was read just above, so a reply that came in time is never too late.
        if adapter.deadline <= moment:
            adapter.expired()
        if end.passed and adapter.introduced:
            adapter.cut_short()


def _owner(data: tuple[AdapterRun, Generation, Role]) -> tuple[AdapterRun, Generation, Role]:
    return data


class _Clock:
    """Seconds that pass while the loop itself is running."""

    def __init__(self) -> None:
        self._paused = 0.0
        self._seen = self.now()

    def now(self) -> float:
        return time.monotonic() - self._paused

    def awake(self) -> float:
        """Return what time it is, to be asked for wherever somebody may be late. Where it was long ago that it was, but
        for waits, nothing ran: see `waited`."""
        passed = self.now() - self._seen
        if passed > ASLEEP:
            self._paused += passed
        self._seen = self.now()
        return self._seen

    def waited(self, selector: selectors.BaseSelector, seconds: float) -> list[tuple[selectors.SelectorKey, int]]:
        """Wait for pipes, for so many seconds at most. Where it was much longer nothing ran, adapters neither, such as
        while the machine was asleep: that is on nobody's clock."""
        seconds, left = max(0.0, seconds), self.awake()
        found = selector.select(seconds)
        passed = self.now() - left
        if passed > seconds + ASLEEP:
            self._paused += passed
        self._seen = self.now()
        return found

    def pause_while_done(self, work: Callable[[], None]) -> None:
        left = time.monotonic()
        work()
        self._paused += time.monotonic() - left

    def pause_while(self, items: Iterable[Item]) -> Iterator[Item]:
        for item in items:
            left = time.monotonic()
            yield item
            self._paused += time.monotonic() - left
