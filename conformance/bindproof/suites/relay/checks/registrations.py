"""What becomes of registrations of any family: who ran, or was told, later than it may; who did not, and was due.

Enters: a Reading. Leaves: facts that the rules of *Middleware* (MID) speak of, whichever family a registration is of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from bindproof.core.model import Json
from bindproof.suites.relay.observation.in_flight import is_of_one_time
from bindproof.suites.relay.observation.published import MEMBER, payloads
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.scopes import FAR, effective, registrations
from bindproof.suites.relay.observation.spans import steady
from bindproof.suites.relay.observation.transcript import Act, Entry

PASSING = {
    "llm": ("llm.conditional", "llm.request"),
    "llm_stream": ("llm.conditional", "llm.request"),
    "tool": ("tool.conditional", "tool.request"),
}
"""Kind of a call → the families of which all run in one that succeeds, unless an intercept breaks the chain."""

WRAPPING = {"llm": "llm.execution", "llm_stream": "llm.stream", "tool": "tool.execution"}
"""Kind of a call → the family of which each runs where those further out go on."""

PUBLISHED = {
    "llm.sanitize_request": ("call llm", "call llm_stream"),
    "llm.sanitize_response": ("call llm", "call llm_stream"),
    "tool.sanitize_request": ("call tool",),
    "tool.sanitize_response": ("call tool",),
    "mark.sanitize": ("mark",),
    "start.sanitize": ("call llm", "call llm_stream", "call tool"),
    "end.sanitize": ("call llm", "call llm_stream", "call tool"),
    "event.metadata": ("call llm", "call llm_stream", "call tool", "mark"),
    "subscriber": ("call llm", "call llm_stream", "call tool", "mark"),
}
"""Family of what runs when an event is published, or is told of it → the steps that emit such an event each time."""


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
    next flush that the program made. Nothing is said where calls go on beside the program.
    """
    if not is_of_one_time(reading.full):
        return
    flushed = [act for act in reading.transcript.of_kind("flush") if act.done is not None]
    bounds = {
        name: min((act.done or 0 for act in flushed if act.began >= at), default=FAR) for name, at in gone.items()
    }
    for run in reading.transcript.published:
        if run.entered > bounds.get(run.step.get("as", ""), FAR):
            yield run.entered, run.callback
    for name, events in reading.transcript.events.items():
        for at, _ in events:
            if at > bounds.get(name, FAR):
                yield at, name
                break


def missing_of_scopes(reading: Reading) -> Iterator[tuple[Act, Act]]:
    """Yield what is registered on a scope and did not run in what was made while that was open: the step, and it.

    Of those steps alone of which it is plain that it was due: that succeeded, and name no parent.
    """
    transcript = reading.transcript
    if not any(act.step["scope"] != "global" for act in transcript.of_kind("register")):
        return
    if not is_of_one_time(reading.full) or any(act.step["parent"] is not None for act in transcript.of_kind("start")):
        return
    for act in transcript.acts:
        if act.step["step"] in ("call", "helper", "mark") and _is_plain(act):
            ran = {run.step["as"] for run in act.all()}
            yield from ((act, one) for one in _due(reading, act) if one.step["as"] not in ran)
    yield from _unheard(reading)


def _is_plain(act: Act) -> bool:
    """Tell whether a step was the program's own, succeeded, and was in the innermost scope."""
    return act.within is None and act.error is None and act.done is not None and act.step.get("parent") is None


def _there(reading: Reading, family: str, act: Act) -> list[Act]:
    """Return what is registered of a family on scopes as long as a step goes on."""
    done = act.done or 0
    kept = {one.step["as"] for one in effective(reading.transcript, family, done)}
    there = effective(reading.transcript, family, act.began)
    return [one for one in there if one.step["scope"] != "global" and one.step["as"] in kept]


def _due(reading: Reading, act: Act) -> Iterator[Act]:
    kind = act.step.get("kind", "")
    if any(run.step.get("break_chain") for run in act.all()):
        return
    for family in passing(act):
        yield from _there(reading, family, act)
    family = WRAPPING.get(kind, "")
    if act.step["step"] == "call" and all(run.asked for run in act.all() if run.part == family):
        yield from _there(reading, family, act)


def _unheard(reading: Reading) -> Iterator[tuple[Act, Act]]:
    """Yield what runs at publication and was entered, or told, less often than there were steps for it."""
    transcript = reading.transcript
    listening = min(steady(transcript).values(), default=FAR)
    entered: dict[str, int] = {}
    for run in transcript.published:
        entered[run.step["as"]] = entered.get(run.step["as"], 0) + 1
    for family, steps in PUBLISHED.items():
        if any(_may_end_a_chain(one.step) for one, _ in registrations(transcript, family)):
            continue
        due: dict[str, list[Act]] = {}
        for act in transcript.acts:
            if _words(act) in steps and _is_plain(act) and act.began >= listening:
                for one in _there(reading, family, act):
                    due.setdefault(one.step["as"], []).append(act)
        for name, acts in due.items():
            seen = len(transcript.events.get(name, [])) if family == "subscriber" else entered.get(name, 0)
            if seen < len(acts):
                yield acts[-1], transcript.by_id[name]


def _may_end_a_chain(step: Json) -> bool:
    """Tell whether a callback does anything but answer what it was given: it may fail the chain that it is in."""
    return bool(step.get("do")) and (step["family"] in MEMBER or step["family"].endswith(".sanitize"))


def _words(act: Act) -> str:
    return f"call {act.step['kind']}" if act.step["step"] == "call" else str(act.step["step"])
