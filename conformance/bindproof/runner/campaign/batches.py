"""Batches of jobs on one process of an adapter, where each batch depends on the answers to those before it.

Enters: how to start an adapter, jobs. Leaves: their answers. Must not know what is asked for, nor why.

A start costs more than most batches take. What is found so may owe something to what was acted out before, so whoever
asks has it confirmed by a fresh process in the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bindproof.core.model import AdapterCommand, TargetInfo
from bindproof.drive import Answer, HardEnd, Job, Limits, Pause, Unanswered, drive
from bindproof.drive.values import Item


class Batches:
    """One process that stays for all batches, until it is closed; a fresh one follows where it is given up."""

    def __init__(self, command: AdapterCommand, limits: Limits, end: HardEnd) -> None:
        self._command, self._limits, self._end = command, limits, end
        self._batch: Iterator[Job] = iter(())
        self._sent, self._told = 0, 0
        self._complete = True
        self._closed = False
        self._items: Iterator[Item] | None = None

    def answers(self, jobs: Iterable[Job]) -> list[Answer]:
        """Return the answers to a batch of at least one job, as they come; fewer where the hard end comes first.

        The jobs are pulled as they are sent.
        """
        self._batch, self._sent, self._told, self._complete = iter(jobs), 0, 0, False
        if self._items is None:
            self._items = drive([(self._command, self._jobs)], self._limits, end=self._end)
        found = []
        while not self._complete or self._told < self._sent:
            item = next(self._items, None)
            if item is None:
                self._items = None
                break
            self._told += isinstance(item, Answer | Unanswered)
            found += [item] if isinstance(item, Answer) else []
        return found

    def close(self) -> None:
        """Let the process end in order; what it does then is nobody's fault."""
        self._closed = True
        for _ in self._items or ():
            pass
        self._items = None

    def _jobs(self, _: TargetInfo) -> Iterator[Job | Pause]:
        while not self._closed:
            for job in self._batch:
                self._sent += 1
                yield job
            self._complete = True
            yield Pause()
