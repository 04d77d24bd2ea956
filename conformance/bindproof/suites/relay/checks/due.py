"""What is registered and did not run where it was due, in any family, on any level.

Enters: a Reading. Leaves: steps, each with a registration that was due in it, for the rules that what is registered
runs (MID-004, MID-021, MID-025).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from bindproof.core.model import Json
from bindproof.suites.relay.checks.common import part
from bindproof.suites.relay.checks.registrations import Level, level_of, passing
from bindproof.suites.relay.checks.sanitizing import is_fields
from bindproof.suites.relay.observation.deliveries import deliveries
from bindproof.suites.relay.observation.in_flight import is_of_one_time
from bindproof.suites.relay.observation.outcomes import lets_pass
from bindproof.suites.relay.observation.published import MEMBER, passes
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.scopes import effective
from bindproof.suites.relay.observation.spans import all_spans, steady
from bindproof.suites.relay.observation.transcript import EXECUTING, FAR, Act, Entry, Transcript
from bindproof.suites.relay.scenario.families import CONDITIONALS

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

KINDS = ("scope", "llm", "llm_stream", "tool")
EACH = (
    ("llm.sanitize_request", "start", ("llm", "llm_stream")),
    ("tool.sanitize_request", "start", ("tool",)),
    ("start.sanitize", "start", KINDS),
    ("end.sanitize", "end", KINDS),
    ("mark.sanitize", "mark", (None,)),
    ("event.metadata", "start", KINDS),
    ("event.metadata", "mark", (None,)),
    ("event.metadata", "end", KINDS),
)
"""The families that run for each event of a sort, whatever becomes of its step: the kinds of steps that emit one."""


def missing(reading: Reading, level: Level) -> Iterator[tuple[Act, Act]]:
    """Yield what is registered on a level and did not run in a step in which it was due: the step, and it.

    Of those steps alone of which it is plain that it was due: nothing that ran there had ended what it is due in, and
    of what a scope owns the step was the program's own, and named no parent. Subscribers are told of what the chapter
    *Events* says; that one that a scope owns is told at all is said here.
    """
    transcript = reading.transcript
    own = [act for act in transcript.of_kind("register") if level_of(act) == level]
    at_once = is_of_one_time(reading.full)
    if not own or not (at_once or not transcript.of_kind("gate")):
        return
    if level == "scope" and any(act.step["parent"] is not None for act in transcript.of_kind("start")):
        return
    families = {act.step["family"] for act in own}
    for act in transcript.acts:
        if act.step["step"] in ("call", "helper") and act.done is not None and _is_plain(act, level):
            ran = {run.step["as"] for run in act.all() if "as" in run.step}
            for family in families.intersection((*passing(act), WRAPPING.get(act.step["kind"], ""))):
                there = _there(reading, family, act, level, act.done if at_once else FAR)
                there = [one for one in there if one.step["as"] not in ran]
                yield from ((act, one) for one in there if _is_due(transcript, act, one, at_once))
    unheard = list(_unheard(reading, level, families)) if at_once or level == "scope" else []
    yield from unheard
    said = {one.step["as"] for _, one in unheard}
    yield from ((act, one) for act, one in _untold(reading, level, families) if one.step["as"] not in said)


def _is_plain(act: Act, level: Level) -> bool:
    """Tell whether it is plain which scopes count for a step: it was the program's own, in the innermost scope."""
    return level != "scope" or (act.within is None and act.step.get("parent") is None)


def _there(reading: Reading, family: str, act: Act, level: Level, until: int) -> list[Act]:
    """Return what is registered of a family on a level from where a step begins to a place in the log, and can be
    called.

    Nothing is said of two of one name, where a binding took both: MID-005 and MID-022 forbid that.
    """
    kept = {one.step["as"] for one in effective(reading.transcript, family, until)}
    there = [one for one in effective(reading.transcript, family, act.began) if level_of(one) == level]
    named = Counter((one.registry, one.step["name"]) for one in there)
    return [
        one
        for one in there
        if one.step["as"] in kept and not one.step["odd"] and named[one.registry, one.step["name"]] == 1
    ]


def _is_due(transcript: Transcript, act: Act, one: Act, at_once: bool) -> bool:
    """Tell whether a registration was due in a call or helper, as all that ran there shows.

    That is so where one of its family ran whose turn comes later, and where the call came past its family: something
    later ran, or the step succeeded, and nothing had ended the chain. at_once: the call is over when its step is.
    """
    family, families = one.step["family"], passing(act)
    own = [run for run in act.all() if run.part == family]
    if any(_comes_before(transcript, one, run) for run in own):
        return True
    if family not in families:
        return act.step["step"] == "call" and family == WRAPPING.get(act.step["kind"]) and _is_wrapped(act, at_once)
    before, later = families[: families.index(family) + 1], families[families.index(family) + 1 :]
    if family == "llm.request":
        before, later = (*before, "decode"), (*later, "encode")
    came_past = (act.error is None and at_once) or any(run.part in (*later, *EXECUTING) for run in act.all())
    ended = any(run.step.get("break_chain") for run in own) or any(_is_a_stop(act, part) for part in before)
    return came_past and not ended


def _comes_before(transcript: Transcript, one: Act, run: Entry) -> bool:
    """Tell whether a registration's turn is before that of one of its family that ran (MID-002, MID-003).

    Of equal priority that is said of two of one level alone.
    """
    if one.step["priority"] != run.step["priority"]:
        return bool(one.step["priority"] < run.step["priority"])
    other = transcript.by_id[run.step["as"]]
    return one.registry == other.registry and bool(one.step["name"] < other.step["name"])


def _is_a_stop(act: Act, part: str) -> bool:
    """Tell whether a conditional, a request intercept or a codec ended its call, or should have."""
    runs = [run for run in act.all() if run.part == part]
    if part in CONDITIONALS and any(run.replied and not lets_pass(run) for run in runs):
        return True
    return any(run.raised is not None or run.refused for run in runs)


def _is_wrapped(act: Act, at_once: bool) -> bool:
    """Tell whether a call came to its provider, where all that wraps it is due.

    That ran, or the call succeeded and each that wraps it went on.
    """
    if any(run.part in ("provider", "source") for run in act.all()):
        return True
    before = (*passing(act), *CODEC)
    if not at_once or act.error is not None or any(_is_a_stop(act, part) for part in before):
        return False
    runs = [run for run in act.all() if run.part == WRAPPING[act.step["kind"]]]
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
            if act.began < listening or not _is_over(act):
                continue
            if _emits(transcript, act, family) and _is_told(act) and _is_plain(act, level):
                for one in _there(reading, family, act, level, act.done or 0):
                    due.setdefault(one.step["as"], []).append(act)
        entered = Counter(run.step["as"] for run in runs.get(family, ()))
        for name, acts in due.items():
            seen = len(transcript.events.get(name, [])) if family == "subscriber" else entered[name]
            yield from ((act, transcript.by_id[name]) for act in acts[seen:])


def _untold(reading: Reading, level: Level, families: set[str]) -> Iterator[tuple[Act, Act]]:
    """Yield what is for good and ran for fewer events of a sort than a subscriber was told that is told of all.

    A call that fails has these events too, and one in the background has them at any time.
    """
    transcript = reading.transcript
    if level == "scope" or transcript.of_kind("gate"):
        return
    for family, sort, kinds in EACH:
        runs = [run for run in transcript.published if run.part == family]
        if family not in families or any(_may_end_a_chain(reading, run) for run in runs):
            continue
        entered = Counter(run.step["as"] for run in runs if "event" not in run.given or _sort(run) == sort)
        due: dict[str, list[Act]] = {}
        for act in _told_acts(transcript, sort):
            if act.step.get("kind") in kinds:
                for one in _there(reading, family, act, level, FAR):
                    due.setdefault(one.step["as"], []).append(act)
        yield from ((act, transcript.by_id[name]) for name, acts in due.items() for act in acts[entered[name] :])


def _sort(run: Entry) -> Json:
    """Return of which sort the event is that something runs for."""
    return part(run.given["event"], "scope_category") or "mark"


def _told_acts(transcript: Transcript, sort: str) -> list[Act]:
    """Return the steps whose start, end or mark the first subscriber was told of that is told of everything."""
    listening = steady(transcript)
    first = min(listening, key=lambda name: listening[name], default=None)
    if sort == "mark":
        return [act for act, events in deliveries(transcript).marked.items() if first in events]
    spans = [span for span in all_spans(transcript) if span.subscriber == first]
    return [span.act for span in spans if sort == "start" or span.ends]


def _is_over(act: Act) -> bool:
    """Tell whether a step is over when it is done: no event of it comes later."""
    return not act.step.get("background") and act.step.get("drain") is not False


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
