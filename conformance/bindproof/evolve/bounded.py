"""Asks the questions of a comparison in a process that is killed when one of them takes too long.

Enters: two Schemas, seconds. Leaves: Decisions, in the order of the questions. Patterns and schemas are data of
strangers: some make a validator run for ever, or take all the memory there is.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Final

from msgspec.structs import replace

from bindproof.evolve.answers import Answer, Decision
from bindproof.evolve.compare import TRIES, Comparison, Seeds
from bindproof.evolve.difference import Difference, differences
from bindproof.evolve.schemas import Schema, Schemas

SECONDS: Final = 20.0
"""What one question may take, unless the user says otherwise."""

MOST_BYTES: Final = 4 * 2**30
"""Memory that the process may take, where the system can hold it to that."""


def decisions(
    old: Schemas, new: Schemas, seeds: Seeds, seconds: float = SECONDS, tries: int = TRIES
) -> Iterator[Decision]:
    """Yield a decision for each difference, and the last for all together.

    seconds: what each may take; one that takes longer is UNKNOWN. tries: values that are drawn where nothing is proved.
    """
    found = differences(old, new)
    worker = _Worker(*_without_documents(old, new), seeds, tries)
    try:
        for number in range(len(found) + 1):
            about = found[number] if number < len(found) else None
            answered = worker.decision(number, seconds) or _given_up(about, seconds)
            yield replace(answered, difference=about)
    finally:
        worker.end()


def _given_up(about: Difference | None, seconds: float) -> Decision:
    why = f"No answer within {seconds:g} seconds, or within {MOST_BYTES >> 30} GiB of memory."
    answer = Answer("UNKNOWN", None, why)
    return Decision(answer, answer, about)


class _Worker:
    """The process, which is started when it is first asked, and again after one that had to be killed."""

    def __init__(self, *asked: object) -> None:
        self._asked = asked
        self._process: multiprocessing.process.BaseProcess | None = None
        self._pipe: Connection | None = None

    def decision(self, number: int, seconds: float) -> Decision | None:
        """Return the answer to a question, None where there is none in time."""
        pipe = self._pipe or self._start()
        try:
            pipe.send(number)
            if pipe.poll(seconds):
                answer: Decision = pipe.recv()
                return answer
        except (EOFError, OSError):
            pass
        self.end()
        return None

    def _start(self) -> Connection:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, *self._asked), daemon=True)
        self._process.start()
        theirs.close()
        self._pipe = ours
        return ours

    def end(self) -> None:
        """Kill the process, if there is one."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process.close()
        if self._pipe is not None:
            self._pipe.close()
        self._process = self._pipe = None


def _serve(pipe: Connection, old: Schemas, new: Schemas, seeds: Seeds, tries: int) -> None:
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one who waits for us is told, and ends us
    _hold_the_memory()
    comparison = Comparison(old, new, seeds, tries)
    while True:
        try:
            pipe.send(comparison.decision(pipe.recv()))
        except (EOFError, OSError):
            return


def _hold_the_memory() -> None:
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))


def _without_documents(*sides: Schemas) -> tuple[Schemas, ...]:
    """Leave out what only lines are told by: it may be large, and the other process does not need it."""
    return tuple({name: Schema(schema.root, schema.draft) for name, schema in side.items()} for side in sides)
