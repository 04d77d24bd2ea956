"""Asks the questions of a comparison in a process that is killed when one of them takes too long.

Enters: two Schemas, seconds. Leaves: Decisions, in the order of the questions. Patterns and schemas are data of
strangers: some make a validator run for ever, or take all the memory there is.
"""

from __future__ import annotations

import math
import multiprocessing
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Final

from msgspec import Struct

from bindproof.core.counting import plural
from bindproof.evolve.answers import DIRECTIONS, Answer, Decision, Direction
from bindproof.evolve.candidates import Met, Seeds
from bindproof.evolve.compare import TRIES, Comparison
from bindproof.evolve.difference import differences
from bindproof.evolve.limits import within
from bindproof.evolve.schemas import Schema, Schemas
from bindproof.evolve.validators import prepare

SECONDS: Final = 20.0
"""What one question may take, unless the user says otherwise."""

STARTING: Final = 60.0
"""Seconds in which the process has to be ready."""

MOST_BYTES: Final = 4 * 2**30
"""Memory that the process may take, where the system can hold it to that."""

BETWEEN: Final = 5.0
"""Seconds between two words on how far it is."""


class Patience(Struct, frozen=True):
    """How long the questions of a comparison may take, and who is told meanwhile."""

    seconds: float = SECONDS
    """What each may take; one that takes longer is UNKNOWN."""
    total: float = math.inf
    """What all may take; what is left then is UNKNOWN, and is not asked."""
    told: Callable[[str], None] = lambda _: None
    """Is told every few seconds how far it is."""


PATIENCE: Final = Patience()


def decisions(
    old: Schemas, new: Schemas, seeds: Callable[[], Seeds], patience: Patience = PATIENCE, tries: int = TRIES
) -> Iterator[Decision]:
    """Yield a decision for each difference, and the last for all together.

    seeds: gives them where something differs: to read vectors takes its time. tries: values that are drawn where
    nothing is proved. Raises TimeUpError where to tell the differences takes longer than one question may.
    """
    with within(patience.seconds, "to tell what differs"):
        found = differences(old, new)
    if not found:  # nothing is asked of any schema, and a process would cost more than all else
        yield Comparison(old, new).decision(0)
        return
    met: Met = {}
    worker = _Worker(*_without_documents(old, new), seeds(), tries)
    clock = _Clock(patience, len(found))
    try:
        for number in range(len(found) + 1):
            clock.tell(number)
            about = found[number] if number < len(found) else None
            there, back = (clock.answer(worker, (number, way, met)) for way in DIRECTIONS)
            for answer in (there, back):
                if answer.grade == "WITNESS":
                    met.setdefault(answer.entry, []).append(answer.witness)
            yield Decision(there, back, about)
    finally:
        worker.end()


class _Clock:
    """What a question may take now: of all of them, or of what is left for all; and when to tell how far it is."""

    def __init__(self, patience: Patience, count: int) -> None:
        self._patience, self._count = patience, count
        self._begun = self._last = time.monotonic()

    def answer(self, worker: _Worker, question: _Question) -> Answer:
        """Return the worker's answer, UNKNOWN where there is none in time."""
        seconds, total = self._patience.seconds, self._patience.total
        asked = time.monotonic()
        left = self._begun + total - asked
        found = worker.answer(question, min(seconds, left)) if left > 0 else None
        if found is not None:
            return found
        if time.monotonic() - asked < min(seconds, left):  # it gave up before its time was over
            why = f"No answer within {MOST_BYTES >> 30} GiB of memory."
        elif left < seconds:
            why = f"No answer within the {total:g} seconds that all questions together have."
        else:
            why = f"No answer within {seconds:g} seconds."
        return Answer("UNKNOWN", None, why)

    def tell(self, number: int) -> None:
        """Tell how many differences are decided, if it was not told just now."""
        now = time.monotonic()
        if now - self._last >= BETWEEN:
            self._last = now
            self._patience.told(f"{number} of {plural(self._count, 'difference')} decided, {now - self._begun:.0f} s")


_Question = tuple[int, Direction, Met]
"""The number of a difference, or of all together; a direction; witnesses that were met so far."""


class _Worker:
    """The process, which is started when it is first asked, and again after one that had to be killed."""

    def __init__(self, *asked: object) -> None:
        self._asked = asked
        self._process: multiprocessing.process.BaseProcess | None = None
        self._pipe: Connection | None = None

    def answer(self, question: _Question, seconds: float) -> Answer | None:
        """Return the answer to a question, None where time, memory or depth did not suffice."""
        pipe = self._pipe or self._start()
        try:
            pipe.send(question)
            if pipe.poll(seconds):
                return _told(pipe.recv())
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
        ours.poll(STARTING)  # what it imports is no part of a question's time
        with suppress(EOFError, OSError):
            ours.recv()
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
    warnings.simplefilter("ignore", FutureWarning)  # `re` warns of patterns that are none of ours
    _hold_the_memory()
    comparison = Comparison(old, new, seeds, tries)
    prepare()
    with suppress(EOFError, OSError):
        pipe.send(None)
        while True:
            number, way, met = pipe.recv()
            comparison.meet(met)
            pipe.send(_answered(comparison, number, way))


def _answered(comparison: Comparison, number: int, way: Direction) -> Answer | Exception | None:
    """Return the answer, None where memory or depth did not suffice, or what is a mistake of ours."""
    try:
        return comparison.answer(number, way)
    except (MemoryError, RecursionError):
        return None
    except Exception as error:
        return error


def _told(received: Answer | Exception | None) -> Answer | None:
    """Return what the process told; raises what went wrong there, which is a mistake of ours."""
    if isinstance(received, Exception):
        raise received
    return received


def _hold_the_memory() -> None:
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))


def _without_documents(*sides: Schemas) -> tuple[Schemas, ...]:
    """Leave out what only lines are told by: it may be large, and the other process does not need it."""
    return tuple({name: Schema(schema.root, schema.draft) for name, schema in side.items()} for side in sides)
