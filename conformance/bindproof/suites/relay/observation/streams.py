"""Stream calls as they went: what handed chunks over, what collected them, what was read.

Enters: a Transcript. Leaves: Streams in canonical names. It states facts and judges nothing; the reference is not
asked.
"""

from __future__ import annotations

from msgspec import Struct, field

from bindproof.core.model import Json
from bindproof.suites.relay.observation.transcript import Act, Entry, Transcript, kept
from bindproof.suites.relay.scenario.families import STREAMING


class StreamCall(Struct, eq=False):
    """One stream call."""

    act: Act
    """The step that made it."""
    opened: bool = False
    wrappers: list[Entry] = field(default_factory=list)
    """The intercepts that were called, outermost first."""
    sources: list[Entry] = field(default_factory=list)
    """The provider, once for each time that it was called."""
    collected: list[Entry] = field(default_factory=list)
    finals: list[Entry] = field(default_factory=list)
    """`collected` and `finals`: the entries of collector and finalizer."""
    errors: list[tuple[int, Json]] = field(default_factory=list)
    """What the call or its reader failed with."""
    ended: bool = False
    closed: int | None = None
    """Where it was closed, or dropped."""

    @property
    def step(self) -> Json:
        """The step, complete."""
        return self.act.step

    @property
    def done(self) -> int | None:
        """Where in the log the call came back."""
        return self.act.done

    @property
    def began(self) -> int:
        """Where in the log its first record is."""
        return self.act.began

    @property
    def reads(self) -> list[tuple[int, Json]]:
        """What its reader got, with places."""
        return self.act.reads

    def started(self) -> bool:
        """Tell whether the call got as far as what does its work."""
        return self.opened or bool(self.wrappers or self.sources)

    def outermost(self) -> Entry | None:
        """Return what hands the chunks over that are collected, where there is one."""
        return next(iter((*self.wrappers, *self.sources)), None)

    def runs_on(self) -> bool:
        """Tell whether nobody reads it any more, and what hands its chunks over goes on all the same."""
        outer = self.outermost()
        read_out = self.ended or bool(self.errors)
        return self.closed is not None and not read_out and outer is not None and outer.over is None

    def over(self) -> int | None:
        """Return where in the log a stream that the program reads bit by bit had come to its end by then, else None."""
        return self.closed if self.ended or self.errors else None

    def read_out(self) -> int | None:
        """Return where in the log a stream that nothing failed was read to its end by then, else None."""
        whole = self.ended and not self.errors and all(one.replied for one in self.finals) and bool(self.finals)
        return (self.done if self.step["drain"] else self.closed) if whole else None

    def collects_all(self) -> bool:
        """Tell whether the collector took every chunk that it was given."""
        return all(one.raised is None for one in self.collected)


@kept
def streams(transcript: Transcript) -> list[StreamCall]:
    """Return the stream calls, in the order of the program."""
    found = {act.step["as"]: _called(act) for act in sorted(transcript.calls("llm_stream"), key=lambda act: act.began)}
    for act in transcript.acts if found else []:
        stream = found.get(act.step.get("of", ""))
        if stream is None or act.step["step"] not in ("read", "close") or act.done is None:
            continue
        if act.error is not None:
            stream.errors.append((act.done, act.error))
        if act.step["step"] == "close":
            stream.closed = act.done
        else:
            stream.ended = isinstance(act.value, dict) and bool(act.value.get("ended"))
    return list(found.values())


def _called(act: Act) -> StreamCall:
    stream = StreamCall(act, opened=act.done is not None and act.error is None)
    entries = sorted(act.everything, key=lambda entry: entry.entered)
    parts = {
        STREAMING: stream.wrappers,
        "source": stream.sources,
        "collector": stream.collected,
        "finalizer": stream.finals,
    }
    for entry in entries:
        if entry.part in parts:
            parts[entry.part].append(entry)
    if act.error is not None:
        stream.errors.append((act.done or 0, act.error))
    stream.ended = bool(act.step["drain"]) and stream.opened
    return stream
