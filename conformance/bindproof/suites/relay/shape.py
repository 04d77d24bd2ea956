"""The shape of an observation: its line with every uuid and time replaced by what the contract can tell of it.

Enters: the reply line of an adapter, and the texts that the scenario itself states. Leaves: a key. Two lines of one
scenario that have the same key are judged alike, where the first conforms:

- a uuid is replaced by its number in order of appearance, also inside a trace header, whose span is the end of one.
  Labels are given after events' names and in that order, and identities are only ever compared with each other;
- a time is replaced by its place among the line's times, gaps wider than WIDEST_NS made equal. Times are only ever
  compared with each other plus at most WIDEST_NS, and such a comparison comes out the same with the gaps so made;
- a uuid or time that the scenario states stays as it is. In a line that conforms, all others stand where the contract
  names an identity, a time, or something that it leaves open.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from itertools import pairwise

from bindproof.suites.relay.normalise import nanoseconds

WIDEST_NS = 1000
"""The widest distance, in nanoseconds, that a prediction or a check asks of two times."""

_TIME = rb'"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}\+00:00)"'
_UUID = rb'"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"'
_TRACE = rb'"00-([0-9a-f]{32})-([0-9a-f]{16})-01"'
_VOLATILE = re.compile(rb"|".join((_TIME, _UUID, _TRACE)))
_GROUPS = _VOLATILE.groups
_TRACE_BASE = 1_000_000
"""Numbers in a key: a time's from 0 up, a uuid's from -1 down, a trace header's from here up."""


def own_texts(params: bytes) -> frozenset[bytes]:
    """Return the times, uuids and trace headers' parts that a scenario states itself."""
    return frozenset(text for found in _VOLATILE.findall(params) for text in found if text)


def shape(line: bytes, own: frozenset[bytes]) -> Hashable | None:
    """Return the key of a reply line, or None for one whose times cannot be read."""
    pieces = _VOLATILE.split(line[max(line.find(b'"result"'), 0) :])
    times: dict[bytes, int] = {}
    identities: dict[bytes, int] = {}
    ends: dict[bytes, int] = {}
    order: list[int | bytes] = []

    def identity(digits: bytes) -> int:
        """Number an identity; where it is new, also tell whose span it can be."""
        if digits not in identities:
            order.append(ends.setdefault(digits[16:], len(ends)))
        return identities.setdefault(digits, len(identities))

    step = _GROUPS + 1
    for time, uuid, trace, span in zip(pieces[1::step], pieces[2::step], pieces[3::step], pieces[4::step], strict=True):
        if time is not None:
            order.append(time if time in own else times.setdefault(time, len(times)))
        elif uuid is not None:
            order.append(uuid if uuid in own else ~identity(uuid.replace(b"-", b"")))
        elif trace in own or span in own:
            order.append(trace + span)
        else:
            order.append(_TRACE_BASE + identity(trace))
            order.append(ends.setdefault(span, len(ends)))
    gaps = _gaps(times)
    return None if gaps is None else (tuple(pieces[::step]), tuple(order), gaps)


def _gaps(times: Iterable[bytes]) -> tuple[int, ...] | None:
    """Return where each time lies, in nanoseconds from the earliest, no gap wider than what tells it is wide."""
    moments = [nanoseconds(time.decode()) for time in times]
    known = sorted({moment for moment in moments if isinstance(moment, int)})
    if not all(isinstance(moment, int) for moment in moments):
        return None
    places = dict.fromkeys(known[:1], 0)
    for earlier, later in pairwise(known):
        places[later] = places[earlier] + min(later - earlier, WIDEST_NS + 1)
    return tuple([places[moment] for moment in moments if isinstance(moment, int)])
