"""The checks of what JSON lacks: what a program hands over (DLC-012), what callbacks reply (DLC-013 to DLC-015)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bindproof.core.model import Evidence
from bindproof.suites.relay.checks.common import EVERY_LANE, Check, Found, judged, part, register
from bindproof.suites.relay.observation import no_json
from bindproof.suites.relay.observation.no_json import is_taken
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.streams import StreamCall
from bindproof.suites.relay.observation.transcript import Act, Entry
from bindproof.suites.relay.scenario.no_json import hands_over_no_json

CHECKS: dict[str, Check] = {}

REFUSED: Final = "invalid_argument"
"""The kind of the error."""


@register(CHECKS, "DLC-012")
def what_json_lacks_is_refused(reading: Reading) -> Found:
    """The step fails, and says that the arguments are at fault; no callback of it is called."""
    acts = [act for act in reading.transcript.acts if act.done is not None and hands_over_no_json(act.step)]
    return judged([_unrefused(act) for act in acts if is_taken(act) or part(act.error, "kind") != REFUSED], acts)


def _unrefused(act: Act) -> Evidence:
    """Return evidence about a step that is not refused so. Where it is taken, the rest is judged as if it was null."""
    text, name = "what JSON lacks is refused", act.step["as"]
    if is_taken(act):
        return Evidence(EVERY_LANE, text, act.done, REFUSED, "taken", accepted=(f"{name}/no_json",))
    return Evidence(EVERY_LANE, text, act.done, REFUSED, act.error)


@register(CHECKS, "DLC-013")
def a_reply_that_json_lacks_is_refused(reading: Reading) -> Found:
    """The call or helper that the callback ran in fails as of a reply that is malformed."""
    found = list(no_json.replies(reading.transcript))
    return judged([evidence for act, one in found for evidence in _unrefused_reply(act, one)], found)


def _unrefused_reply(act: Act, one: Entry) -> Iterator[Evidence]:
    """Yield evidence about a reply that is not refused so. Where it is taken, the rest is judged as if it was null."""
    text, name = "a reply that JSON lacks is refused", act.step["as"]
    if not no_json.is_refused(act, one):
        accepted = (f"{name}/{one.callback}",)
        yield Evidence(EVERY_LANE, text, act.done, no_json.REFUSED, "taken", about=(name,), accepted=accepted)
    elif part(act.error, "kind") != no_json.REFUSED:
        yield Evidence(EVERY_LANE, text, act.done, no_json.REFUSED, act.error)


@register(CHECKS, "DLC-014")
def a_reply_that_json_lacks_is_a_failure(reading: Reading) -> Found:
    """What rewrites events, a codec or a finalizer that replies so counts as one that fails."""
    found = list(no_json.failing(reading.transcript))
    return judged([_read(one) for one in found if no_json.is_read(reading.transcript, one)], found)


def _read(one: Entry) -> Evidence:
    """Return evidence about a reply that was taken. The rest is judged as if what JSON lacks was null in it."""
    text, accepted = "a reply that JSON lacks is a failure", (f"*/{one.callback}",)
    return Evidence(EVERY_LANE, text, one.left, "failed", "taken", accepted=accepted)


@register(CHECKS, "DLC-015")
def a_chunk_that_json_lacks_fails_its_stream(reading: Reading) -> Found:
    """Whoever reads such a chunk is given the error of a reply that is malformed, and what handed it over is closed."""
    found = list(no_json.chunks(reading.transcript))
    return judged([evidence for chunk in found for evidence in _unrefused_chunk(*chunk)], found)


def _unrefused_chunk(stream: StreamCall, one: Entry, at: int) -> Iterator[Evidence]:
    """Yield evidence about a chunk that does not fail its stream. Where it is taken, the rest is judged as if what JSON
    lacks was null in it."""
    text, name = "a chunk that JSON lacks fails its stream", stream.step["as"]
    if no_json.is_handed_on(stream, one, at):
        accepted = (f"{name}/{one.callback}",)
        yield Evidence(EVERY_LANE, text, at, no_json.REFUSED, "taken", about=(name,), accepted=accepted)
    elif not stream.collects_all() or (stream.act.error is None and one is not stream.outermost()):
        return  # nobody read it any more (STR-010); or who did failed, and was to fail its own reader (STR-009)
    elif part(stream.act.error, "kind") != no_json.REFUSED:
        yield Evidence(EVERY_LANE, text, stream.done, no_json.REFUSED, stream.act.error)
