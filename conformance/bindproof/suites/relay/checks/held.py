"""The checks of what waits when an event is published (EVT-057), and of who waits that is told of it (EVT-058)."""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Evidence, Json
from bindproof.suites.relay.checks.common import EVERY_LANE, Check, Found, judged, register
from bindproof.suites.relay.observation.published import MEMBER
from bindproof.suites.relay.observation.reading import Event, Reading
from bindproof.suites.relay.observation.stays import Stay, stays_of
from bindproof.suites.relay.observation.transcript import Act

CHECKS: dict[str, Check] = {}


@register(CHECKS, "EVT-057")
def what_waits_holds_up_what_is_told_behind_it(reading: Reading) -> Found:
    """Nothing of its event, or of a later step, is told meanwhile, and the program comes to open the latch."""
    payloads = {one.callback for one in reading.transcript.published if one.part in MEMBER}
    apart = payloads if reading.transcript.apart else frozenset[str]()
    stays = [stay for stay in stays_of(reading) if not stay.subscriber and stay.callback not in apart]
    early = [
        Evidence(EVERY_LANE, "what is told behind it waits", at, None, None, also=(stay.ended,))
        for stay in stays
        for at in _told_too_early(reading, stay)
    ]
    return judged([*early, *_held_up(reading, stays)], stays)


@register(CHECKS, "EVT-058")
def who_waits_holds_up_nobody(reading: Reading) -> Found:
    """The program comes to open the latch, and who stands there is told of nothing else meanwhile."""
    stays = [stay for stay in stays_of(reading) if stay.subscriber]
    early = [
        Evidence(stay.subscriber, "who waits is told of one thing at a time", at, None, event, also=(stay.ended,))
        for stay in stays
        for at, event in reading.transcript.events.get(stay.subscriber, [])
        if stay.began < at < stay.ended
    ]
    return judged([*early, *_held_up(reading, stays)], stays)


def _held_up(reading: Reading, stays: list[Stay]) -> Iterator[Evidence]:
    """Yield where the program waits for what it should not wait for."""
    for stay in stays:
        before = _done_before_it_is_opened(reading, stay)
        if before > stay.ended:
            about = "the program goes on meanwhile"
            yield Evidence(EVERY_LANE, about, stay.ended, before, stay.ended, also=(before,))


def _told_too_early(reading: Reading, stay: Stay) -> Iterator[int]:
    """Yield where it is told meanwhile of the event that the callback was given, or of a step behind its own.

    Of what was given a payload, and not an event, the prediction says that.
    """
    if stay.event is None:
        return
    owners = {_identity(event): act for act, (_, event) in _owned(reading)}
    own = owners.get(_identity(stay.event))
    for index, row in enumerate(reading.log[stay.began : stay.ended], stay.began):
        if row["fact"] == "event":
            act = owners.get(_identity(row["event"]))
            behind = own is not None and act is not None and act.began > own.began
            if behind or _identity(row["event"]) == _identity(stay.event):
                yield index


def _owned(reading: Reading) -> Iterator[tuple[Act, Event]]:
    """Yield the events that are of a step, with it."""
    told = reading.deliveries
    yield from ((act, event) for act, by in told.lives.items() for life in by.values() for event in life.events())
    for marks in (told.marked, told.rejected):
        yield from ((act, event) for act, by in marks.items() for event in by.values())


def _identity(event: Json) -> tuple[str, str]:
    """Return what tells one event from another."""
    return str(event.get("uuid")), str(event.get("scope_category"))


def _done_before_it_is_opened(reading: Reading, stay: Stay) -> int:
    """Return where the program did the last step before the one that opens the latch; -1 where none does."""
    done = [act.done for act in reading.transcript.acts if act.within is None and act.done is not None]
    opened = [act.done for act in reading.transcript.of_kind("open") if act.step["latch"] == stay.latch]
    return max((at for at in done if opened and at < (opened[0] or 0)), default=-1)
