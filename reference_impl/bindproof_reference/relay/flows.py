"""Chapter *Streams* (STR), chunks: what a provider hands over, and what the intercepts around it make of it.

Enters: the ops of a provider or an intercept. Leaves: a flow of chunks, and the records of it. What an intercept does
when it is called is recorded in the program's lane, what it does when its stream is read in `<callback>.stream`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bindproof_reference.relay import callbacks, dialects
from bindproof_reference.relay.callbacks import Raised, Replied
from bindproof_reference.relay.chains import AS_GIVEN, words
from bindproof_reference.relay.emission import World
from bindproof_reference.relay.llm_call import for_execution
from bindproof_reference.relay.run import PROGRAM, Beside, FailedError, Run, failed
from bindproof_reference.relay.values import Json, copy, literal

NATURAL: Json = [{"op": "yield", "chunks": [{"i": 0}, {"i": 1}]}]
"""What a stream's provider hands over by itself (scenario language)."""

ENDED, CLOSED = {"how": "ended"}, {"how": "closed"}


class HangsError(Exception):
    """A provider hands over nothing more, and does not end."""


class UnreadError(Exception):
    """Nobody can read a chunk: JSON lacks something that is in it (DLC-015)."""


@dataclass
class Flow:
    """The chunks that a callback hands over; iterating raises FailedError, or HangsError."""

    call: str
    """The step that makes the call."""
    lanes: list[str]
    """Where it and what it wraps record them."""
    chunks: Iterator[Json]
    stopped: bool = False
    """Whoever reads it has stopped, and may close it."""
    runs_on: bool = False
    """Nobody reads it any more, and it may go on all the same."""

    @property
    def over(self) -> str:
        """The name of what one that runs on may record when it is over; of two calls either may do so alone."""
        return f"{self.call}/over"


def opened(world: World, step: Json, chain: list[Json], request: Json) -> Flow:
    """Call the outermost of a chain of stream intercepts, or the provider; raises FailedError."""
    flow = Flow(step["as"], [], iter(()))
    flow.chunks = _open(world, step, chain, request, flow)
    return flow


def read_on(run: Run, beside: Beside | None, chunks: Iterator[Json]) -> None:
    """Read on what may have been read ahead of a reader that has stopped: nobody is handed it.

    beside: what runs beside the program so, None where nothing does.
    """
    before = run.beside
    run.beside = beside and Beside(beside.stream, beside.since, maybe={})
    try:
        for _ in chunks:
            run.settle_maybe()
    except (FailedError, HangsError):
        pass
    run.beside = before


def _open(world: World, step: Json, chain: list[Json], request: Json, flow: Flow) -> Iterator[Json]:
    return _wrapped(world, step, chain, request, flow) if chain else _provided(world, step, request, flow)


def _parts(ops: list[Json]) -> tuple[list[Json], list[Json]]:
    """Return what is done when the callback is called, and what is done when its stream is read."""
    first = next((at for at, op in enumerate(ops) if op["op"] in ("yield", "hang")), len(ops))
    return ops[:first], ops[first:]


def _provided(world: World, step: Json, request: Json, flow: Flow) -> Iterator[Json]:
    run, callback = world.run, f"{step['as']}.source"
    flow.lanes.append(callback)
    eager, late = _parts(step["provider"])
    count = run.entered.get(callback, 0)
    reply = run.play(callback, eager, {"request": request}, None, lane=callback)
    if isinstance(reply, Raised):
        run.is_after(PROGRAM, callback)
        raise run.raised(callback, reply)
    mine = _Mine(run, callback, callback, count, flow, {**run.finished, "given": {"request": request}})
    return mine.flow(late or NATURAL, None)


def _wrapped(world: World, step: Json, chain: list[Json], request: Json, flow: Flow) -> Iterator[Json]:
    """Call an intercept (STR-014 to STR-017)."""
    run, callback = world.run, chain[0]["as"]
    given = for_execution(world, step, "llm.stream", {"request": request})
    flow.lanes.append(f"{callback}.stream")
    run.lanes.setdefault(f"{callback}.stream", [])
    count = run.enter(callback, given)
    names = {**run.finished, "given": given}
    mine = _Mine(run, callback, f"{callback}.stream", count, flow, names)
    mine.go_on = lambda op: mine.ask(op, request, lambda edited: _open(world, step, chain[1:], edited, flow))
    ops = chain[0]["do"]
    eager, late = _parts([op for op in ops if op["op"] != "edit"])
    mine.edits = [op for op in ops if op["op"] == "edit"]
    if not any(op["op"] == "next" for op in ops):
        eager = [{"op": "next", **AS_GIVEN}, *eager]
    inner: Iterator[Json] | None = None
    for op in eager:
        if op["op"] == "step":
            run.act(op["step"])
        elif op["op"] == "raise":
            run.leave(callback, count, Raised(op["text"]))
            raise run.raised(callback, Raised(op["text"]))
        else:
            try:
                inner = mine.go_on(op)
            except FailedError as ended:
                raised = words(ended.error["message"])
                run.record({"fact": "leave", "callback": callback, "k": count, "raised": raised})
                raise
    run.leave(callback, count, Replied(None))
    run.is_after(mine.lane, PROGRAM)
    return mine.flow(late, inner)


@dataclass
class _Mine:
    """One entry of a callback that hands over chunks."""

    run: Run
    callback: str
    lane: str
    count: int
    whole: Flow
    names: dict[str, Json]
    edits: Sequence[Json] = ()
    go_on: Callable[[Json], Iterator[Json] | None] = lambda op: None

    def ask(self, op: Json, request: Json, proceed: Callable[[Json], Iterator[Json]]) -> Iterator[Json] | None:
        """Go on with the request as the op edits it; None where it does not, or where a failure is caught."""
        key = {"callback": self.callback, "k": self.count}
        for change in op["edits"]:
            edited = callbacks.edit(copy(request), change, self.names)
            self.run.record({"fact": "next", **key, "given": literal(edited)})
            self.run.come_this_far()
            try:
                inner = proceed(edited)
            except FailedError as ended:
                self.run.record({"fact": "answer", **key, "error": ended.error})
                if not op["catch"]:
                    raise
                return None
            self.run.record({"fact": "answer", **key, "value": None})
            self.run.come_this_far()
            return self._passed(inner, op["catch"])
        return None

    def _passed(self, inner: Iterator[Json], catch: bool) -> Iterator[Json]:
        try:
            for chunk in inner:
                for op in self.edits:
                    chunk = callbacks.edit(copy(chunk), op, self.names)
                yield self._hand_over(chunk)
        except FailedError:
            if not catch:
                raise
        except UnreadError:
            self._read_on(inner)
            raise

    def _read_on(self, inner: Iterator[Json]) -> None:
        """Read what may have been read ahead of it of what it wraps, as its own reader has stopped."""
        stopped, self.whole.stopped = self.whole.stopped, True
        read_on(self.run, self.run.beside, inner)
        self.whole.stopped = stopped

    def _hand_over(self, chunk: Json) -> Json:
        for lane in self.whole.lanes[self.whole.lanes.index(self.lane) + 1 :][:1]:
            self.run.is_after(self.lane, lane)
        self.run.put(self.lane, {"fact": "chunk", "callback": self.callback, "k": self.count, "value": literal(chunk)})
        if not dialects.lacks_json(chunk):
            return chunk
        if f"{self.whole.call}/{self.callback}" not in self.run.accepted:
            raise UnreadError
        return dialects.as_null(chunk)

    def flow(self, ops: list[Json], inner: Iterator[Json] | None) -> Iterator[Json]:
        """Hand over the chunks of what is wrapped, then do the ops."""
        try:
            yield from inner or ()
            for op in ops:
                if op["op"] == "yield":
                    for chunk in op["chunks"]:
                        yield self._hand_over(callbacks.fill(chunk, self.names))
                elif op["op"] == "next":
                    yield from self.go_on(op) or ()
                elif op["op"] == "hang":
                    raise HangsError
                else:
                    raise self._raised(op["text"])
        except FailedError as ended:
            self._over({"raised": words(ended.error["message"])})
            raise
        except HangsError:
            self._over(CLOSED)
            raise
        except UnreadError:  # who reads it fails of it, and closes what handed it over
            self.run.settle_maybe()  # where its reader had stopped before, it may not have come
            self._over(CLOSED)
            self.whole.stopped |= self.lane == self.whole.lanes[0]
            raise failed("outcome_malformed") from None
        self._over(ENDED)

    def _raised(self, text: str) -> FailedError:
        return self.run.raised(self.callback, Raised(text))

    def _over(self, how: Json) -> None:
        """Record how the flow ended: one whose reader has stopped may be closed instead."""
        own = {"fact": "over", "callback": self.callback, "k": self.count}
        record = {**own, **how}
        if self.whole.stopped and how != CLOSED:
            record = {"$one_of": [record, {**own, **CLOSED}]}
        if self.whole.runs_on:  # until a chunk finds no reader, which may have happened
            record = {"$maybe": [record], "of": self.whole.over}
        self.run.add(self.lane, record)
