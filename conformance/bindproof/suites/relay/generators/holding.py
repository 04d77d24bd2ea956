"""Generated programs in which something waits that runs when an event is published.

Enters: a source of choices, a dialect, the steps of a program. Leaves: the steps, in some of which an injector, a
sanitizer of events, or who is told of them, waits while others of them are done. Sanitizers of calls wait in vectors
alone: by release they hold up what is told, or their calls.
"""

from __future__ import annotations

from typing import Final

from bindproof.core.model import Json
from bindproof.suites import Choices
from bindproof.suites.relay.generators.failing_subscribers import CANNOT_FAIL
from bindproof.suites.relay.generators.legal import where_legal

PERCENT: Final = 20
"""Of a hundred programs so many have one, where that is legal."""

FAMILIES: Final = ("mark.sanitize", "start.sanitize", "end.sanitize", "event.metadata", "subscriber")

CANNOT_WAIT: Final = ("node",)
"""Dialects of which a subscriber that waits keeps the program."""

MARK: Final[Json] = {"step": "mark", "as": "held mark", "name": "held"}
SCOPE: Final[tuple[Json, ...]] = (
    {"step": "start", "as": "held scope", "name": "held"},
    {"step": "end", "as": "held end", "of": "held scope"},
)


def with_holding(choices: Choices, dialect: str | None, steps: list[Json]) -> list[Json]:
    """Return the steps of a program, rarely with what waits at publication while some of them are done."""
    if dialect == "wasm" or not choices.chance(PERCENT):
        return steps
    family = choices.pick(FAMILIES[:-1] if dialect in CANNOT_WAIT else FAMILIES)
    listens = family == "subscriber"
    ops: list[Json] = [{"op": "wait", "latch": "held"}]
    if choices.chance(20) and not (listens and dialect in CANNOT_FAIL):
        ops.append({"op": "raise", "text": "held-1!"})
    step = {"step": "register", "as": "held", "family": family, "name": "held", "do": ops}
    if dialect in (None, "python", "node") and not listens and choices.chance(30):
        step["async"] = True
    emitted = SCOPE if family in ("start.sanitize", "end.sanitize") else (MARK,)
    at = choices.integer(0, min(3, len(steps)))
    until = min(len(steps), at + choices.integer(0, 4))
    opened = {"step": "open", "as": "held open", "latch": "held"}
    return where_legal([*steps[:at], step, *emitted, *steps[at:until], opened, *steps[until:]], steps)
