"""Which job goes next, and who is guilty when a process is lost.

Enters: jobs, answers, losses. Leaves: the next job, a culprit, or nobody. Must not know processes, messages or time.

Only a lone suspect is guilty; where an adapter falls silent, only in a process that answered nothing yet, since one
before it may have made the adapter deaf. Jobs go out *pipelined* until a process is lost with several suspects. The one
that it was at then goes out again *apart*, in a process of its own; and the others, should that not explain it,
*single*, one at a time in one process. Where even that leaves two suspects (the one in flight and the one answered just
before it), both go apart. Once one is guilty all others go out like new ones.

What is known to kill its process goes apart from the first, in a process that has acted out nothing yet: so it costs
one process, and nobody else's answer. Where one waits a new process begins with it, while others act out the rest; the
adapter's only process acts it out when all others are answered.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from bindproof.drive.values import Job, Pause

Manner: TypeAlias = Literal["pipelined", "single", "apart"]


class Loss(Struct, frozen=True):
    """How a process was lost."""

    outcome: Literal["crash", "timeout", "protocol_error"]
    """The verdict on its culprit, if one is found."""
    reason: str
    evidence: str | None
    stderr: str


class Sent(Struct, frozen=True):
    """A job on its way, and the manner in which it was sent."""

    job: Job
    manner: Manner


class Docket:
    """The jobs of one process of an adapter: unsent, suspected, and the case that is open while suspects are tried.

    jobs: pulled only as they are sent. window: how many may be in flight while nothing is wrong. last: where jobs wait
    that are known to kill their process; the adapter's processes share it, and whichever begins, or is done with the
    others, takes of them. paused: there is nothing to send until answers are told.
    """

    def __init__(self, jobs: Iterable[Job | Pause], window: int, last: deque[Job] | None = None) -> None:
        self.window = window
        self.paused = False
        self._jobs = iter(jobs)
        self._peeked: Job | None = None
        self._again: deque[Job] = deque()
        self._single: deque[Job] = deque()
        self._apart: deque[Job] = deque()
        self._last: deque[Job] = deque() if last is None else last
        self._alone = False
        self._case: Loss | None = None

    def take(self, in_flight: int, *, fresh: bool = True) -> Sent | None:
        """The next job to send while `in_flight` are pending, or None when none may go now.

        fresh: the process has answered nothing yet.
        """
        if self._alone or in_flight >= self.window:
            return None
        if self._apart or self._single:
            if in_flight:
                return None
            self._alone = True
            return Sent(self._apart.popleft(), "apart") if self._apart else Sent(self._single.popleft(), "single")
        begins = fresh and not in_flight
        job = None if begins and self._last and not self._again and self._case is None else self._next()
        if job is not None:
            return Sent(job, "pipelined")
        if self.paused or not begins or not self._last:
            return None
        self._alone = True
        return Sent(self._last.popleft(), "apart")

    def exhausted(self) -> bool:
        """True when there is nothing more to send."""
        if self._apart or self._single:
            return False
        if self._again:
            return False
        self._peeked = self._next()
        return self._peeked is None and not self.paused and not self._last

    def answered(self, sent: Sent) -> Loss | None:
        """A job was answered. Gives the loss that no suspect explains when this answer ends their trial."""
        if sent.manner == "pipelined":
            return self.close_case()
        self._alone = False
        return None

    def lost(self, loss: Loss, held: Job | None, pending: list[Sent], *, fresh: bool = True) -> Job | None:
        """A process was lost. Gives the culprit when there is but one suspect; else they will be tried.

        held: the job answered last, if that may be what did it. pending: those that had no answer, in order. fresh: the
        process had answered nothing yet.
        """
        self._alone = False
        before, waiting = [] if held is None else [held], [sent.job for sent in pending]
        if len(before + waiting) == 1 and (fresh or before):
            return self._guilty(*before, *waiting)
        if waiting and self._case is None:
            self._case = loss
        # A process acts in order, so it was at the first that it had not answered; a twin still comes before that.
        first, others = waiting[:1], before + waiting[1:]
        if held is not None and held.leads:
            first, others = before + waiting[:1], waiting[1:]
        (self._single if len(others) > 1 else self._apart).extendleft(reversed(others))
        self._apart.extendleft(reversed(first))
        return None

    def _guilty(self, culprit: Job) -> Job:
        """The loss is explained: whoever waits to be tried goes out like any other, before any new job.

        One that is known to kill its process explains its own loss, and no case that is open.
        """
        self._case = self._case if culprit.kills else None
        self._again.extendleft(reversed([*self._apart, *self._single]))
        self._apart.clear()
        self._single.clear()
        return culprit

    def again(self, sent: Iterable[Sent]) -> None:
        """These go out once more, before any new job: their process was not clean. Nobody is suspected."""
        self._alone = False
        self._again.extend(one.job for one in sent)

    def narrow(self, window: int) -> None:
        """At most so many in flight from now on; a case that is open is closed first."""
        if self._case is None:
            self.window = min(self.window, window)

    def close_case(self) -> Loss | None:
        """The trial is over. Gives the loss that no suspect explains; jobs are sent one at a time from then on."""
        case, self._case = self._case, None
        if case is None:
            return None
        self.window = 1
        return replace(
            case, reason=f"{case.reason}, with several scenarios in one process; sent alone, none of them does it"
        )

    def cut_short(self) -> Loss | None:
        """There is no time to try anybody. Gives the loss that is not explained."""
        case, self._case = self._case, None
        if case is None:
            return None
        return replace(case, reason=f"{case.reason}; the time was up before it was known which scenario does it")

    def rest(self) -> Iterator[Job]:
        """All jobs that were not sent, or sent and not answered, one by one, up to a pause."""
        for suspects in (self._apart, self._single):
            while suspects:
                yield suspects.popleft()
        while (job := self._next()) is not None:
            yield job
        while self._last:
            yield self._last.popleft()

    def _next(self) -> Job | None:
        if self._again:
            return self._again.popleft()
        job, self._peeked = self._peeked, None
        coming = next(self._jobs, None) if job is None else job
        while isinstance(coming, Job) and coming.kills and not coming.leads:
            self._last.append(coming)
            coming = next(self._jobs, None)
        self.paused = isinstance(coming, Pause)
        return None if isinstance(coming, Pause) else coming
