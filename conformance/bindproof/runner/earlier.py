"""What a run that was cut short has left: the verdicts that stand, and what has to be done again.

Enters: the log of such a run. Leaves: its first line, its adapters, the verdicts that a run to the end would give too.
Must not know how the rest is done.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from msgspec import Struct

from bindproof.core.errors import LogError, UsageError
from bindproof.core.origins import Origin, TwinOf, name_of
from bindproof.results import AdapterLine, Fold, Line, RunLine, SummaryLine, VerdictLine, joined, read
from bindproof.results.fold import EXIT_USAGE
from bindproof.runner.shards import difference

Scenario = tuple[str, str, Origin]
"""What a verdict is on: an adapter, a suite, and where the scenario comes from."""


TOLD = {
    "target": "what it drives",
    "version": "version",
    "suites": "what it is judged on",
    "files": "the files of its package",
    "program": "its own code",
}
"""What an adapter has to be as it was for a run to go on: fields of its line, and what they are called."""


class Earlier(Struct, frozen=True):
    """A run that was cut short."""

    path: Path
    run: RunLine
    """Its first line."""
    adapters: dict[str, AdapterLine]
    """The last state of each."""
    verdicts: tuple[VerdictLine, ...]
    """Those that stand; an unexpected divergence does not, because it is confirmed, and the smallest of its kind
    chosen, only when all are known; nor does one that shows a finding of a campaign, which is found anew."""
    ended: bool
    """It came to its end; whoever wrote it was stopped just after."""

    @property
    def lines(self) -> list[Line]:
        """What the log of the run that goes on begins with."""
        return [self.run, *self.adapters.values(), *self.verdicts]

    def hold_same(self, now: RunLine) -> None:
        """Raise LogError when a run that starts now would not be the same one."""
        what = difference(self.run, now)
        if what is not None:
            raise LogError(self.path, 1, f"it cannot be continued, {what}; start the run anew")

    def hold_same_adapter(self, now: AdapterLine, *, selected: bool = True) -> bool:
        """Tell whether the log knows this adapter just so; raises UsageError when it is another one by now.

        selected: whether it is to be given as many scenarios, too; where the time decides it is not.
        """
        before = self.adapters.get(now.name)
        if before is None or before.state == "unavailable":
            return before == now
        if now.state == "unavailable":
            raise UsageError(f"adapter {now.name} was there when the run began and is not now: {now.reason}")
        for field, what in TOLD.items():
            if _said(before, field, selected) != _said(now, field, selected):
                changed = f"adapter {now.name} has changed since the run began: {what}"
                raise UsageError(f"{changed}; start the run anew, or give the adapter back that its log is of")
        return True

    def hold_all_asked_for(self, adapter: str, left: Collection[tuple[str, Origin]]) -> None:
        """Raise LogError where verdicts are left that no scenario of the run is asked for by."""
        for suite, origin in left:
            what = f"it has a verdict of {adapter} on {name_of(origin)}, which is no scenario of {suite} in this run"
            raise LogError(self.path, None, f"{what}; start the run anew")

    def verdicts_of(self, adapter: str) -> dict[tuple[str, Origin], VerdictLine]:
        """Return the verdicts that stand for one adapter, by suite and origin."""
        return {(line.suite, line.came_from): line for line in self.verdicts if line.adapter == adapter}


def _said(line: AdapterLine, field: str, selected: bool) -> object:
    if field == "suites" and not selected:
        return [(one.suite, one.edition, one.dialect) for one in line.suites]
    return getattr(line, field)


def earlier(path: Path) -> Earlier:
    """Read the log of a run that was cut short, also one whose last line is; raises LogError when it is none."""
    ended = False
    adapters: dict[str, AdapterLine] = {}
    verdicts: dict[Scenario, VerdictLine] = {}
    log = read(path, cut_short=True)
    counted = Fold()
    for line in log:
        counted.add(line)
        if isinstance(line, AdapterLine):
            adapters[line.name] = joined(adapters.get(line.name), line)
        elif isinstance(line, VerdictLine):
            verdicts[line.adapter, line.suite, line.came_from] = line
        elif isinstance(line, SummaryLine):
            ended = _came_to_its_end(line)
    if ended and counted.mismatch is not None:
        raise LogError(path, None, f"it is not as it was written ({counted.mismatch}); start the run anew")
    open_again = {key for key, line in verdicts.items() if line.unexpected or line.found}
    negatives = {(*of, origin.negative) for *of, origin in open_again if isinstance(origin, TwinOf)}
    stand = tuple(line for key, line in verdicts.items() if key not in open_again | negatives)
    return Earlier(path, log.run, adapters, stand, ended)


def _came_to_its_end(summary: SummaryLine) -> bool:
    return not (summary.interrupted or summary.bug is not None or summary.exit == EXIT_USAGE)
