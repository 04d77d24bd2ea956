"""How many generated scenarios exercised each requirement on each adapter, and whether these are enough.

Enters: the lines of a log, in order. Leaves: counts. Must not know how a verdict was reached.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from bindproof.core.origins import Generated
from bindproof.results.lines import AdapterLine, Line, RequirementFacts, RunLine, VerdictLine


class Exercise:
    """Adds up a log line by line."""

    def __init__(self) -> None:
        self._run: RunLine | None = None
        self._adapters: dict[str, AdapterLine] = {}
        self._counts: dict[str, Counter[str]] = {}

    def add(self, line: Line) -> None:
        """Takes the next line."""
        if isinstance(line, VerdictLine):
            if isinstance(line.origin, Generated):
                counts = self._counts.setdefault(line.adapter, Counter())
                counts.update(line.held)
                counts.update([one.requirement for one in line.broken])
        elif isinstance(line, AdapterLine):
            self._adapters[line.name] = line
        elif isinstance(line, RunLine):
            self._run = line

    @property
    def adapters(self) -> list[str]:
        """The adapters that were sent generated scenarios."""
        return [name for name in self._adapters if name in self._counts]

    def rows(self) -> Iterator[tuple[RequirementFacts, list[int | None]]]:
        """Yield each requirement with its count on each adapter, None where it does not apply."""
        for suite in self._run.suites if self._run is not None else ():
            for facts in suite.requirements:
                if facts.selected and facts.untestable is None:
                    counts = [self._count(adapter, suite.suite, facts) for adapter in self.adapters]
                    if any(count is not None for count in counts):
                        yield facts, counts

    def short(self) -> list[str]:
        """Return the requirements that too few scenarios exercised, each with the adapter and the count."""
        campaign = self._run.request.campaign if self._run is not None else None
        minimum = campaign.minimum if campaign is not None else 0
        return [
            f"{facts.id} on {adapter} ({count} of {minimum})"
            for facts, counts in (self.rows() if minimum else ())
            for adapter, count in zip(self.adapters, counts, strict=True)
            if count is not None and count < minimum
        ]

    def _count(self, adapter: str, suite: str, facts: RequirementFacts) -> int | None:
        spoken = [one for one in self._adapters[adapter].suites if one.suite == suite]
        if not any(facts.applies(one.edition, one.dialect) for one in spoken):
            return None
        return self._counts[adapter][facts.id]
