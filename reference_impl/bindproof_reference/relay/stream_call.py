"""Chapter *Streams* (STR): a managed stream call, its collector and finalizer, and its reader.

Enters: the steps that open, read and close a stream. Leaves: what was read, or a failure; records and events.
The chunks come as fast as the binding likes, so their records stand in lanes of their own.
"""

from __future__ import annotations

from bindproof_reference.relay import events
from bindproof_reference.relay.callbacks import Raised, ScenarioError
from bindproof_reference.relay.emission import World
from bindproof_reference.relay.events import merged
from bindproof_reference.relay.flows import Flow, HangsError, opened, read_on
from bindproof_reference.relay.llm_call import Begun, begin, llm_end
from bindproof_reference.relay.run import PROGRAM, Beside, FailedError
from bindproof_reference.relay.values import Json, Opaque, literal

FINAL: Json = {"done": True}
"""What a finalizer replies by itself (scenario language)."""

CHUNK_MARK = "llm.chunk"


def call(world: World, step: Json) -> None:
    """Make a managed stream call; raises FailedError."""
    begun = begin(world, step, "llm.stream")  # STR-014
    try:
        flow = opened(world, step, begun.executions, begun.sent)
    except FailedError as ended:
        begun.fail(world, step, ended.error)  # STR-011
        raise
    stream = Stream(world, step, begun, flow, Beside(begun.span.identity, len(world.run.lanes[PROGRAM]) - 1))
    if step["drain"]:
        stream.read({"as": step["as"], "n": None})
    else:
        world.streams[step["as"]] = stream


class Stream:
    """A stream that was opened, as its reader has it."""

    def __init__(self, world: World, step: Json, begun: Begun, flow: Flow, beside: Beside) -> None:
        self.world, self.step, self.begun, self.flow, self.beside = world, step, begun, flow, beside
        self.run = world.run
        self.lane = f"{step['as']}.collector"
        self.count = 0
        self.ended = False
        self.unfinished: FailedError | None = None
        """What its finalizer failed with, where that is told (STR-020, STR-021)."""

    def read(self, step: Json) -> Json:
        """Read chunks; raises FailedError where the stream does."""
        got: list[tuple[Json, int]] = []
        failure: FailedError | None = None
        self.run.beside = self.beside
        try:
            while not self.ended and (step["n"] is None or len(got) < step["n"]):
                chunk = next(self.flow.chunks, END)
                if chunk is END:
                    self._end(events.OK)
                    break
                self._collect(chunk)
                got.append((chunk, len(self.run.lanes[self.lane]) - 1))
        except HangsError:
            raise ScenarioError(f"step {step['as']}: the stream hangs here") from None
        except FailedError as ended:
            failure = ended
            if not self.ended:
                self._end(events.ERROR, failed=ended)  # STR-009
        finally:
            self.run.beside = None
        for chunk, collected in got:  # STR-001, STR-002
            self.run.after.append([PROGRAM, len(self.run.lanes[PROGRAM]), self.lane, collected])
            self.run.record({"fact": "read", "step": step["as"], "value": literal(chunk)})
        if self.ended:
            self._be_told(self.flow.lanes)
        if failure is not None:
            raise failure
        return None if "of" not in step else {"ended": self.ended}

    def close(self, how: str) -> None:
        """Be done with the stream (STR-013, STR-018): what is left of it may have come already, or not."""
        if self.ended:
            if self.unfinished is not None and how == "close":
                raise self.unfinished  # STR-021
            return
        self.flow.runs_on = how == "drop" and not self.run.rules.dropped_streams_end
        self.run.beside = Beside(self.beside.stream, self.beside.since, maybe={})
        self.flow.stopped = True
        try:
            for chunk in self.flow.chunks:
                self._collect(chunk)
                self.run.settle_maybe()
        except HangsError:
            pass
        if self.flow.runs_on:
            self.run.beside = Beside(self.flow.over, self.beside.since, maybe={})
            self._end(None)
            self.run.settle_maybe(first=self.lane)  # STR-003
            self.run.beside = None
            return
        self.run.beside = Beside(self.beside.stream, len(self.run.lanes[PROGRAM]) - 1)
        self._end(events.ERROR, finished=events.OK if self.run.rules.finished_streams_end_well else None)
        self.run.beside = None
        self._be_told(self.flow.lanes[:1])

    def _be_told(self, lanes: list[str]) -> None:
        """Say that the program goes on when these callbacks of the stream have ended, and what collects has.

        What an intercept wraps may hear a moment later that the stream was closed.
        """
        for lane in (self.lane, *lanes):
            self.run.is_after(PROGRAM, lane)

    def _collect(self, chunk: Json) -> None:
        """Tell of a chunk, and hand it to the collector (STR-002, STR-007); raises what the collector raises."""
        run, beside = self.run, self.run.beside or self.beside
        beside.causes = tuple(self.flow.lanes[:1])
        span = self.begun.span
        name = f"{span.identity}/chunk/{self.count}"
        before = f"{span.identity}/chunk/{self.count - 1}" if self.count else f"{span.identity}/start"
        data = Opaque({"$contains": {"chunk_index": self.count, "provider": {"$text": ""}}})
        fields = {"name": CHUNK_MARK, "category": None, "category_profile": None, "data": data, "data_schema": None}
        time = {"as": name, "of": before, "at_least": 0}
        mark = events.mark(name, {**fields, "metadata": None}, span.identity, span.root, time)
        self.world.emit(mark, self.begun.audience, if_heard=True)
        self.count += 1
        reply = run.play(self.lane, self.step["collector"], {"chunk": chunk}, None, lane=self.lane)
        if isinstance(reply, Raised):
            self._stop()
            failure = run.raised(self.lane, reply)
            self._end(events.ERROR, failed=failure)
            raise failure  # STR-010

    def _stop(self) -> None:
        """Read on what may have been read ahead of a reader that has stopped: nobody collects it."""
        self.flow.stopped = True
        read_on(self.run, self.beside, self.flow.chunks)

    def _end(self, status: Json, finished: Json = None, failed: FailedError | None = None) -> None:
        """Run the finalizer, and emit the end (STR-003, STR-004, STR-012); a status of None is not told.

        finished: the status of a stream whose answer was finished (STR-019), where it is another one. failed: the
        failure that it ends with (EVT-053, EVT-054).
        """
        self.ended = True
        run, beside = self.run, self.run.beside or self.beside
        beside.causes = () if self.flow.stopped else tuple(self.flow.lanes[:1])
        callback = f"{self.step['as']}.finalizer"
        reply = run.played_and_read(callback, self.step["finalizer"], {}, FINAL, lane=self.lane)
        data = None if isinstance(reply, Raised) else reply.reply
        profile: dict[str, Json] = dict(self.begun.profile)
        if self.count and run.rules.first_chunk_time:  # STR-008
            name = f"{self.begun.span.identity}/first"
            profile["time_to_first_chunk"] = Opaque({"$number": {"as": name, "at_least": 0}})
        beside.causes = (self.lane,)
        if isinstance(reply, Raised) and run.rules.failed_finalizers_tell and run.policy("finalizers_fail"):
            status, self.unfinished = events.ERROR, run.raised(callback, reply)
        own, reads = self.step["metadata"], self.step["response_codec"]
        metadata = merged(own, status) if failed is None else run.failure(own, failed.error)
        instead = finished and merged(own, finished)
        span, saved = self.begun.span, self.begun.saved
        beside = self.step["data"]
        end = llm_end(self.world, span, data, beside, profile, metadata, reads=reads, finished=instead, saved=saved)
        self.world.emit(end, self.begun.audience, if_heard=True)


END = object()
