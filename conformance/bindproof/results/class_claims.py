"""Which conformance classes adapters claim that nothing was judged of.

Enters: the lines of a log, in order. Leaves: names. Must not know how a verdict was reached.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from bindproof.results.lines import AdapterLine, ClassFacts, Line, RunLine, Speaks, VerdictLine


class Claimed:
    """Adds up a log line by line."""

    def __init__(self) -> None:
        self._run: RunLine | None = None
        self._adapters: dict[str, AdapterLine] = {}
        self._seen: defaultdict[str, set[str]] = defaultdict(set)

    def add(self, line: Line) -> None:
        """Takes the next line."""
        if isinstance(line, VerdictLine):
            seen = self._seen[line.adapter]
            seen.update(line.held)
            seen.update(one.requirement for one in line.broken)
            if line.expected_by is not None:
                seen.update(line.exercises)  # a crash that is known is a finding too
        elif isinstance(line, AdapterLine):
            self._adapters[line.name] = line
        elif isinstance(line, RunLine):
            self._run = line

    def unjudged(self) -> list[str]:
        """Return those claims, in words; none of a part of a run, which does not show what a target keeps."""
        if self._run is None or not self._run.request.whole:
            return []
        return [
            f"class {facts.name} of {name}"
            for name, line in self._adapters.items()
            for spoken in line.suites
            for facts in claims(self._run, spoken)
            if (asked := asked_of(self._run, spoken, facts)) and not self._seen[name].intersection(asked)
        ]


def claims(run: RunLine, spoken: Speaks) -> Iterator[ClassFacts]:
    """Yield the classes that an adapter claims of a suite, in the order in which it does."""
    classes = {one.name: one for suite in run.suites if suite.suite == spoken.suite for one in suite.classes}
    yield from (classes[name] for name in spoken.claims if name in classes)


def asked_of(run: RunLine, spoken: Speaks, facts: ClassFacts) -> list[str]:
    """Return the requirements of a class that hold in the edition and dialect in which an adapter is judged."""
    known = {one.id: one for suite in run.suites if suite.suite == spoken.suite for one in suite.requirements}
    return [
        name
        for name in facts.requirements
        if (one := known.get(name)) and one.untestable is None and one.applies(spoken.edition, spoken.dialect)
    ]
