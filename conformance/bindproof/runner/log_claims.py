"""What a log claims: of each adapter what it was, of each scenario how it came out, and whether its end adds up.

Enters: a log. Leaves: its claims, all or a sample. Must not know how they are tried.
"""

from __future__ import annotations

import random

from msgspec import Struct, field

from bindproof.core.errors import LogError
from bindproof.core.origins import Planned
from bindproof.results import AdapterLine, Fold, Log, SummaryLine, VerdictLine, joined
from bindproof.results.fold import EXIT_USAGE

Key = tuple[str, str, Planned]
"""What a verdict is on: an adapter, a suite, and where the scenario comes from."""


class Says(Struct, frozen=True):
    """What a verdict says, but for its evidence, which may differ from run to run."""

    outcome: str
    known: bool
    """An expectation names the outcome."""
    broken: tuple[str, ...]
    """Each requirement, and whether an expectation names it."""
    held: tuple[str, ...]

    @classmethod
    def of(cls, line: VerdictLine) -> Says:
        """Return what a line says."""
        broken = sorted(f"{one.requirement}{' (known)' if one.expected_by else ''}" for one in line.broken)
        return cls(line.outcome, line.expected_by is not None, tuple(broken), tuple(sorted(line.held)))

    def beside(self, other: Says) -> str:
        """Return it in words, with what another one does not say."""
        parts = [self.outcome.replace("_", " ") + (" (known)" if self.known else ""), *self.broken]
        alone = [name for name in self.held if name not in other.held]
        return ", ".join([*parts, *(f"{name} holds" for name in alone)])


class LogClaims(Struct):
    """What a log says."""

    log: Log
    count: int = 0
    """How many verdicts it has."""
    verdicts: dict[Key, Says] = field(default_factory=dict)
    """Those that are to be tried."""
    whole: bool = True
    """They are all of them."""
    adapters: dict[str, AdapterLine] = field(default_factory=dict)
    contradiction: str = ""
    """What of it contradicts the rest of it, in words."""


def claims_of(log: Log, sample: int | None) -> LogClaims:
    """Read a log to its end.

    sample: so many verdicts are kept, each with the same chance, None: all. Raises LogError for a log that cannot be
    read or has no end: of a run that was cut short nobody knows what it would have claimed.
    """
    claims, counted, end = LogClaims(log), Fold(), None
    kept = list[tuple[Key, Says]]()
    for line in log:
        counted.add(line)
        if isinstance(line, AdapterLine):
            claims.adapters[line.name] = joined(claims.adapters.get(line.name), line)
        elif isinstance(line, SummaryLine):
            end = line
        elif isinstance(line, VerdictLine):
            claims.count += 1
            if sample is None or len(kept) < sample:
                kept.append(_claim(line))
            elif (place := random.randrange(claims.count)) < sample:  # noqa: S311 - it is no secret
                kept[place] = _claim(line)
    if end is None or end.interrupted or end.bug is not None or end.exit == EXIT_USAGE:
        raise LogError(log.path, None, f"this run was cut short; finish it first: bindproof run --continue {log.path}")
    claims.verdicts, claims.whole = dict(kept), len(kept) == claims.count
    claims.contradiction = _contradiction(end, counted.summary())
    return claims


def _claim(line: VerdictLine) -> tuple[Key, Says]:
    return (line.adapter, line.suite, line.came_from), Says.of(line)


def _contradiction(end: SummaryLine, counted: SummaryLine) -> str:
    """Say where the last line is not what the others add up to; empty where it is."""
    if (end.exit, end.why) != (counted.exit, counted.why):
        told = f"its last line says: exit {end.exit}, {end.why}"
        return f"{told}; its other lines add up to: exit {counted.exit}, {counted.why}"
    if (end.selected, end.outcomes) != (counted.selected, counted.outcomes):
        return "its last line counts other outcomes than its verdicts have"
    return ""
