"""The shape of an observation: its line with every uuid, time and such replaced by what the contract can tell of it.

Enters: the reply line of an adapter, and the texts that the scenario itself states. Leaves: a key. Two lines of one
scenario that have the same key are judged alike, where the first conforms:

- a uuid is replaced by its number in order of appearance, also inside a trace header, whose span is the end of one.
  Labels are given after events' names and in that order, and identities are only ever compared with each other;
- a time is replaced by its place among the line's times, gaps wider than WIDEST_NS made equal. Times are only ever
  compared with each other plus at most WIDEST_NS, and such a comparison comes out the same with the gaps so made;
- the seconds to a stream's first chunk are replaced by where the same number stands first: no more is asked of it than
  that it is one;
- what of these the scenario states stays as it is. In a line that conforms, all others stand where the contract
  names an identity, a time, or something that it leaves open;
- a line of a scenario that gives times to what it starts, ends or marks has no key: what is told of those is no place
  among the others.

Uuids have one length, and the times of one clock mostly, so most lines of a scenario have all of them at the same
places: where they are in one line of a length is looked at first in the next, and searched for only if the rest
differs.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Hashable, Sequence
from functools import lru_cache

from msgspec import Struct

from bindproof.suites.relay.observation.normalise import epoch

WIDEST_NS = 1000
"""The widest distance, in nanoseconds, that a prediction or a check asks of two times."""

TIME, UUID, TRACE, SPAN, SECONDS = 1, 2, 3, 4, 5
"""What can differ, by its group in the pattern below; a span always follows its trace."""

_TEXTS = {
    TIME: rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3}|\.\d{6}|\.\d{9})?\+00:00",
    UUID: rb"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    TRACE: rb"[0-9a-f]{32}",
    SPAN: rb"[0-9a-f]{16}",
    SECONDS: rb"(?:0|[1-9]\d{0,14})(?:\.\d+)?(?:e-?\d\d?)?",  # no longer: what is too large for a number is none
}
_VOLATILE = re.compile(
    rb'"(?:(%b)"|(%b)"|00-(%b)-(%b)-01"|time_to_first_chunk": ?(%b)(?=[,}]))' % tuple(_TEXTS.values())
)
_SECONDS = re.compile(_TEXTS[SECONDS])
_DIGITS = bytes([ord("0") if chr(code) in "0123456789abcdef" else code for code in range(256)])
"""Makes every hexadecimal digit a 0: a text has the form of another when nothing else differs.

A time of which a digit is a letter is told by its value.
"""

KEPT = 16
"""So many layouts are kept of one scenario, one of each length."""


_TIMED = re.compile(rb'"timestamp": ?\d')


def own_texts(params: bytes) -> frozenset[bytes] | None:
    """Return the times, uuids and trace headers' parts that a scenario states itself.

    None for one that gives times to what it starts, ends or marks: its lines have no shape.
    """
    return (
        None
        if _TIMED.search(params)
        else frozenset(text for found in _VOLATILE.findall(params) for text in found if text)
    )


class _Layout(Struct, frozen=True):
    """Where in a line what can differ is, and all the rest."""

    cut: struct.Struct
    """Takes the line apart, rest and others in turns."""
    rest: tuple[bytes, ...]
    form: bytes
    """The others, one after the other, every digit a 0."""
    told: bytes
    """The same of those that have a form: seconds have more digits or fewer."""
    times: tuple[int, ...]
    identities: tuple[int, ...]
    spans: tuple[int, ...]
    seconds: tuple[int, ...]
    """`times`, `identities`, `spans`, `seconds`: which of the others are that; a trace is an identity."""
    traced: bool
    """Some of them are traces."""

    def others(self, line: bytes) -> tuple[bytes, ...] | None:
        """Return the uuids and times of a line of this layout, or None for one of another."""
        pieces = self.cut.unpack(line)
        if pieces[::2] != self.rest:
            return None
        others = pieces[1::2]
        return others if b"".join(others).translate(_DIGITS) == self.form else None


def _layout(line: bytes) -> _Layout:
    kinds: list[int] = []
    widths: list[int] = []
    at = 0
    for found in _VOLATILE.finditer(line):
        for kind in (TRACE, SPAN) if found.lastindex == SPAN else (found.lastindex or 0,):
            start, end = found.span(kind)
            kinds.append(kind)
            widths += [start - at, end - start]
            at = end
    cut = struct.Struct("".join([f"{width}s" for width in (*widths, len(line) - at)]))
    pieces = cut.unpack(line)
    times, identities, spans, seconds = (
        tuple([at for at, kind in enumerate(kinds) if kind in these])
        for these in ({TIME}, {UUID, TRACE}, {SPAN}, {SECONDS})
    )
    others = pieces[1::2]
    form = b"".join(others).translate(_DIGITS)
    told = form
    if seconds:
        told = b"".join([text for text, kind in zip(others, kinds, strict=True) if kind != SECONDS]).translate(_DIGITS)
    return _Layout(cut, pieces[::2], form, told, times, identities, spans, seconds, TRACE in kinds)


class Shapes:
    """Makes the reply lines of one scenario into keys. own: the texts that the scenario states (see `own_texts`)."""

    def __init__(self, own: frozenset[bytes] | None) -> None:
        self._own = own
        self._layouts: dict[int, _Layout] = {}

    def __call__(self, line: bytes) -> Hashable | None:
        """Return the key of a reply from its result on, or None for one whose times cannot be read, or are given."""
        if self._own is None:
            return None
        layout = self._layouts.get(len(line))
        others = None if layout is None else layout.others(line)
        if layout is None or others is None:
            layout = _layout(line)
            if len(self._layouts) < KEPT:
                self._layouts[len(line)] = layout
            others = layout.cut.unpack(line)[1::2]
        return _key(layout, others, self._own)


def shape(line: bytes, own: frozenset[bytes] | None) -> Hashable | None:
    """Return the key of one reply line, as `Shapes` does."""
    return Shapes(own)(line)


def _key(layout: _Layout, others: tuple[bytes, ...], own: frozenset[bytes]) -> Hashable | None:
    stated = {} if not own or own.isdisjoint(others) else _stated(layout, others, own)
    times = _those(others, layout.times, stated)
    identities = _those(others, layout.identities, stated)
    if layout.traced:  # a trace is a uuid without its dashes
        identities = b" ".join(identities).replace(b"-", b"").split()
    spans = _those(others, layout.spans, stated)
    places = _places(times)
    if places is None:
        return None
    ends = _first_of_each([*[digits[16:] for digits in identities], *spans]) if spans else ()
    seconds = _those(others, layout.seconds, stated)
    if not all(map(_SECONDS.fullmatch, seconds)):  # a digit of it may be a letter
        return None
    alike = _first_of_each(identities), ends, _first_of_each(seconds)
    return layout.rest, layout.told, tuple(stated.items()), places, *alike


def _those(others: tuple[bytes, ...], places: tuple[int, ...], stated: dict[int, bytes]) -> list[bytes]:
    """Return the texts at these places, but for those that the scenario states."""
    return [others[at] for at in places if at not in stated] if stated else [others[at] for at in places]


def _stated(layout: _Layout, others: tuple[bytes, ...], own: frozenset[bytes]) -> dict[int, bytes]:
    """Return what stays as it is, by its place: the scenario's own texts, and of a trace header both parts."""
    found = {at for at, text in enumerate(others) if text in own}
    for span in layout.spans:
        if {span - 1, span} & found:
            found |= {span - 1, span}
    return {at: others[at] for at in sorted(found)}


def _first_of_each(texts: Sequence[bytes]) -> tuple[int, ...]:
    """Return for each text where it stands first: all that equality can tell of them."""
    first: dict[bytes, int] = {}
    return tuple(map(first.setdefault, texts, range(len(texts))))


def _places(times: Sequence[bytes]) -> tuple[int, ...] | None:
    """Return where each time lies, in nanoseconds from the earliest, no gap wider than what tells it is wide."""
    known = sorted(set(times))  # their texts sort as they do, with fewer digits too: a + is before a digit and a .
    moments = _moments(known)
    if moments is None:
        return None
    places: dict[bytes, int] = {}
    place, earlier = 0, moments[0] if moments else 0
    for text, moment in zip(known, moments, strict=True):
        place += min(moment - earlier, WIDEST_NS + 1)
        places[text], earlier = place, moment
    return tuple([places[text] for text in times])


def _moments(times: list[bytes]) -> list[int] | None:
    """Return nanoseconds for each of the sorted times, or None where one of them cannot be read."""
    try:
        if times and times[0][:19] == times[-1][:19]:  # as in most runs; so all others are in that second too
            second = _second(times[0][:19])
            return [second + _fraction(time) for time in times]
        return [_second(time[:19]) + _fraction(time) for time in times]
    except ValueError:
        return None


def _fraction(time: bytes) -> int:
    """Return the nanoseconds of a time's second: a binding writes as many digits, by threes, as its clock has."""
    return int(time[20:-6].ljust(9, b"0"))


@lru_cache(maxsize=1024)
def _second(text: bytes) -> int:
    """Return a second as nanoseconds; raises ValueError for any other text. The times of a run share a few."""
    second = epoch(text.decode(), "+00:00")
    if second is None:
        raise ValueError(text)
    return second
