"""One process of an adapter through a drive: its generation of the moment, deadlines, losses and restarts.

Enters: readiness of pipes and the passing of time. Leaves: `Ready`, `Answer`, `Failed`.
Must not know other adapters, nor what scenarios and observations mean.

The newest answer is held back until the adapter's next sign of life, because what comes after it on the same pipe (a
second reply, garbage, a crash) may be the fault of its scenario.
"""

from __future__ import annotations

import math
import selectors
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from bindproof import __version__
from bindproof.core.model import Json, TargetInfo
from bindproof.drive.docket import Docket, Loss, Sent
from bindproof.drive.generation import Generation, OutputEndedError, Role
from bindproof.drive.pool import Pool
from bindproof.drive.values import Answer, Failed, Ready
from bindproof.protocol import messages
from bindproof.protocol.messages import RemoteError
from bindproof.protocol.process import StartError, UnsupportedPlatformError
from bindproof.protocol.session import Initialized, Replied

Phase: TypeAlias = Literal["initializing", "running", "asked to end", "ending", "finished"]

_GRACE = 0.5
"""Seconds that a process whose output ended has to end by itself, so that its own status is seen."""


@dataclass(frozen=True, slots=True)
class _Held:
    """The newest answer, and the id of the request that it answers."""

    sent: Sent
    answer: Answer
    request: int


class AdapterRun:
    """The state of one process of an adapter in the loop; restarts put another in its place.

    pool: what it shares with the adapter's other processes. selector: where its pipes are registered. now: the loop's
    clock.
    """

    def __init__(self, pool: Pool, selector: selectors.BaseSelector, now: Callable[[], float]) -> None:
        self.deadline = math.inf
        self._pool = pool
        self._command = pool.command
        self._limits = pool.limits
        self._selector = selector
        self._now = now
        self._phase: Phase = "initializing"
        self._items: list[Ready | Answer | Failed] = []
        self._docket: Docket | None = None
        self._generation: Generation | None = None
        self._held: _Held | None = None
        self._given_up = ""
        self._begin()

    @property
    def finished(self) -> bool:
        """True when nothing more will come."""
        return self._phase == "finished" and not self._items

    def items(self) -> Iterator[Ready | Answer | Failed]:
        """What happened since the last call; once the adapter is given up, all jobs that remain, too."""
        items, self._items = self._items, []
        yield from items
        if self._given_up and self._docket is not None:
            for job in self._docket.rest():
                yield Answer(self._command.name, job, "not_run", reason=self._given_up)

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
            self._fail(f"it did not answer initialize within {self._limits.initialize:g} s", None, grace=0.0)
        elif self._phase == "running":
            self._release()
            self._lose("timeout", f"no reply within {self._patience():g} s", None)
        else:
            self._end(grace=0.0)

    def kill(self) -> None:
        """Kill the process with its children, whatever it does."""
        self._finish()
        self._stop(grace=0.0)

    # What arrives.

    def _read(self, generation: Generation) -> None:
        replied = False
        unclean: list[Sent] | None = None
        try:
            for event in generation.receive():
                if isinstance(event, Replied) and unclean is not None:
                    unclean.append(event.token)
                elif isinstance(event, Replied):
                    replied = True
                    self._replied(generation, event)
                    unclean = [] if _left_something(event.reply.payload) else None
                elif isinstance(event, Initialized):
                    self._initialized(event.info)
                else:
                    self._enter("ending", self._limits.shutdown)
        except RemoteError as fault:
            self._broken(fault)
        except OutputEndedError as end:
            self._output_ended(end.rest)
        else:
            if self._phase == "running" and unclean is not None:
                self._start_afresh(unclean)
            elif self._phase == "running":
                self._go_on(generation, replied=replied)

    def _start_afresh(self, answered: list[Sent]) -> None:
        """End a process in which a scenario left something behind; what came after that scenario goes out again."""
        again = answered + self._pending()
        self._release()
        self._stop(grace=0.0)
        self._open_docket.again(again)
        self._next_generation()

    def _initialized(self, info: TargetInfo) -> None:
        self._enter("running", self._limits.scenario)
        if self._docket is None:
            if not self._pool.opened:
                self._items.append(Ready(self._command.name, info))
                self._pool.open(info)
            self._docket = Docket(self._pool.share(), self._pool.window)

    def _replied(self, generation: Generation, event: Replied[Sent]) -> None:
        held, sent, reply = self._held, event.token, event.reply
        if held is not None:
            self._items.append(held.answer)
        broken = reply.kind == "protocol_error"
        answer = Answer(
            self._command.name,
            sent.job,
            reply.kind,
            reply.payload,
            reply.reason,
            messages.shown(event.line) if broken else None,
            generation.stderr_tail() if broken or reply.kind == "adapter_error" else "",
            event.line,
        )
        self._held = _Held(sent, answer, reply.id)
        window = self._open_docket.window
        if (unexplained := self._open_docket.answered(sent)) is not None:
            self._blame_company(unexplained, window)

    def _broken(self, fault: RemoteError) -> None:
        held = self._held
        if self._phase == "initializing":
            self._fail(fault.reason, fault.evidence, grace=0.0)
        elif self._phase == "running":
            self._lose("protocol_error", fault.reason, fault.evidence)
        elif self._phase == "ending":
            self._end(_GRACE)  # it said goodbye; what it writes after that counts for nothing
        elif held is not None and (held.sent.manner == "apart" or held.request == fault.request):
            self._lose("protocol_error", fault.reason, fault.evidence)
        else:
            self._blame_adapter(Loss("protocol_error", fault.reason, fault.evidence, self._stderr()))
            self._end(grace=0.0)

    def _output_ended(self, rest: bytes) -> None:
        evidence = messages.shown(rest) if rest else None
        if self._phase == "initializing":
            self._fail("its output ended before it answered initialize", evidence, _GRACE)
        elif self._phase == "running":
            self._lose("crash", "its output ended before it answered", evidence, _GRACE)
        else:
            self._end(_GRACE)

    # What follows from it.

    def _go_on(self, generation: Generation, *, replied: bool) -> None:
        pending = generation.session.pending
        clock_starts = replied or not pending
        spent = not pending and self._held is not None and self._held.sent.manner == "apart"
        self._open_docket.narrow(self._pool.window)
        if not spent and len(pending) <= self._open_docket.window // 2:
            self._fill(generation)
        if not pending:
            self._enter("asked to end", self._limits.shutdown)
            generation.send([generation.session.shutdown()])
        elif clock_starts:
            self.deadline = self._now() + self._patience()

    def _fill(self, generation: Generation) -> None:
        docket, session, lines = self._open_docket, generation.session, []
        while (sent := docket.take(len(session.pending))) is not None:
            if len(sent.job.params) + messages.ENVELOPE_BYTES > self._limits.line:
                reason = f"the scenario has {len(sent.job.params)} bytes, the line limit is {self._limits.line}"
                self._items.append(Answer(self._command.name, sent.job, "not_run", reason=reason))
            else:
                lines.append(session.run(sent.job.params, sent))
        if lines:
            generation.send(lines)

    def _lose(
        self,
        outcome: Literal["crash", "timeout", "protocol_error"],
        reason: str,
        evidence: str | None,
        grace: float = 0.0,
    ) -> None:
        held, pending = None if self._held is None else self._held.sent.job, self._pending()
        self._held = None
        ended, stderr = self._stop(grace)
        loss = Loss(outcome, f"{reason}: {ended}" if outcome == "crash" else reason, evidence, stderr)
        culprit = self._open_docket.lost(loss, held, pending)
        if culprit is not None:
            self._pool.restarts += 1
            self._items.append(Answer(self._command.name, culprit, outcome, None, loss.reason, evidence, stderr))
        self._next_generation()

    def _end(self, grace: float) -> None:
        self._stop(grace)
        self._release()
        self._next_generation()

    def _next_generation(self) -> None:
        docket = self._open_docket
        if docket.exhausted():
            window = docket.window
            if (unexplained := docket.close_case()) is not None:
                self._blame_company(unexplained, window)
            self._finish()
        elif self._pool.restarts > self._limits.restarts:
            self._given_up = f"the adapter was given up: its {self._limits.restarts} restarts are used up"
            self._finish()
        else:
            self._begin()

    def _blame_company(self, loss: Loss, window: int) -> None:
        if self._pool.slow_down(window):
            self._blame_adapter(loss)

    def _blame_adapter(self, loss: Loss) -> None:
        self._pool.restarts += 1
        self._report_failure(loss.reason, loss.evidence, loss.stderr)

    def _fail(self, reason: str, evidence: str | None, grace: float) -> None:
        ended, stderr = self._stop(grace)
        self._report_failure(f"{reason}: {ended}" if grace else reason, evidence, stderr)
        self._given_up = f"the adapter failed: {reason}"
        self._finish()

    def _report_failure(self, reason: str, evidence: str | None, stderr: str) -> None:
        if not self._pool.failed:
            self._items.append(Failed(self._command.name, reason, evidence, stderr))
        self._pool.failed = True

    # Small parts.

    @property
    def _open_docket(self) -> Docket:
        if self._docket is None:
            raise RuntimeError("there are no jobs before initialize")
        return self._docket

    def _begin(self) -> None:
        self._enter("initializing", self._limits.initialize)
        try:
            self._generation = Generation(self._command, self._limits, self._selector, self)
        except StartError as problem:
            if isinstance(problem, UnsupportedPlatformError):
                raise
            self._fail(str(problem), None, grace=0.0)
        else:
            self._generation.send([self._generation.session.initialize(__version__)])

    def _stop(self, grace: float) -> tuple[str, str]:
        generation, self._generation = self._generation, None
        return ("it never ran", "") if generation is None else (generation.stop(grace), generation.stderr_tail())

    def _finish(self) -> None:
        self._enter("finished", math.inf)

    def _enter(self, phase: Phase, seconds: float) -> None:
        self._phase = phase
        self.deadline = self._now() + seconds

    def _release(self) -> None:
        if self._held is not None:
            self._items.append(self._held.answer)
            self._held = None

    def _patience(self) -> float:
        """How long the scenario that is acted out now may take, in seconds."""
        first = next(iter(self._pending()), None)
        own = None if first is None else first.job.seconds
        return self._limits.scenario if own is None else min(own, self._limits.scenario)

    def _pending(self) -> list[Sent]:
        return [] if self._generation is None else list(self._generation.session.pending.values())

    def _stderr(self) -> str:
        return "" if self._generation is None else self._generation.stderr_tail()


def _left_something(payload: Json) -> bool:
    """Tell whether an observation says that something stayed registered or came late."""
    return isinstance(payload, dict) and bool(payload.get("left") or payload.get("stray"))
