"""What was due and what came, put together into one order in time: what the picture of a scenario shows.

Enters: a verdict, and how its suite draws a record. Leaves: moments, the first one first. Must not know how they are
drawn.

Within a lane what came is held against what was due by its words alone, so that values which vary do not tell them
apart. It judges nothing: a moment is marked as wrong where the verdict says so of its record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from msgspec import Struct

from bindproof.core.model import Json
from bindproof.report.printing import one_line
from bindproof.results import VerdictLine

State = Literal["as due", "wrong", "extra", "missing", "came"]
"""as due: it came and was. wrong: the verdict says so of it. extra: it came, and was not due. missing: the other way
round. came: nothing is known of what was due."""

MOST = 120
"""Records of one lane, and moments of one picture."""

LONGEST = 600
"""Characters of a record's text."""

Drawn = Callable[[Json], tuple[str, str]]
"""Gives who a record is of, and what it says in a few words."""


class Moment(Struct, frozen=True):
    """One record: who it is of, what it says, the record itself, and its place in the log, None where it is missing."""

    who: str
    what: str
    text: str
    state: State
    record: int | None


class _Due(Struct, frozen=True):
    """A record that is due: each of its alternatives, drawn; it may be left out."""

    options: tuple[tuple[str, str], ...]
    text: str
    optional: bool


def moments(verdict: VerdictLine, lane_of: Callable[[Json], str], drawn: Drawn) -> list[Moment]:
    """Return what was due and what came in a verdict, in the order in which it came, or would have had to."""
    log = (verdict.observation or [])[:MOST]
    wrong = {at for one in verdict.broken for failure in one.failures for at in (failure.record, *failure.also)}
    came: dict[str, list[int]] = {}
    for index, record in enumerate(log):
        came.setdefault(lane_of(record), []).append(index)
    allowed = verdict.allowed
    at: dict[int, Moment] = {}
    before: dict[int, list[Moment]] = {}
    for lane in dict.fromkeys([*came, *allowed]):
        indexes = came.get(lane, [])
        due = [one for record in allowed.get(lane, [])[:MOST] for one in _due(record, drawn)]
        known = verdict.prediction is not None
        pairs = _aligned(due, [drawn(log[index]) for index in indexes])
        for place, position in pairs:
            if position is None:
                behind = next((indexes[p] for d, p in pairs if d is not None and p is not None and d > place), len(log))  # type: ignore[operator]
                if not due[place].optional:  # type: ignore[index]
                    one = due[place]  # type: ignore[index]
                    before.setdefault(behind, []).append(Moment(*one.options[0], one.text, "missing", None))
                continue
            index = indexes[position]
            state: State = "came" if not known else "extra" if place is None else "as due"
            at[index] = Moment(*drawn(log[index]), _text(log[index]), "wrong" if index in wrong else state, index)
    ordered = [one for index in range(len(log) + 1) for one in (*before.get(index, []), *filter(None, [at.get(index)]))]
    return ordered[:MOST]


def _text(record: Json) -> str:
    text = one_line(record)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _due(record: Json, drawn: Drawn) -> Iterable[_Due]:
    """Yield what one record of a prediction stands for."""
    if isinstance(record, dict) and isinstance(record.get("$maybe"), list):
        for one in record["$maybe"]:
            yield from (_Due(due.options, due.text, True) for due in _due(one, drawn))
    elif isinstance(record, dict) and isinstance(record.get("$one_of"), list) and record["$one_of"]:
        yield _Due(tuple(drawn(one) for one in record["$one_of"]), _text(record), False)
    else:
        yield _Due((drawn(record),), _text(record), False)


def _aligned(due: Sequence[_Due], came: Sequence[tuple[str, str]]) -> list[tuple[int | None, int | None]]:
    """Return pairs of places, in order: of both where they say the same, of one where the other lacks it."""
    longest = [[0] * (len(came) + 1) for _ in range(len(due) + 1)]
    for one in range(len(due) - 1, -1, -1):
        for two in range(len(came) - 1, -1, -1):
            if came[two] in due[one].options:
                longest[one][two] = longest[one + 1][two + 1] + 1
            else:
                longest[one][two] = max(longest[one + 1][two], longest[one][two + 1])
    pairs: list[tuple[int | None, int | None]] = []
    one = two = 0
    while one < len(due) or two < len(came):
        if one < len(due) and two < len(came) and came[two] in due[one].options:
            pairs.append((one, two))
            one, two = one + 1, two + 1
        elif two >= len(came) or (one < len(due) and longest[one + 1][two] >= longest[one][two + 1]):
            pairs.append((one, None))
            one += 1
        else:
            pairs.append((None, two))
            two += 1
    return pairs
