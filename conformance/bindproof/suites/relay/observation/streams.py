"""Stream calls as they went: what handed chunks over, what collected them, what was read.

Enters: a complete scenario, its normalised log. Leaves: Streams in canonical names, and the lane of each record that a
stream has beside the program. It states facts and judges nothing; the reference is not asked.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from bindproof.core.model import Json
from bindproof.suites.relay.scenario.complete import all_steps
from bindproof.suites.relay.scenario.families import STREAMING

BESIDE = (".source", ".collector", ".finalizer")
"""How the ids of callbacks end that run beside the program."""


def lane_beside(fact: str, callback: str) -> str | None:
    """Return the lane of a record that runs beside the program, or None for one of the program's own."""
    if callback.endswith(".source"):
        return callback
    if callback.endswith(BESIDE):
        return f"{callback.rpartition('.')[0]}.collector"
    return f"{callback}.stream" if fact in ("chunk", "over") else None


@dataclass(eq=False, slots=True)
class Played:
    """One entry of a callback. chunks: what it handed over, with places. over: where its stream ended, and how.

    asked: where it went on, and with what. refusals: the errors that it got instead of a stream.
    """

    callback: str
    step: Json
    entered: int
    given: Json
    left: int | None = None
    replied: bool = False
    reply: Json = None
    raised: str | None = None
    chunks: list[tuple[int, Json]] = field(default_factory=list)
    over: tuple[int, Json] | None = None
    asked: list[tuple[int, Json]] = field(default_factory=list)
    refusals: list[Json] = field(default_factory=list)

    def values(self) -> list[Json]:
        """Return the chunks that it handed over."""
        return [value for _, value in self.chunks]

    def ended(self) -> bool:
        """Tell whether its stream came to its own end."""
        return self.over is not None and self.over[1].get("how") == "ended"


@dataclass(eq=False, slots=True)
class Stream:
    """One stream call. began: where its first record is, or its `done`.

    wrappers: the intercepts that were called, outermost first. sources: the provider, once for each time that it was
    called. reads: what its reader got, with places. errors: what the call or its reader failed with. closed: where it
    was closed, or dropped.
    """

    step: Json
    began: int | None = None
    done: int | None = None
    opened: bool = False
    wrappers: list[Played] = field(default_factory=list)
    sources: list[Played] = field(default_factory=list)
    collected: list[Played] = field(default_factory=list)
    finals: list[Played] = field(default_factory=list)
    reads: list[tuple[int, Json]] = field(default_factory=list)
    errors: list[tuple[int, Json]] = field(default_factory=list)
    ended: bool = False
    closed: int | None = None

    def started(self) -> bool:
        """Tell whether the call got as far as what does its work."""
        return self.opened or bool(self.wrappers or self.sources)

    def outermost(self) -> Played | None:
        """Return what hands the chunks over that are collected, where there is one."""
        return next(iter((*self.wrappers, *self.sources)), None)

    def runs_on(self) -> bool:
        """Tell whether nobody reads it any more, and what hands its chunks over goes on all the same."""
        outer = self.outermost()
        read_out = self.ended or bool(self.errors)
        return self.closed is not None and not read_out and outer is not None and outer.over is None

    def collects_all(self) -> bool:
        """Tell whether the collector took every chunk that it was given."""
        return all(one.raised is None for one in self.collected)


def streams(full: Json, log: list[Json]) -> list[Stream]:
    """Return the stream calls of a log, in the order of the program."""
    return _Reader(full).read(log)


class _Reader:
    def __init__(self, full: Json) -> None:
        steps = {step["as"]: step for step in all_steps(full)}
        self.steps = steps
        self.streams = {key: Stream(step) for key, step in steps.items() if step.get("kind") == "llm_stream"}
        self.program = deque(step["as"] for step in full["steps"] if step["step"] in ("call", "helper"))
        self.open: dict[tuple[str, int], Played] = {}

    def read(self, log: list[Json]) -> list[Stream]:
        """Read all records."""
        if not self.streams:
            return []
        for index, record in enumerate(log):
            match record["fact"]:
                case "enter":
                    self._enter(index, record)
                case "leave":
                    self._leave(index, record)
                case "chunk" | "over" | "next" | "answer":
                    self._flow(index, record)
                case "read":
                    stream = self._stream_of(record["step"])
                    if stream is not None:
                        stream.reads.append((index, record["value"]))
                case "done":
                    self._done(index, record)
        return list(self.streams.values())

    def _stream_of(self, step: str) -> Stream | None:
        return self.streams.get(self.steps.get(step, {}).get("of", step))

    def _enter(self, index: int, record: Json) -> None:
        callback, given = record["callback"], record["given"]
        name, _, part = callback.rpartition(".")
        current = self.streams.get(self.program[0]) if self.program else None
        if current is not None and current.began is None:
            current.began = index
        if part in ("source", "collector", "finalizer") and name in self.streams:
            stream = self.streams[name]
            one = Played(callback, stream.step, index, given)
            {"source": stream.sources, "collector": stream.collected, "finalizer": stream.finals}[part].append(one)
        elif self.steps.get(callback, {}).get("family") == STREAMING:
            one = Played(callback, self.steps[callback], index, given)
            if current is not None:
                current.wrappers.append(one)
        else:
            return
        self.open[callback, record["k"]] = one

    def _leave(self, index: int, record: Json) -> None:
        one = self.open.get((record["callback"], record["k"]))
        if one is not None:
            one.left, one.raised = index, record.get("raised")
            one.replied, one.reply = "reply" in record, record.get("reply")

    def _flow(self, index: int, record: Json) -> None:
        one = self.open.get((record["callback"], record["k"]))
        if one is None:
            return
        match record["fact"]:
            case "chunk":
                one.chunks.append((index, record["value"]))
            case "over":
                one.over = index, record
            case "next":
                one.asked.append((index, record["given"]))
            case _ if "error" in record:
                one.refusals.append(record["error"])

    def _done(self, index: int, record: Json) -> None:
        step = self.steps.get(record["step"], {})
        if self.program and self.program[0] == record["step"]:
            self.program.popleft()
        stream = self._stream_of(record["step"])
        if stream is None or step["step"] not in ("call", "read", "close"):
            return
        if "error" in record:
            stream.errors.append((index, record["error"]))
        if step["step"] == "call":
            stream.done, stream.opened = index, "error" not in record
            stream.began = index if stream.began is None else stream.began
            stream.ended = step["drain"] and stream.opened
        elif step["step"] == "close":
            stream.closed = index
        else:
            stream.ended = isinstance(value := record.get("value"), dict) and bool(value.get("ended"))
