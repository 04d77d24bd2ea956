"""One process of an adapter through a drive: its generation of the moment, deadlines, losses and restarts.

Enters: readiness of pipes and the passing of time. Leaves: `Ready`, `Answer`, `Unanswered`, `Failed`.
Must not know other adapters, nor what scenarios and observations mean. Which phase follows on what, and what is done
then, is `PHASES` and nothing else.

The newest answer is held back until the adapter's next sign of life, because what comes after it on the same pipe (a
second reply, garbage, a crash) may be the fault of its scenario.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from bindproof import __version__
from bindproof.core.model import Json, TargetInfo
from bindproof.drive.docket import Docket, Loss, Sent
from bindproof.drive.generation import Generation, OutputEndedError, Role
from bindproof.drive.phases import PHASES, Action, Event, Phase
from bindproof.drive.pool import Pool
from bindproof.drive.values import Answer, Failed, Item, Ready, Unanswered
from bindproof.protocol import messages
from bindproof.protocol.messages import RemoteError
from bindproof.protocol.process import StartError, UnsupportedPlatformError
from bindproof.protocol.session import Initialized, Replied

_GRACE = 0.5
"""Seconds that a process whose output ended has to end by itself, so that its own status is seen."""

FIRST = 8
"""Scenarios that an adapter is sent before its first answer: it works on them while others are made ready. With the
next answers it is twice as many, and so on, up to the window.
"""

Begin: TypeAlias = Callable[["AdapterRun"], Generation]
"""Starts a process whose pipes are watched for a run. Raises StartError."""


class _Held(Struct, frozen=True):
    """The newest answer, and the id of the request that it answers."""

    sent: Sent
    answer: Answer
    request: int


class AdapterRun:
    """The state of one process of an adapter in the loop; restarts put another in its place.

    pool: what it shares with the adapter's other processes. begin: starts a process. now: the loop's clock.
    """

    def __init__(self, pool: Pool, begin: Begin, now: Callable[[], float]) -> None:
        self.deadline = math.inf
        self._pool = pool
        self._name = pool.command.name
        self._limits = pool.limits
        self._begin = begin
        self._now = now
        self._phase: Phase = "initializing"
        self._items: list[Item] = []
        self._docket: Docket | None = None
        self._generation: Generation | None = None
        self._held: _Held | None = None
        self._again: list[Sent] = []
        self._clock_starts = False
        self._fresh = True
        self._ahead = FIRST
        self._lasts = math.inf
        self._given_up = ""
        self._enter("initializing")
        self._start(None)

    @property
    def finished(self) -> bool:
        """True when nothing more will come."""
        return self._phase == "finished" and not self._items

    def items(self) -> Iterator[Item]:
        """What happened since the last call; once the adapter is given up, all jobs that remain, too."""
        while True:
            items, self._items = self._items, []
            yield from items
            if self._phase != "waiting":
                break
            self._happened("told")
            if self._phase == "waiting" and not self._items:
                raise RuntimeError("the jobs pause, and there is no answer that is not told")
        if self._given_up and self._docket is not None:
            for job in self._docket.rest():
                yield Answer(self._name, job, "not_run", reason=self._given_up)

    def ready(self, generation: Generation, role: Role) -> None:
        """A pipe of `generation` is ready; an older generation counts for nothing."""
        if generation is not self._generation:
            return
        if role == "stdout":
            self._read(generation)
        elif role == "stderr":
            generation.read_stderr()
        else:
            generation.send([])

    def expired(self) -> None:
        """The deadline passed."""
        if self._phase == "initializing":
            reason = f"it did not answer initialize within {self._limits.initialize:g} s"
        else:
            reason = f"no reply within {self._patience():g} s"
        self._happened("expired", Loss("timeout", reason, None, ""))

    @property
    def introduced(self) -> bool:
        """True once the adapter has said what it is, to this process or to another."""
        return self._pool.opened

    def cut_short(self) -> None:
        """The time of the whole drive is up, and the adapter is introduced."""
        if self._phase != "finished":
            self._happened("time is up")

    def kill(self) -> None:
        """Kill the process with its children, whatever it does."""
        self._enter("finished")
        self._stop(None)

    # What happens.

    def _happened(self, event: Event, what: TargetInfo | Replied[Sent] | Loss | None = None) -> None:
        phase, actions = PHASES[self._phase, event]
        if phase != self._phase:
            self._enter(phase)
        for action in actions:
            ACTIONS[action](self, what)

    def _enter(self, phase: Phase) -> None:
        self._phase = phase
        seconds = {
            "initializing": self._limits.initialize,
            "asked to end": self._limits.shutdown,
            "ending": self._limits.shutdown,
        }
        self.deadline = self._now() + seconds.get(phase, math.inf)

    def _read(self, generation: Generation) -> None:
        try:
            for event in generation.receive():
                if isinstance(event, Replied):
                    self._happened("left something" if _left_something(event.reply.payload) else "answered", event)
                elif isinstance(event, Initialized):
                    self._happened("initialized", event.info)
                else:
                    self._happened("acknowledged")
        except StartError as problem:
            self._happened("could not start", Loss("protocol_error", str(problem), None, ""))
        except RemoteError as fault:
            self._happened(self._kind_of(fault), Loss("protocol_error", fault.reason, fault.evidence, ""))
        except OutputEndedError as end:
            awaited = "it answered initialize" if self._phase == "initializing" else "it answered"
            evidence = messages.shown(end.rest) if end.rest else None
            self._happened("output ended", Loss("crash", f"its output ended before {awaited}", evidence, ""))
        else:
            self._happened("all read")

    def _kind_of(self, fault: RemoteError) -> Event:
        held = self._held
        if held is not None and (held.sent.manner == "apart" or held.request == fault.request):
            return "broke it at the last answer"
        return "broke the protocol"

    # What is done about it, as `PHASES` has it.

    def _start(self, _: object) -> None:
        self._fresh = True
        self._lasts = self._pool.command.scenarios or math.inf
        try:
            self._generation = self._begin(self)
        except StartError as problem:
            if isinstance(problem, UnsupportedPlatformError):
                raise
            self._happened("could not start", Loss("protocol_error", str(problem), None, ""))
        else:
            self._generation.send([self._generation.session.initialize(__version__)])

    def _introduce(self, info: TargetInfo) -> None:
        if self._docket is None:
            if not self._pool.opened:
                self._items.append(Ready(self._name, info))
                self._pool.open(info)
            self._docket = Docket(self._pool.share(), self._pool.window, self._pool.last)

    def _hold_answer(self, event: Replied[Sent]) -> None:
        self._release_answer(None)
        self._clock_starts, self._fresh = True, False
        self._pool.lost_starts = 0
        sent, reply = event.token, event.reply
        broken = reply.kind == "protocol_error"
        answer = Answer(
            self._name,
            sent.job,
            reply.kind,
            reply.payload,
            reply.reason,
            messages.shown(event.line) if broken else None,
            self._open_generation.stderr_tail() if broken or reply.kind == "adapter_error" else "",
            event.line,
            reply.recalled,
        )
        self._held = _Held(sent, answer, reply.id)
        window = self._open_docket.window
        if (unexplained := self._open_docket.answered(sent)) is not None:
            self._blame_company(unexplained, window)

    def _release_answer(self, _: object) -> None:
        if self._held is not None:
            self._items.append(self._held.answer)
            self._held = None

    def _send_again(self, event: Replied[Sent]) -> None:
        self._again.append(event.token)

    def _fill(self, _: object) -> None:
        generation, docket, pending = self._open_generation, self._open_docket, self._open_generation.session.pending
        clock_starts = self._clock_starts or not pending
        spent = not pending and self._held is not None and self._held.sent.manner == "apart"
        docket.narrow(self._pool.window)
        if not spent and len(pending) <= docket.window // 2:
            self._send(generation, docket)
        self._clock_starts = False
        if not pending:
            self._happened("paused" if docket.paused and not spent else "nothing in flight")
        elif clock_starts:
            self.deadline = self._now() + self._patience()

    def _send(self, generation: Generation, docket: Docket) -> None:
        session, lines = generation.session, []
        if self._clock_starts:
            self._ahead = min(2 * self._ahead, docket.window)
        while (
            self._lasts
            and len(session.pending) < self._ahead
            and (sent := docket.take(len(session.pending), fresh=self._fresh)) is not None
        ):
            self._lasts -= 1
            if len(sent.job.params) + messages.ENVELOPE_BYTES > self._limits.line:
                reason = f"the scenario has {len(sent.job.params)} bytes, the line limit is {self._limits.line}"
                self._items.append(Answer(self._name, sent.job, "not_run", reason=reason))
            else:
                lines.append(session.run(sent.job.params, sent))
        if lines:
            generation.send(lines)

    def _shut_down(self, _: object) -> None:
        self._open_generation.send([self._open_generation.session.shutdown()])

    def _stop(self, loss: Loss | None) -> str:
        """Make sure that the process is gone, and say how it ended; one that seems to end may do so by itself."""
        generation, self._generation = self._generation, None
        at_once = loss is None or loss.outcome == "timeout"
        return "it never ran" if generation is None else generation.stop(0.0 if at_once else _GRACE)

    def _lose(self, loss: Loss) -> None:
        held, pending = None if self._held is None else self._held.sent.job, self._unanswered()
        self._held = None
        whole = self._stopped(loss)
        culprit = self._open_docket.lost(whole, held, pending, fresh=self._fresh)
        if culprit is not None:
            self._pool.restarts += 0 if culprit.kills else 1  # that was foreseen, and such a job goes out once
            self._items.append(
                Answer(self._name, culprit, loss.outcome, None, whole.reason, whole.evidence, whole.stderr)
            )

    def _start_afresh(self, _: object) -> None:
        again = self._unanswered()
        self._stop(None)
        self._open_docket.again(again)

    def _count_start(self, _: object) -> None:
        self._pool.lost_starts += 1

    def _blame_adapter(self, loss: Loss) -> None:
        self._charge(self._stopped(loss))

    def _fail(self, loss: Loss) -> None:
        self._report(self._stopped(loss))
        self._given_up = f"the adapter failed: {loss.reason}"

    def _close_case(self, _: object) -> None:
        window = self._open_docket.window
        if (unexplained := self._open_docket.close_case()) is not None:
            self._blame_company(unexplained, window)

    def _withdraw(self, _: object) -> None:
        if self._docket is not None:
            self._docket.again(self._unanswered())
            self._items += [Unanswered(self._name, job) for job in self._docket.rest()]

    def _report_case(self, _: object) -> None:
        if self._docket is not None and (unexplained := self._docket.cut_short()) is not None:
            self._charge(unexplained)

    def _give_up(self, _: object) -> None:
        self._given_up = f"the adapter was given up: {self._pool.given_up}"

    def _go_on(self, _: object) -> None:
        if self._open_docket.exhausted():
            self._happened("no jobs left")
        elif self._pool.given_up:
            self._happened("restarts used up")
        else:
            self._happened("jobs left")

    # Small parts.

    @property
    def _open_docket(self) -> Docket:
        if self._docket is None:
            raise RuntimeError("there are no jobs before initialize")
        return self._docket

    @property
    def _open_generation(self) -> Generation:
        if self._generation is None:
            raise RuntimeError("there is no process")
        return self._generation

    def _unanswered(self) -> list[Sent]:
        """What is in flight, or was answered by a process that was not clean any more."""
        again, self._again = self._again, []
        return again + self._pending()

    def _pending(self) -> list[Sent]:
        return [] if self._generation is None else list(self._generation.session.pending.values())

    def _patience(self) -> float:
        """How long the scenario that is acted out now may take, in seconds."""
        first = next(iter(self._pending()), None)
        own = None if first is None else first.job.seconds
        return self._limits.scenario if own is None else min(own, self._limits.scenario)

    def _stopped(self, loss: Loss) -> Loss:
        """Stop the process; return the loss with what is known of it then."""
        generation = self._generation
        if generation is None:
            return loss
        crashed = loss.outcome == "crash"
        ended = self._stop(loss if crashed else None)
        reason = f"{loss.reason}: {ended}" if crashed else loss.reason
        return replace(loss, reason=reason, stderr=generation.stderr_tail())

    def _blame_company(self, loss: Loss, window: int) -> None:
        if self._pool.slow_down(window):
            self._charge(loss)

    def _charge(self, loss: Loss) -> None:
        """No scenario did it: the adapter pays for the restart."""
        self._pool.restarts += 1
        self._report(loss)

    def _report(self, loss: Loss) -> None:
        if not self._pool.failed:
            self._items.append(Failed(self._name, loss.reason, loss.evidence, loss.stderr))
        self._pool.failed = True


ACTIONS: Mapping[Action, Callable[[AdapterRun, Any], object]] = MappingProxyType(
    {
        "start": AdapterRun._start,
        "introduce": AdapterRun._introduce,
        "hold answer": AdapterRun._hold_answer,
        "release answer": AdapterRun._release_answer,
        "send again": AdapterRun._send_again,
        "fill": AdapterRun._fill,
        "shut down": AdapterRun._shut_down,
        "stop": AdapterRun._stop,
        "lose": AdapterRun._lose,
        "start afresh": AdapterRun._start_afresh,
        "count start": AdapterRun._count_start,
        "blame adapter": AdapterRun._blame_adapter,
        "fail": AdapterRun._fail,
        "close case": AdapterRun._close_case,
        "withdraw": AdapterRun._withdraw,
        "report case": AdapterRun._report_case,
        "give up": AdapterRun._give_up,
        "go on": AdapterRun._go_on,
    }
)


def _left_something(payload: Json) -> bool:
    """Tell whether an observation says that something stayed registered or came late."""
    return isinstance(payload, dict) and bool(payload.get("left") or payload.get("stray"))
