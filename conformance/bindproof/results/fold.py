"""The exit code is a fold over the log.

Enters: the lines of a log, in order. Leaves: the summary line. Must not know how a verdict was reached; keeps counts
only, so that memory stays flat.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Final

from bindproof.core.counting import plural
from bindproof.core.model import ADAPTER_FAULTS
from bindproof.results.class_claims import Claimed
from bindproof.results.exercise import Exercise
from bindproof.results.lines import AdapterLine, Line, RunLine, StaleLine, SummaryLine, VerdictLine

EXIT_OK: Final = 0
EXIT_DIVERGENCE: Final = 1
EXIT_USAGE: Final = 2
EXIT_NOTHING_JUDGED: Final = 3
EXIT_ADAPTER_FAULT: Final = 4
EXIT_BUG: Final = 70
EXIT_INTERRUPTED: Final = 130

EXIT_ORDER: Final = (
    EXIT_BUG,
    EXIT_INTERRUPTED,
    EXIT_USAGE,
    EXIT_ADAPTER_FAULT,
    EXIT_DIVERGENCE,
    EXIT_NOTHING_JUDGED,
    EXIT_OK,
)
"""Of several exit codes the first in this order counts, as README says."""


def first_of(codes: Iterable[int]) -> int:
    """Return the one of several exit codes that counts; of none, that all is well."""
    return min(codes, key=EXIT_ORDER.index, default=EXIT_OK)


JUDGED = frozenset({"conforms", "diverges"})
"""The outcomes in which a binding's behaviour was seen and judged."""


class Fold:
    """Adds up a log line by line; `summary` closes it."""

    def __init__(self) -> None:
        self._adapters: dict[str, AdapterLine] = {}
        self._selected: dict[str, int] = {}
        self._outcomes: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._faults = 0
        self._divergences = 0
        self._unexplained = 0
        self._expected_faults: Counter[str] = Counter()
        self._stale = 0
        self._is_shard = False
        self._exercise = Exercise()
        self._claimed = Claimed()

    @classmethod
    def over(cls, lines: Iterable[Line]) -> Fold:
        """A fold that has taken all these lines."""
        fold = cls()
        for line in lines:
            fold.add(line)
        return fold

    def add(self, line: Line) -> None:
        """Takes the next line; a `summary` line changes nothing."""
        self._exercise.add(line)
        self._claimed.add(line)
        if isinstance(line, VerdictLine):
            self._add_verdict(line)
        elif isinstance(line, AdapterLine):
            self._adapters[line.name] = line
            if line.suites:
                self._selected[line.name] = sum(speaks.selected for speaks in line.suites)
        elif isinstance(line, StaleLine):
            self._stale += 1
        elif isinstance(line, RunLine):
            self._is_shard = line.request.shard is not None

    def _add_verdict(self, line: VerdictLine) -> None:
        self._outcomes[line.adapter][line.outcome] += 1
        self._expected_faults[line.adapter] += line.outcome in ADAPTER_FAULTS and line.expected_by is not None
        if line.unexpected:
            self._divergences += 1
        elif line.outcome in ADAPTER_FAULTS and line.expected_by is None:
            self._faults += 1
        elif line.demanded or (line.outcome == "not_run" and line.expected_by is None):
            self._unexplained += 1

    @property
    def mismatch(self) -> str | None:
        """The adapters whose verdicts are not as many as their selected scenarios, in words; None when all agree."""
        wrong = [
            f"{name}: {self._selected.get(name, 0)} selected, {judged} verdicts"
            for name in sorted(self._selected.keys() | self._outcomes.keys())
            if (judged := self._outcomes.get(name, Counter()).total()) != self._selected.get(name, 0)
        ]
        return "; ".join(wrong) or None

    def summary(self, *, interrupted: bool = False, bug: str | None = None, usage: str | None = None) -> SummaryLine:
        """The last line of the log.

        Args:
            interrupted: the user stopped the run; verdicts may then be missing.
            bug: the text of an exception of ours that ended the run.
            usage: the text of a usage error that ended the run.
        """
        code, why = self._exit(interrupted, bug, usage)
        return SummaryLine(
            exit=code,
            why=why,
            selected=sum(self._selected.values()),
            outcomes={name: dict(sorted(counts.items())) for name, counts in sorted(self._outcomes.items())},
            interrupted=interrupted,
            bug=bug,
        )

    def _exit(self, interrupted: bool, bug: str | None, usage: str | None) -> tuple[int, str]:
        """The first that applies, in the order that docs and README give."""
        reasons = (
            (EXIT_BUG, self._our_bug(bug, whole=not (interrupted or usage))),
            (EXIT_INTERRUPTED, "interrupted; what was judged so far is kept" if interrupted else None),
            (EXIT_USAGE, usage),
            (EXIT_ADAPTER_FAULT, self._adapter_fault()),
            (EXIT_DIVERGENCE, self._divergence()),
            (EXIT_NOTHING_JUDGED, self._nothing_judged()),
        )
        return next(((code, why) for code, why in reasons if why is not None), (EXIT_OK, "everything is as expected"))

    def _our_bug(self, bug: str | None, *, whole: bool) -> str | None:
        if bug is not None:
            return "bindproof itself failed"
        harness_errors = self._count("harness_error")
        if harness_errors:
            return f"bindproof itself failed on {plural(harness_errors, 'scenario')}"
        if whole and self.mismatch is not None:
            return f"bindproof lost count of its scenarios ({self.mismatch})"
        return None

    def _adapter_fault(self) -> str | None:
        failed = [a.name for a in self._adapters.values() if a.state == "failed"]
        parts = [f"adapter {', '.join(failed)} failed"] if failed else []
        if self._faults:
            parts.append(f"{plural(self._faults, 'scenario')} ended in a fault of the adapter")
        return "; ".join(parts) or None

    def _divergence(self) -> str | None:
        parts = []
        if self._divergences:
            parts.append(f"{plural(self._divergences, 'scenario')} diverged unexpectedly")
        if self._unexplained:
            parts.append(f"{plural(self._unexplained, 'scenario')} that should have been judged could not be")
        if (short := self._exercise.short()) and not self._is_shard:
            parts.append(f"too few scenarios exercised {', '.join(short)}")
        if self._stale:
            parts.append(f"{plural(self._stale, 'expectation')} did not occur")
        return "; ".join(parts) or None

    def _nothing_judged(self) -> str | None:
        missing = [a.name for a in self._adapters.values() if a.state == "unavailable" and a.required]
        if missing:
            return f"adapter {', '.join(missing)} was named and is unavailable"
        if self._is_shard:  # few vectors on many machines leave some of them nothing; the merged log is held to account
            return None
        idle = [one for one in self._adapters.values() if one.state == "ready" and not self._has_judged(one.name)]
        if not any(map(self._has_judged, self._adapters)):
            return self._why_nothing()
        named = [" ".join((one.name, *(f"({note})" for note in one.notes))) for one in idle if one.required]
        if named:
            return f"nothing was judged of adapter {', '.join(named)}, which was named"
        claimed = self._claimed.unjudged()
        return f"nothing was judged of {', '.join(claimed)}, which it claims to keep" if claimed else None

    def _has_judged(self, adapter: str) -> bool:
        """Tell whether anything came to a judgement; a fault that was expected is a finding too."""
        return any(self._outcomes[adapter][outcome] for outcome in JUDGED) or self._expected_faults[adapter] > 0

    def _why_nothing(self) -> str:
        if not any(adapter.state == "ready" for adapter in self._adapters.values()):
            return "nothing was judged: no adapter is ready"
        if not any(self._selected.values()):
            what = "no scenario that you chose is meant for the edition and dialect of the adapter"
            return f"nothing was judged: {what}; choose another adapter, --requirement or --vector"
        return "nothing was judged: no scenario that ran came to a judgement"

    def _count(self, outcome: str) -> int:
        return sum(counts[outcome] for counts in self._outcomes.values())
