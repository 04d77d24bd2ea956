"""The check of what waits when an event is published (EVT-057)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from bindproof.core.model import Evidence, Json
from bindproof.suites.relay.checks.common import EVERY_LANE, Check, Found, judged, register
from bindproof.suites.relay.observation import records
from bindproof.suites.relay.observation.published import MEMBER
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.scenario.callbacks import PUBLISHED, callback_named

CHECKS: dict[str, Check] = {}


IDENTITY = ("uuid", "scope_category")
"""What tells one event from another."""


class Stay(Struct, frozen=True):
    """How long a callback that runs when an event is published stood at a latch."""

    latch: str
    began: int
    ended: int
    event: Json
    """What it was given of the event; null where it was given a payload."""


@register(CHECKS, "EVT-057")
def what_waits_holds_up_what_is_told_behind_it(reading: Reading) -> Found:
    """Nothing of its event, or of one behind that, is told meanwhile, and the program comes to open the latch.

    Where a program says when something was, times do not tell what is behind what.
    """
    stays = list(_stays(reading))
    timed = any(step.get("timestamp") is not None for step in reading.full["steps"])
    overtaking = [(stay, at) for stay in stays for at in ([] if timed else _told_meanwhile(reading, stay))]
    return judged(
        [
            *(
                Evidence(EVERY_LANE, "what is told behind it waits", at, None, None, also=(s.ended,))
                for s, at in overtaking
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


def _told_meanwhile(reading: Reading, stay: Stay) -> Iterator[int]:
    """Yield where events are told meanwhile that are not before the one that the callback was given."""
    for index, row in enumerate(reading.log[stay.began : stay.ended], stay.began):
        if row["fact"] == "event" and stay.event is not None and _is_behind(row["event"], stay.event):
            yield index


def _is_behind(event: Json, other: Json) -> bool:
    """Tell whether an event is another one, or was emitted later."""
    if [event.get(key) for key in IDENTITY] == [other.get(key) for key in IDENTITY]:
        return True
    one, before = event.get("timestamp"), other.get("timestamp")
    return isinstance(one, int) and isinstance(before, int) and one > before


def _done_before_it_is_opened(reading: Reading, stay: Stay) -> int:
    """Return where the program did the last step before the one that opens the latch; -1 where none does."""
    done = [act.done for act in reading.transcript.acts if act.within is None and act.done is not None]
    opened = [act.done for act in reading.transcript.of_kind("open") if act.step["latch"] == stay.latch]
    return max((at for at in done if opened and at < (opened[0] or 0)), default=-1)
