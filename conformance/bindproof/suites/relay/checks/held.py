"""The check of what waits when an event is published (EVT-057)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from bindproof.core.model import Evidence, Json
from bindproof.suites.relay.checks.common import EVERY_LANE, Check, Found, judged, register
from bindproof.suites.relay.observation import records
from bindproof.suites.relay.observation.published import MEMBER
from bindproof.suites.relay.observation.reading import Event, Reading
from bindproof.suites.relay.observation.transcript import Act
from bindproof.suites.relay.scenario.callbacks import PUBLISHED, callback_named

CHECKS: dict[str, Check] = {}


class Stay(Struct, frozen=True):
    """How long a callback that runs when an event is published stood at a latch."""

    latch: str
    began: int
    ended: int
    event: Json
    """What it was given of the event; null where it was given a payload."""


@register(CHECKS, "EVT-057")
def what_waits_holds_up_what_is_told_behind_it(reading: Reading) -> Found:
    """Nothing of its event, or of a later step, is told meanwhile, and the program comes to open the latch."""
    stays = list(_stays(reading))
    return judged(
        [
            *(
                Evidence(EVERY_LANE, "what is told behind it waits", at, None, None, also=(stay.ended,))
                for stay in stays
                for at in _told_too_early(reading, stay)
            ),
            *(
                Evidence(EVERY_LANE, "the program goes on meanwhile", stay.ended, before, stay.ended, also=(before,))
                for stay in stays
                if (before := _done_before_it_is_opened(reading, stay)) > stay.ended
            ),
        ],
        stays,
    )


def _stays(reading: Reading) -> Iterator[Stay]:
    entries = {(one.callback, one.k): one for one in reading.transcript.published}
    began: dict[tuple[str, int], tuple[int, str]] = {}
    for index, record in enumerate(reading.records):
        if (
            not isinstance(record, records.Wait | records.Resume)
            or callback_named(record.callback).part not in PUBLISHED
        ):
            continue
        key = record.callback, record.k
        if isinstance(record, records.Wait):
            began[key] = index, record.latch
        elif key in began and key in entries and not (entries[key].part in MEMBER and reading.transcript.apart):
            since, latch = began.pop(key)
            yield Stay(latch, since, index, entries[key].given.get("event"))


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
