"""What a log claims: of each adapter what it was, of each scenario how it came out, and whether its end adds up.

Enters: a log. Leaves: its claims, all or a sample. Must not know how they are tried.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing, contextmanager

from msgspec import Struct, field

from bindproof.core.errors import LogError
from bindproof.results import AdapterLine, Fold, Log, SummaryLine, VerdictLine, joined
from bindproof.results.fold import EXIT_USAGE
from bindproof.runner.claim_table import ClaimTable


class LogClaims(Struct):
    """What a log says."""

    log: Log
    verdicts: ClaimTable
    """Those that are to be tried."""
    count: int = 0
    """How many verdicts it has."""
    whole: bool = True
    """All of them are to be tried."""
    adapters: dict[str, AdapterLine] = field(default_factory=dict)
    contradiction: str = ""
    """What of it contradicts the rest of it, in words."""


@contextmanager
def claims_of(log: Log, sample: int | None) -> Iterator[LogClaims]:
    """Read a log to its end; its claims are there until they are let go of.

    sample: so many verdicts are kept, each with the same chance, None: all. Raises LogError for a log that cannot be
    read or has no end: of a run that was cut short nobody knows what it would have claimed. Raises UsageError as
    `ClaimTable` does.
    """
    with closing(ClaimTable()) as table:
        yield _read(LogClaims(log, table), sample)


def _read(claims: LogClaims, sample: int | None) -> LogClaims:
    counted, end = Fold(), None
    for line in claims.log:
        counted.add(line)
        if isinstance(line, AdapterLine):
            claims.adapters[line.name] = joined(claims.adapters.get(line.name), line)
        elif isinstance(line, SummaryLine):
            end = line
        elif isinstance(line, VerdictLine):
            claims.count += 1
            place = _place(claims.count, sample)
            if place is not None:
                claims.verdicts.claim(place, line)
    if end is None or end.interrupted or end.bug is not None or end.exit == EXIT_USAGE:
        path = claims.log.path
        raise LogError(path, None, f"this run was cut short; finish it first: bindproof run --continue {path}")
    claims.whole = sample is None or claims.count <= sample
    claims.contradiction = _contradiction(end, counted.summary())
    return claims


def _place(number: int, sample: int | None) -> int | None:
    """Return the place of the verdict of this number, None where others are kept; each has the same chance."""
    if sample is None or number <= sample:
        return number
    place = random.randint(1, number)  # noqa: S311 - it is no secret
    return place if place <= sample else None


def _contradiction(end: SummaryLine, counted: SummaryLine) -> str:
    """Say where the last line is not what the others add up to; empty where it is."""
    if (end.exit, end.why) != (counted.exit, counted.why):
        told = f"its last line says: exit {end.exit}, {end.why}"
        return f"{told}; its other lines add up to: exit {counted.exit}, {counted.why}"
    if (end.selected, end.outcomes) != (counted.selected, counted.outcomes):
        return "its last line counts other outcomes than its verdicts have"
    return ""
