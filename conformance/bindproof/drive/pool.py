"""What the processes of one adapter share: its jobs, its restarts, how far ahead is sent, and whether it failed.

Enters: jobs. Leaves: each job, to one process alone. Must not know processes, messages or time.

A binding's registries are global to its process, so speed comes from more processes, never from two scenarios at a
time in one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator

from bindproof.core.model import AdapterCommand, TargetInfo
from bindproof.drive.values import Job, Limits, Pause

SHARED_WINDOW = 8
"""Scenarios in flight in each of several processes: enough to keep one busy, few enough to share out evenly."""


MOST_LOST_STARTS = 5
"""Processes that may be lost in a row without a scenario, however many restarts there are for scenarios."""


class Pool:
    """One adapter's jobs, to be acted out by `processes` processes.

    command, jobs_for, limits: as given to `drive`. window: how many jobs may be in flight in one process; 1 once the
    adapter failed with several. restarts: how many are used up. lost_starts: how many processes were lost before a
    scenario was sent to them, in a row. failed: the adapter itself was found guilty. last: jobs that are known to kill
    their process, and go when one begins or there are no others.
    """

    def __init__(
        self,
        command: AdapterCommand,
        jobs_for: Callable[[TargetInfo], Iterable[Job | Pause]],
        limits: Limits,
        processes: int,
    ) -> None:
        self.command = command
        self.limits = limits
        self.window = limits.window if processes == 1 else min(limits.window, SHARED_WINDOW)
        self.restarts = 0
        self.lost_starts = 0
        self.failed = False
        self.last: deque[Job] = deque()
        self._jobs_for = jobs_for
        self._jobs: Iterator[Job | Pause] | None = None
        self._further = processes - 1

    @property
    def opened(self) -> bool:
        """True once the adapter has said what it is, and its jobs are known."""
        return self._jobs is not None

    def open(self, info: TargetInfo) -> None:
        """Take the jobs for an adapter that says this of itself."""
        self._jobs = iter(self._jobs_for(info))

    @property
    def given_up(self) -> str:
        """Why no further process is started; empty while one may be."""
        if self.restarts > self.limits.restarts:
            return f"its {self.limits.restarts} restarts are used up"
        if self.lost_starts > MOST_LOST_STARTS:
            return f"{self.lost_starts} of its processes were lost, one after the other, before a scenario was sent"
        return ""

    def share(self) -> Iterator[Job | Pause]:
        """Yield the jobs of one process; jobs that belong together go to the same one."""
        while together := self._together():
            yield from together

    def vacancies(self) -> int:
        """How many more processes to start now: none before the jobs are known, nor when all are taken."""
        if self._jobs is None or self.failed:
            return 0
        further, self._further = self._further, 0
        return further

    def slow_down(self, window: int) -> bool:
        """One job at a time from now on. False when the fault showed in a process with `window` jobs in flight only
        because it had not heard of this yet."""
        news = self.window > 1 or window == 1
        self.window = 1
        return news

    def _together(self) -> list[Job | Pause]:
        jobs = [] if self._jobs is None else self._jobs
        together: list[Job | Pause] = []
        for job in jobs:
            together.append(job)
            if isinstance(job, Pause) or not job.leads:
                return together
        self._further = 0
        return together
