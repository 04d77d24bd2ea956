"""What becomes of registrations of any family: who ran, or was told, later than it may; who did not, and was due.

Enters: a Reading. Leaves: facts that the rules of *Middleware* (MID) speak of, whichever family a registration is of.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Literal

from bindproof.suites.relay.checks.sanitizing import is_fields
from bindproof.suites.relay.observation.in_flight import is_of_one_time
from bindproof.suites.relay.observation.outcomes import CONDITIONALS
from bindproof.suites.relay.observation.published import MEMBER, passes, payloads
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.scopes import effective
from bindproof.suites.relay.observation.spans import steady
from bindproof.suites.relay.observation.transcript import EXECUTING, FAR, Act, Entry, Transcript

Level = Literal["global", "scope", "plugin"]

PASSING = {
    "llm": ("llm.conditional", "llm.request"),
    "llm_stream": ("llm.conditional", "llm.request"),
    "tool": ("tool.conditional", "tool.request"),
}
"""Kind of a call → the families of which all run in one that succeeds, unless an intercept breaks the chain."""

WRAPPING = {"llm": "llm.execution", "llm_stream": "llm.stream", "tool": "tool.execution"}
"""Kind of a call → the family of which each runs where those further out go on."""

CODEC = ("decode", "encode")

LLM, TOOL = ("call llm", "call llm_stream"), ("call tool",)
STARTS = (*LLM, *TOOL, "start scope", "start llm", "start tool")
ENDS = (*LLM, *TOOL, "end scope", "end llm", "end tool")
"""The steps that emit an event of a sort, where they succeed: those that make a call emit both."""

PUBLISHED = {
    "llm.sanitize_request": (*LLM, "start llm"),
    "llm.sanitize_response": (*LLM, "end llm"),
    "tool.sanitize_request": (*TOOL, "start tool"),
    "tool.sanitize_response": (*TOOL, "end tool"),
    "mark.sanitize": ("mark",),
    "start.sanitize": STARTS,
    "end.sanitize": ENDS,
    "event.metadata": {*STARTS, *ENDS, "mark"},
    "subscriber": {*STARTS, *ENDS, "mark"},
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


def missing(reading: Reading, level: Level) -> Iterator[tuple[Act, Act]]:
    """Yield what is registered on a level and did not run in a step in which it was due: the step, and it.

    Of those steps alone of which it is plain that it was due: nothing that ran there had ended what it is due in, and
    of what a scope owns the step was the program's own, and named no parent. Subscribers are told of what the chapter
    *Events* says; that one that a scope owns is told at all is said here.
    """
    transcript = reading.transcript
    own = [act for act in transcript.of_kind("register") if level_of(act) == level]
    if not own or not is_of_one_time(reading.full):
        return
    if level == "scope" and any(act.step["parent"] is not None for act in transcript.of_kind("start")):
        return
    families = {act.step["family"] for act in own}
    for act in transcript.acts:
        if act.step["step"] in ("call", "helper") and act.done is not None and _is_plain(act, level):
            ran = {run.step["as"] for run in act.all() if "as" in run.step}
            for family in families.intersection((*passing(act), WRAPPING.get(act.step["kind"], ""))):
                there = [one for one in _there(reading, family, act, level) if one.step["as"] not in ran]
                yield from ((act, one) for one in there if _is_due(act, one))
    yield from _unheard(reading, level, families)


def level_of(act: Act) -> Level:
    """Return on which level a step registers."""
    if act.plugin:
        return "plugin"
    return "global" if act.step["scope"] == "global" else "scope"


def _is_plain(act: Act, level: Level) -> bool:
    """Tell whether it is plain which scopes count for a step: it was the program's own, in the innermost scope."""
    return level != "scope" or (act.within is None and act.step.get("parent") is None)


def _there(reading: Reading, family: str, act: Act, level: Level) -> list[Act]:
    """Return what is registered of a family on a level as long as a step goes on, and can be called.

    Nothing is said of two of one name, where a binding took both: MID-005 and MID-022 forbid that.
    """
    kept = {one.step["as"] for one in effective(reading.transcript, family, act.done or 0)}
    there = [one for one in effective(reading.transcript, family, act.began) if level_of(one) == level]
    named = Counter((one.plugin, one.step["scope"], one.step["name"]) for one in there)
    return [
        one
        for one in there
        if one.step["as"] in kept
        and not one.step["odd"]
        and named[one.plugin, one.step["scope"], one.step["name"]] == 1
    ]


def _is_due(act: Act, one: Act) -> bool:
    """Tell whether a registration was due in a call or helper, as all that ran there shows.

    That is so where one of its family with a higher priority ran, and where the call came past its family: something
    later ran, or the step succeeded, and nothing had ended the chain.
    """
    family, families = one.step["family"], passing(act)
    if family not in families:
        return act.step["step"] == "call" and family == WRAPPING.get(act.step["kind"]) and _is_wrapped(act, family)
    own = [run for run in act.all() if run.part == family]
    if any(one.step["priority"] < run.step["priority"] for run in own):
        return True
    before, later = families[: families.index(family) + 1], families[families.index(family) + 1 :]
    before = (*before, *CODEC) if family == "llm.request" else before
    came_past = act.error is None or any(run.part in (*later, *EXECUTING) for run in act.all())
    ended = any(run.step.get("break_chain") for run in own) or any(_is_a_stop(act, part) for part in before)
    return came_past and not ended


def _is_a_stop(act: Act, part: str) -> bool:
    """Tell whether a conditional, a request intercept or a codec ended its call, or should have."""
    runs = [run for run in act.all() if run.part == part]
    if part in CONDITIONALS and any(run.replied and run.reply not in (None, {"$none": True}) for run in runs):
        return True
    return any(run.raised is not None or run.refused for run in runs)


def _is_wrapped(act: Act, family: str) -> bool:
    """Tell whether a call came to its provider, where all that wraps it is due: it succeeded, and each went on."""
    before = (*passing(act), *CODEC)
    if act.error is not None or any(_is_a_stop(act, part) for part in before):
        return False
    runs = [run for run in act.all() if run.part == family]
    return all(any(asked.error is None or asked.inside for asked in run.asked) for run in runs)


def _unheard(reading: Reading, level: Level, families: set[str]) -> Iterator[tuple[Act, Act]]:
    """Yield what runs at publication and was entered, or told, less often than there were steps for it."""
    transcript = reading.transcript
    listening = min(steady(transcript).values(), default=FAR)
    runs: dict[str, list[Entry]] = {}
    for run in transcript.published:
        runs.setdefault(run.part, []).append(run)
    for family in PUBLISHED:
        if family not in families or (family == "subscriber" and level == "global"):
            continue
        if any(_may_end_a_chain(reading, run) for run in runs.get(family, ())):
            continue
        due: dict[str, list[Act]] = {}
        for act in transcript.acts:
            if act.began >= listening and _emits(transcript, act, family) and _is_told(act) and _is_plain(act, level):
                for one in _there(reading, family, act, level):
                    due.setdefault(one.step["as"], []).append(act)
        entered = Counter(run.step["as"] for run in runs.get(family, ()))
        for name, acts in due.items():
            seen = len(transcript.events.get(name, [])) if family == "subscriber" else entered[name]
            yield from ((act, transcript.by_id[name]) for act in acts[seen:])


def _emits(transcript: Transcript, act: Act, family: str) -> bool:
    """Tell whether a step emits an event that a family is due at; a stream of which a chunk was read leaves a mark."""
    return _words(transcript, act) in PUBLISHED[family] or (family == "mark.sanitize" and bool(act.reads))


def _is_told(act: Act) -> bool:
    """Tell whether a step emits what it is to emit: it succeeded, and a call rightly so."""
    return act.error is None and act.done is not None and all(run.raised is None for run in act.runs)


def _may_end_a_chain(reading: Reading, run: Entry) -> bool:
    """Tell whether what ran at publication failed, and so may have ended the chain that it is in."""
    if run.part in MEMBER:
        return not passes(run)
    return run.part.endswith(".sanitize") and not is_fields(reading, run)


def _words(transcript: Transcript, act: Act) -> str:
    """Say what a step does, and to which kind of thing."""
    kind = act.step.get("kind")
    if act.step["step"] == "end":
        kind = transcript.by_id[act.step["of"]].step["kind"]
    return str(act.step["step"]) if kind is None else f"{act.step['step']} {kind}"
