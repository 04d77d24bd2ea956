"""Planted faults of when what a caller brings along runs: a codec (AUT, MID), a stream's finalizer (STR)."""

from __future__ import annotations

from bindproof.suites import Fault
from bindproof.suites.relay.faults.spoiled_log import AGAIN, Spoiled, plant
from bindproof.suites.relay.observation.reading import Entry
from bindproof.suites.relay.scenario.families import CONDITIONALS

FAULTS: dict[str, Fault] = {}


def _is_whole(run: Entry) -> bool:
    """Tell whether a callback left right after it was entered."""
    return run.left == run.entered + 1


def _repeat(spoiled: Spoiled, runs: list[Entry]) -> bool:
    """Let the last of these run once more, right after it ran."""
    for run in [run for run in reversed(runs) if _is_whole(run)][:1]:
        again = ({**spoiled.log[at], "k": AGAIN} for at in (run.entered, run.entered + 1))
        spoiled.insert(run.entered + 1, *again)
        return True
    return False


def _move(spoiled: Spoiled, run: Entry, to: int) -> None:
    """Move the two records of a callback before those at this place."""
    own = spoiled.log[run.entered : run.entered + 2]
    del spoiled.log[run.entered : run.entered + 2]
    spoiled.insert(to - (3 if to > run.entered else 1), *own)


@plant(FAULTS, "decode_twice", "a codec decodes twice", "AUT-007")
def decode_twice(spoiled: Spoiled) -> bool:
    """Repeat the last decode, where no sanitizer may have the request decoded anew."""
    if spoiled.rewrites("llm.sanitize_request"):
        return False
    return _repeat(spoiled, [run for call in spoiled.reading.scripted for run in call.decodes])


@plant(FAULTS, "encode_twice", "a codec encodes twice", "AUT-002")
def encode_twice(spoiled: Spoiled) -> bool:
    """Repeat the last encode."""
    return _repeat(spoiled, [run for call in spoiled.reading.scripted for run in call.encodes])


@plant(FAULTS, "decode_late", "a codec decodes after an intercept", "AUT-007")
def decode_late(spoiled: Spoiled) -> bool:
    """Move the decode of the last call behind its first intercept."""
    for call in reversed(spoiled.reading.scripted):
        if call.decodes and call.intercepts and _is_whole(call.decodes[0]) and _is_whole(call.intercepts[0]):
            _move(spoiled, call.decodes[0], call.intercepts[0].entered + 2)
            return True
    return False


@plant(FAULTS, "encode_early", "a codec encodes before an intercept", "AUT-002")
def encode_early(spoiled: Spoiled) -> bool:
    """Move the encode of the last call before its last intercept."""
    for call in reversed(spoiled.reading.scripted):
        if call.encodes and call.intercepts and _is_whole(call.encodes[0]):
            _move(spoiled, call.encodes[0], call.intercepts[-1].entered)
            return True
    return False


@plant(FAULTS, "decode_before_a_conditional", "a codec decodes before a conditional runs", "MID-001")
def decode_before_a_conditional(spoiled: Spoiled) -> bool:
    """Move the decode of the last call before its first conditional."""
    for call in reversed(spoiled.reading.scripted):
        guards = call.act.of(*CONDITIONALS)
        if call.decodes and guards and _is_whole(call.decodes[0]):
            _move(spoiled, call.decodes[0], guards[0].entered)
            return True
    return False


@plant(FAULTS, "decode_for_another", "a codec decodes for another call", "AUT-007", "AUT-002", also=("OUT-004",))
def decode_for_another(spoiled: Spoiled) -> bool:
    """Have the codec of the first of two calls decode and encode for the second."""
    found = [call for call in spoiled.reading.scripted if call.decodes and call.encodes]
    names = [call.step["as"] for call in found]
    if len(found) != 2 or spoiled.rewrites("llm.sanitize_request"):
        return False
    for record in spoiled.log:
        for part in ("decode", "encode"):
            if record.get("callback") == f"{names[1]}.{part}":
                record.update(callback=f"{names[0]}.{part}", k=AGAIN)
    return True


@plant(FAULTS, "sanitize_before_the_finalizer", "a stream's answer is sanitized before it was made", "STR-003")
def sanitize_before_the_finalizer(spoiled: Spoiled) -> bool:
    """Move what the only response sanitizer did before the finalizer of the only LLM call."""
    runs = [run for run in spoiled.transcript.published if run.part == "llm.sanitize_response"]
    streams = [stream for stream in spoiled.reading.streams if len(stream.finals) == 1]
    if len(runs) != 1 or len(streams) != 1 or len(spoiled.managed) != 1 or not _is_whole(runs[0]):
        return False
    _move(spoiled, runs[0], streams[0].finals[0].entered)
    return True
