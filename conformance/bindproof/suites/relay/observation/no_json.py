"""What JSON lacks in an observation: which steps and replies had it in them and were taken, and the log without it.

Enters: a transcript, records. Leaves: entries of callbacks, records. It judges nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from bindproof.suites.relay.observation.records import Leave, Record, Refused
from bindproof.suites.relay.observation.transcript import Act, Entry, Transcript
from bindproof.suites.relay.scenario.no_json import hands_over_no_json, lacks_json, null_for

REFUSED = "outcome_malformed"
"""The kind of the error of a step of which a callback's reply is refused."""

READ = ("content_changed", "annotation_missing", "codec_failed")
"""Kinds of errors that only a reply comes to which was read."""


def is_taken(act: Act) -> bool:
    """Tell whether a step hands over what JSON lacks, and comes back, or has callbacks run."""
    if act.done is None or not hands_over_no_json(act.step):
        return False
    return act.error is None or bool(act.everything)


def replies(transcript: Transcript) -> Iterator[tuple[Act, Entry]]:
    """Yield the callbacks that replied with what JSON lacks, each with the step that it ran in and that came back."""
    for act in transcript.acts:
        if act.done is not None:
            yield from ((act, one) for one in act.everything if one.replied and lacks_json(one.raw_reply))


def is_refused(act: Act, one: Entry) -> bool:
    """Tell whether a reply with what JSON lacks came to nothing: the constructor would not take it, or the step failed
    then and there, with whatever error."""
    if one.refused:
        return True
    kind = act.error.get("kind") if isinstance(act.error, dict) else None
    return act.error is not None and kind not in READ and not _went_on(act, one)


def _went_on(act: Act, one: Entry) -> bool:
    """Tell whether a callback ran behind the reply, or got it as the answer to its `next`."""
    around = next((asked for run in act.everything for asked in run.asked if one in asked.inside), None)
    answered = around is not None and around.answered is not None and around.error is None
    return answered or any(run.entered > (one.left or 0) for run in act.everything)


def in_json(transcript: Transcript, log: list[Record]) -> list[Record]:
    """Return records without what JSON lacks in replies: null in its place where that was taken; else they are refused,
    as a constructor refuses what a program cannot even make."""
    found = {one.left: is_refused(act, one) for act, one in replies(transcript)}
    return [_in_json(one, found[at]) if at in found and isinstance(one, Leave) else one for at, one in enumerate(log)]


def _in_json(left: Leave, refused: bool) -> Record:
    if refused:
        return Refused(callback=left.callback, k=left.k, reply=left.reply, error={"kind": REFUSED})
    return replace(left, reply=null_for(left.reply))
