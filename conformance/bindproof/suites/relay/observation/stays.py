"""Stays: how long what holds up what is told stood at a latch.

Enters: a Reading. Leaves: the stays of what runs when an event is published, and of subscribers. It judges nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from bindproof.core.model import Json
from bindproof.suites.relay.observation import records
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.scenario.callbacks import HOLDING, PUBLISHED, TOLD, callback_named


class Stay(Struct, frozen=True):
    """How long a callback stood at a latch, from one place in the log to another."""

    callback: str
    latch: str
    began: int
    ended: int
    event: Json
    """What it was given of the event; null where it was given a payload."""
    subscriber: str
    """Who it is, where it is one who is told of the event; "" where it is not."""


def stays_of(reading: Reading) -> Iterator[Stay]:
    """Yield the stays that were over, in the order in which they were."""
    if "held" not in reading.words:
        return
    entries = {(one.callback, one.k): one for one in reading.transcript.published}
    began: dict[tuple[str, int], tuple[int, str]] = {}
    for index, record in enumerate(reading.records):
        if not isinstance(record, records.Wait | records.Resume):
            continue
        key, (step, part) = (record.callback, record.k), callback_named(record.callback)
        if part not in HOLDING:
            continue
        if isinstance(record, records.Wait):
            began[key] = index, record.latch
        elif key in began and part == TOLD:
            since, latch = began.pop(key)
            yield Stay(record.callback, latch, since, index, _told(reading, step, record.k), step)
        elif key in began and key in entries and part in PUBLISHED:
            since, latch = began.pop(key)
            yield Stay(record.callback, latch, since, index, entries[key].given.get("event"), "")


def _told(reading: Reading, subscriber: str, k: int) -> Json:
    """Return what a subscriber was told, the `k`th of it, counted from 0."""
    events = reading.transcript.events.get(subscriber, [])
    return events[k][1] if k < len(events) else None
