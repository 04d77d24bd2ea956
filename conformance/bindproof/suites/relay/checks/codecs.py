"""When a scripted codec works: which of its entries come too often, too soon, too late, or in a call not its own.

Enters: a reading. Leaves: evidence, for the two requirements that say when it decodes (AUT-007) and encodes (AUT-002).
"""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Evidence, same
from bindproof.suites.relay.checks.common import EVERY_LANE
from bindproof.suites.relay.observation.published import Payload, passes, payloads
from bindproof.suites.relay.observation.reading import Entry, LlmCall, Reading
from bindproof.suites.relay.observation.scopes import effective
from bindproof.suites.relay.observation.transcript import Act

SANITIZER = "llm.sanitize_request"


def decodes_out_of_place(reading: Reading) -> Iterator[Evidence]:
    """Yield evidence for each decode that is not the one before the intercepts of its own call.

    A start whose request a sanitizer changed is decoded anew: that this is done, and once, is EVT-027's.
    """
    for call, act, run, number in _entries(reading, "decode"):
        if act is not None and act is not call.act:
            yield _evidence(run, "a codec decodes for its own call", call, act)
        elif number and number > _decoded_anew(reading, call):
            yield _evidence(run, "a codec decodes once", call)
        elif not number:
            yield from _behind(run, call, call.intercepts or call.encodes or call.executions)


def encodes_out_of_place(reading: Reading) -> Iterator[Evidence]:
    """Yield evidence for each encode that is not the one between the intercepts and the execution of its own call."""
    for call, act, run, number in _entries(reading, "encode"):
        if act is not call.act:
            yield _evidence(run, "a codec encodes for its own call", call, act)
        elif number:
            yield _evidence(run, "a codec encodes once", call)
        elif call.intercepts and call.intercepts[-1].entered > run.entered:
            yield _evidence(run, "a codec encodes after the last intercept", call)
        else:
            yield from _behind(run, call, call.executions)


def _behind(run: Entry, call: LlmCall, later: list[Entry]) -> Iterator[Evidence]:
    for one in [one for one in later[:1] if one.entered < run.entered]:
        yield _evidence(run, f"a codec {run.part}s before {one.part} runs", call)


def _evidence(run: Entry, text: str, call: LlmCall, act: Act | None = None) -> Evidence:
    seen = run.callback if act is None else act.step["as"]
    also = () if run.left is None else (run.left,)
    return Evidence(EVERY_LANE, text, run.entered, call.step["as"], seen, also=also)


def _entries(reading: Reading, part: str) -> Iterator[tuple[LlmCall, Act | None, Entry, int]]:
    """Yield each entry of a scripted codec: the call whose codec it is, where it ran, and how often it had before.

    Where it ran is None of what runs when an event is published.
    """
    calls = {call.step["as"]: call for call in reading.scripted}
    if not calls:
        return
    ran: list[tuple[Act | None, Entry]] = [
        (act, run) for act in reading.transcript.working for run in act.everything if run.part == part
    ]
    ran += [(None, run) for run in reading.transcript.published if run.part == part]
    counts = dict.fromkeys(calls, 0)
    for act, run in sorted(ran, key=lambda one: one[1].entered):
        name = run.step["as"]
        if name in calls:
            yield calls[name], act, run, counts[name]
            counts[name] += 1


def _decoded_anew(reading: Reading, call: LlmCall) -> int:
    """Return how often a call's codec may decode again."""
    if not effective(reading.transcript, SANITIZER, call.act.started_at):
        return 0
    own = [one for one in payloads(reading.transcript) if one.act is call.act and one.runs[0].part == SANITIZER]
    return 0 if own and _is_kept(own[0]) else len(reading.log)


def _is_kept(one: Payload) -> bool:
    """Tell whether sanitizers left a request as they were given it."""
    return all(map(passes, one.runs)) and same(one.runs[0].given.get("request"), one.runs[-1].reply)
