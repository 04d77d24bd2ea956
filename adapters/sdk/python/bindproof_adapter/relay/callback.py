"""A scripted callback and a subscriber's sink: what an adapter's functions hand their arguments to.

Enters: what the binding gave, as JSON. Leaves: the reply, as JSON or built with the binding's constructors. Must not
know any binding's types.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterator, Sequence
from collections.abc import Callable as Function
from contextlib import contextmanager
from typing import Any

from bindproof_adapter.relay import script
from bindproof_adapter.relay.flight import Latches, at_once
from bindproof_adapter.relay.held import Held
from bindproof_adapter.relay.recorder import Recorder
from bindproof_adapter.relay.script import ScriptedError
from bindproof_adapter.relay.values import copy, handed_back
from bindproof_adapter.signals import Stop

Json = Any
Build = Function[[Json], Any]
Proceed = Function[[Json], Awaitable[Json]]


class Callback:
    """One callback of one scenario. `ops` change its natural reply; `act` acts a step from inside it."""

    def __init__(self, name: str, ops: Sequence[Json], recorder: Recorder, act: Function[[Json], None]) -> None:
        self.name = name
        self._ops = ops
        self.recorder = recorder
        self._act = act

    def play(self, given: Json, natural: Json, build: Build = lambda reply: reply) -> Any:
        """Record the entry, let the ops change a copy of `natural`, build the reply, record it and return it.

        `build` turns JSON into the binding's own object; if that raises, the refusal is recorded and goes on. Raises
        what the script raises.
        """
        return self._replied(self._enter(given), given, natural, build)

    def _replied(self, k: int, given: Json, natural: Json, build: Build) -> Any:
        with self._told(k):
            known = {**self.recorder.values, "given": given}
            reply = script.perform(self.name, self._ops_of(k), copy(natural), known, self._act)
        return self._hand_over(k, reply, build)

    def _enter(self, given: Json) -> int:
        """Record the entry: what was given as it is now, where the script will change it."""
        changes = any(op.get("op") == "mutate" for op in self._ops)
        return self.recorder.enter(self.name, copy(given) if changes else given)

    def _ops_of(self, k: int) -> list[Json]:
        return script.of_entry(self._ops, k)

    @contextmanager
    def _told(self, k: int) -> Iterator[None]:
        """Record what the script raises, and keep why it cannot go on."""
        try:
            yield
        except ScriptedError as error:
            self.recorder.raising(self.name, k, error)
            raise
        except Stop as stop:
            self.recorder.stop(stop)
            raise

    def _hand_over(self, k: int, reply: Json, build: Build) -> Any:
        try:
            built = build(handed_back(reply))
        except Stop as stop:
            self.recorder.stop(stop)
            raise
        except BaseException as error:
            self.recorder.refused(self.name, k, reply, error)
            raise
        self.recorder.leave(self.name, k, reply)
        return built


class Asynchronous(Callback):
    """A callback whose playing is to be awaited: it lets others run between its entry and its reply."""

    async def play(self, given: Json, natural: Json, build: Build = lambda reply: reply) -> Any:
        """Play the callback as a plain one is."""
        k = self._enter(given)
        await asyncio.sleep(0)
        return self._replied(k, given, natural, build)


class Waiting(Callback):
    """A callback that may wait at latches: its answering is to be awaited."""

    def __init__(
        self, name: str, ops: Sequence[Json], recorder: Recorder, act: Function[[Json], None], latches: Latches | Held
    ) -> None:
        super().__init__(name, ops, recorder, act)
        self._latches = latches

    async def _apply(self, k: int, index: int, op: Json, reply: Json, known: Json) -> Json:
        if op.get("op") != "wait":
            return script.apply(op, reply, known, self._act, f"callback {self.name!r}, op {index}")
        await self._latches.wait(self.name, k, op["latch"])
        return reply

    async def _answered(self, k: int, given: Json, natural: Json, build: Build) -> Any:
        """Play entry `k` as `play` does, and wait where its ops say so."""
        with self._latches.entered(self.name, k), self._told(k):
            known = {**self.recorder.values, "given": given}
            reply = copy(natural)
            for index, op in enumerate(self._ops_of(k)):
                reply = await self._apply(k, index, op, reply, known)
        return self._hand_over(k, reply, build)


class Provider(Waiting):
    """The callback that does a call's work."""

    async def answer(self, given: Json, natural: Json, build: Build = lambda reply: reply) -> Any:
        """Play the callback as `play` does, and wait where its ops say so."""
        return await self._answered(self._enter(given), given, natural, build)


class Awaited(Waiting):
    """A callback that runs before a call starts and is to be awaited: it lets others run, and may wait at latches."""

    async def play(self, given: Json, natural: Json, build: Build = lambda reply: reply) -> Any:
        """Play the callback as a plain one is, and wait where its ops say so."""
        k = self._enter(given)
        await asyncio.sleep(0)
        return await self._answered(k, given, natural, build)


class Blocked(Waiting):
    """A callback that runs before a call starts, of a binding that blocks: it may wait at latches."""

    def play(self, given: Json, natural: Json, build: Build = lambda reply: reply) -> Any:
        """Play the callback as a plain one is, and wait where its ops say so."""
        return at_once(self._answered(self._enter(given), given, natural, build))


class Around(Waiting):
    """A callback that wraps an execution: it may go on with what it wraps, by the op `next`."""

    _lent: Function[[], Awaitable[Json]] | None = None

    async def go_on(self) -> Json:
        """Go on, unchanged, with what the last entry was lent; None where there was none."""
        return None if self._lent is None else await self._lent()

    async def wrap(
        self, given: Json, argument: Json, form: Function[[Json], Json], proceed: Proceed, build: Build = lambda r: r
    ) -> Any:
        """Play the callback as `play` does.

        argument: what `next` goes on with unless it is edited. proceed: goes on with JSON and returns the answer as
        JSON. form: makes a reply of an answer, and of None where nothing was asked. Without an op `next` the natural
        reply is made of the answer to the argument itself.
        """
        k = self.recorder.enter(self.name, given)
        asked = _Asked(self, k, argument, form, proceed)
        self._lent = lambda: proceed(copy(argument))
        try:
            with self._latches.entered(self.name, k):
                known = {**self.recorder.values, "given": given, "next": asked.answers}
                reply = await self._done(asked, known)
        except Stop as stop:
            self.recorder.stop(stop)
            raise
        except asyncio.CancelledError:
            raise
        except BaseException as error:
            self.recorder.raising(self.name, k, error)
            raise
        return self._hand_over(k, reply, build)

    async def _done(self, asked: _Asked, known: Json) -> Json:
        """Return the reply as the ops leave it."""
        ops = self._ops_of(asked.k)
        reply = asked.form(None)
        if not any(op.get("op") == "next" for op in ops):
            reply = await asked.ask({"edits": [{}], "catch": False}, reply, known, "")
        for index, op in enumerate(ops):
            if op.get("op") == "next":
                reply = await asked.ask(op, reply, known, f"callback {self.name!r}, op {index}")
            else:
                reply = await self._apply(asked.k, index, op, reply, known)
        return reply


class _Asked:
    """What one entry of a callback asked of what it wraps."""

    def __init__(
        self, callback: Around, k: int, argument: Json, form: Function[[Json], Json], proceed: Proceed
    ) -> None:
        self._callback, self.k = callback, k
        self._argument, self.form, self._proceed = argument, form, proceed
        self.answers: list[Json] = []

    async def ask(self, op: Json, reply: Json, known: Json, where: str) -> Json:
        """Go on once for each edit; return the reply that the last answer makes."""
        if op.get("at_once"):
            return await self._ask_at_once([self._edited(change, known, where) for change in op["edits"]], reply)
        for change in op["edits"]:
            argument = self._edited(change, known, where)
            try:
                answer = await self._answer(argument)
            except Stop:
                raise
            except Exception:
                self.answers.append(None)
                if not op["catch"]:
                    raise
            else:
                self.answers.append(answer)
                reply = self.form(copy(answer))
        return reply

    def _edited(self, change: Json, known: Json, where: str) -> Json:
        return script.edit(change, copy(self._argument), known, where)

    async def _ask_at_once(self, arguments: list[Json], reply: Json) -> Json:
        """Go on with all arguments, and wait then; the answers are told in the order of the arguments."""
        recorder, name = self._callback.recorder, self._callback.name
        for argument in arguments:
            recorder.asking(name, self.k, argument)
        found = await asyncio.gather(*map(self._proceed, arguments), return_exceptions=True)
        failures: list[BaseException] = []
        for answer in found:
            if isinstance(answer, BaseException):
                recorder.unanswered(name, self.k, answer)
                failures.append(answer)
            else:
                recorder.answered(name, self.k, answer)
                self.answers.append(answer)
                reply = self.form(copy(answer))
        if failures:
            raise failures[0]
        return reply

    async def _answer(self, argument: Json) -> Json:
        recorder, name = self._callback.recorder, self._callback.name
        recorder.asking(name, self.k, argument)
        try:
            answer = await self._proceed(argument)
        except asyncio.CancelledError:
            raise
        except BaseException as error:
            recorder.unanswered(name, self.k, error)
            raise
        recorder.answered(name, self.k, answer)
        return answer


class Sink:
    """Where the events of one subscriber go."""

    def __init__(
        self, name: str, ops: Sequence[Json], recorder: Recorder, stand: Function[[str, int, str], None]
    ) -> None:
        self.name = name
        self._ops = ops
        self._recorder = recorder
        self._stand = stand

    def put(self, event: Json) -> None:
        """Record one event, wait at the latches that the script names, and raise what it raises at the event."""
        k = self._recorder.event(self.name, event)
        for op in script.of_entry(self._ops, k):
            if op["op"] == "wait":
                self._stand(f"{self.name}.told", k, op["latch"])
            else:
                script.perform(self.name, [op], None, {}, lambda step: None)
