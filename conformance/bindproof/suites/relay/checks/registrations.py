"""What becomes of registrations of any family: what ran, or was told, later than it may.

Enters: a Reading. Leaves: facts that the rules of *Middleware* (MID) speak of, whichever family a registration is of.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Literal

from bindproof.core.model import Json
from bindproof.suites.relay.observation.deliveries import deliveries
from bindproof.suites.relay.observation.in_flight import is_of_one_time
from bindproof.suites.relay.observation.published import payloads
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.transcript import FAR, Act, Entry, Transcript, kept

Level = Literal["global", "scope", "plugin"]

PASSING = {
    "llm": ("llm.conditional", "llm.request"),
    "llm_stream": ("llm.conditional", "llm.request"),
    "tool": ("tool.conditional", "tool.request"),
}
"""Kind of a call → the families of which all run in one that succeeds, unless an intercept breaks the chain."""


def passing(act: Act) -> tuple[str, ...]:
    """Return the families of which all run in a call or helper that succeeds, unless an intercept breaks the chain."""
    kind = act.step.get("kind", "")
    return PASSING.get(kind, ()) if act.step["step"] == "call" else (kind,)


def sanitizing_pairs(reading: Reading) -> Iterator[tuple[Entry, Entry]]:
    """Yield each two sanitizers of one payload of which the second ran next."""
    for payload in payloads(reading.transcript):
        yield from pairwise(payload.runs)


def late(reading: Reading, gone: Mapping[str, int]) -> Iterator[tuple[int, str]]:
    """Yield where a callback ran at publication, or a subscriber was told, that was gone: the place, and its id.

    gone: id of a registration → where it was taken back. What was emitted before may be published later, until the
    next flush that the program made; what a later step emitted may not, nor anything where nothing was emitted before,
    or all of it was flushed. Nothing is said where calls go on beside the program.
    """
    if not gone or not is_of_one_time(reading.full):
        return
    transcript = reading.transcript
    flushed = [act for act in transcript.of_kind("flush") if act.done is not None]
    bounds = {
        name: at
        if _is_quiet(transcript, at)
        else min((act.done or 0 for act in flushed if act.began >= at), default=FAR)
        for name, at in gone.items()
    }
    begun = _begun(transcript)

    def is_late(name: str, at: int, event: Json) -> bool:
        return at > bounds.get(name, FAR) or begun.get(event.get("uuid"), -1) >= gone.get(name, FAR)

    for run in transcript.published:
        if is_late(run.step.get("as", ""), run.entered, run.given.get("event") or {}):
            yield run.entered, run.callback
    for name, events in transcript.events.items():
        for at, event in events:
            if is_late(name, at, event):
                yield at, name
                break


SILENT = ("register", "deregister", "gate", "ungate", "flush", "list", "handle", "current", "install", "uninstall")
"""Steps that emit nothing."""


@kept
def _is_quiet(transcript: Transcript, at: int) -> bool:
    """Tell whether at a place in the log nothing was emitted yet, or all of it was flushed.

    What takes a callback back there may itself have emitted an event of before: the end of the scope that owns it.
    """
    flushed = max(
        (act.done for act in transcript.of_kind("flush") if act.done is not None and act.done < at), default=-1
    )
    return not any(
        act.began <= at and (act.done is None or act.done > flushed) and act.step["step"] not in SILENT
        for act in transcript.acts
    )


@kept
def _begun(transcript: Transcript) -> dict[Json, int]:
    """Return where the step began that an event is of, by the event's uuid: of what steps start or mark.

    Not by a uuid that others have too, which is none (EVT-002).
    """
    told = deliveries(transcript)
    starts = [(act, event) for act, lives in told.lives.items() for life in lives.values() for event in life.starts]
    marks = [(act, event) for act, events in told.marked.items() for event in events.values()]
    begun = {event.get("uuid"): act.began for act, (_, event) in (*starts, *marks)}
    for events in transcript.events.values():
        first = Counter(event.get("uuid") for _, event in events if event.get("scope_category") != "end")
        begun = {uuid: at for uuid, at in begun.items() if first[uuid] <= 1}
    return begun


def level_of(act: Act) -> Level:
    """Return on which level a step registers."""
    if act.plugin:
        return "plugin"
    return "global" if act.step["scope"] == "global" else "scope"
