"""The picture of a scenario: a lane for each of who acts, time from top to bottom, a box for each record.

Enters: moments. Leaves: the geometry of a drawing, in pixels. Must not know what a record means.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from bindproof.report.page.moments import Moment, State

LANE = 176
"""Width of a lane."""

ROW = 26
"""Height of a moment."""

HEAD = 30
MARGIN = 34
"""The numbers of records stand there."""

MOST_LANES = 14
LETTERS = 25
"""Characters that fit into a box; a title has all of them."""


class Lane(Struct, frozen=True):
    """The line of one who acts; `x` is its middle."""

    name: str
    short: str
    x: int


class Box(Struct, frozen=True):
    """One record: where its box begins, and what stands in it."""

    x: int
    y: int
    short: str
    title: str
    state: State
    number: str
    """Of the record in the log, empty where it is missing."""


class Picture(Struct, frozen=True):
    """A drawing: its size, lanes and boxes, and what it shows in words."""

    width: int
    height: int
    lanes: tuple[Lane, ...]
    boxes: tuple[Box, ...]
    words: str


def picture(moments: Sequence[Moment]) -> Picture:
    """Return the drawing of some moments, those of `program` on the left."""
    names = list(dict.fromkeys(moment.who for moment in moments))
    names.sort(key=lambda name: name != "program")
    places = {name: min(at, MOST_LANES - 1) for at, name in enumerate(names)}
    boxes = [
        Box(
            MARGIN + places[one.who] * LANE + 4,
            HEAD + at * ROW,
            _short(one.what if places[one.who] < MOST_LANES - 1 else f"{one.who}: {one.what}"),
            f"{one.who}: {one.what} ({one.state}) {one.text}",
            one.state,
            "" if one.record is None else str(one.record),
        )
        for at, one in enumerate(moments)
    ]
    shown = names[:MOST_LANES]
    lanes = [Lane(name, _short(name), MARGIN + at * LANE + LANE // 2) for at, name in enumerate(shown)]
    if len(names) > MOST_LANES:
        lanes[-1] = Lane("others", "others", lanes[-1].x)
    size = MARGIN + len(shown) * LANE + 4, HEAD + len(moments) * ROW + 8
    return Picture(*size, tuple(lanes), tuple(boxes), _words(moments))


def _short(text: str) -> str:
    return text if len(text) <= LETTERS else f"{text[: LETTERS - 1]}…"


def _words(moments: Sequence[Moment]) -> str:
    counts = {state: sum(one.state == state for one in moments) for state in ("wrong", "extra", "missing")}
    said = ", ".join(f"{count} {state}" for state, count in counts.items() if count)
    return f"{len(moments)} records over time" + (f": {said}" if said else "")
