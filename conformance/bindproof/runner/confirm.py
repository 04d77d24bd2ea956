"""Confirms unexpected failures: each is tried again alone, in fresh processes, before it is reported.

Enters: verdicts as they are reached. Leaves: their lines; those of unexpected failures last, the smallest of each kind
with `reproduced`; then the expectations that did not occur. One of the named loops around the drive.
"""

from __future__ import annotations

from msgspec.structs import replace

from bindproof.core.model import AdapterCommand, Verdict
from bindproof.core.request import RunRequest
from bindproof.core.smallest import size
from bindproof.drive import Answer, HardEnd, Limits, drive
from bindproof.results import TIMES, Emit
from bindproof.runner.assignment import Assignment
from bindproof.runner.budgets import within_budget
from bindproof.runner.loop import Judged, Progress


class Confirming:
    """The policy of a run of vectors: an unexpected failure waits until all are known, and is confirmed.

    Of the failures that break the same requirements unexpectedly on one adapter the smallest is tried again: it is the
    one that the report shows.
    """

    def __init__(self, request: RunRequest, limits: Limits, emit: Emit, progress: Progress) -> None:
        self._request, self._limits, self._emit, self._progress = request, limits, emit, progress
        self._assignments: dict[tuple[str, str], Assignment] = {}
        self._doubtful: list[Judged] = []

    def recall(self, assignment: Assignment, verdict: Verdict) -> None:
        """Note what occurred of the expectations."""
        self._assignments[assignment.adapter, assignment.setting.spec.name] = assignment
        assignment.expectations.see(verdict)

    def take(self, judged: Judged) -> None:
        """Emit a verdict's line, but for one that diverges as nothing expects."""
        self.recall(judged.assignment, judged.verdict)
        if _unexpected(judged):
            self._doubtful.append(replace(judged, verdict=within_budget(judged.verdict)))
        else:
            self._emit(judged.line(details=self._request.details))

    def finish(self) -> None:
        """Confirm what is doubtful and emit it, then the expectations that did not occur."""
        self._confirm()
        self.close()
        if self._request.fault is None and not self._request.requirements and self._request.shard is None:
            for assignment in self._assignments.values():
                for line in assignment.expectations.stale(assignment.adapter):
                    self._emit(line)

    def close(self) -> None:
        """Emit what is doubtful, as far as it is confirmed."""
        for judged in self._doubtful:
            self._emit(judged.line())
        self._doubtful.clear()

    def _confirm(self) -> None:
        if self._request.fault is not None:
            return
        # Whatever order several processes answered in.
        self._doubtful.sort(key=lambda one: (one.verdict.adapter, one.verdict.plan.id))
        smallest: dict[tuple[str, frozenset[str]], int] = {}
        sizes = [size(one.verdict.plan.scenario) for one in self._doubtful]
        for at, judged in enumerate(self._doubtful):
            key = judged.verdict.adapter, _unexpected(judged)
            if key not in smallest or sizes[at] < sizes[smallest[key]]:
                smallest[key] = at
        for number, at in enumerate(smallest.values(), 1):
            one = self._doubtful[at]
            self._progress(f"confirming {number} of {len(smallest)}: {one.verdict.plan.id} on {one.verdict.adapter}")
            verdict = confirm(one.assignment, one.command, one.verdict, self._limits)
            self._doubtful[at] = replace(one, verdict=verdict)


def _unexpected(judged: Judged) -> frozenset[str]:
    """Return the broken requirements that no expectation names."""
    if judged.verdict.outcome != "diverges":
        return frozenset()
    return frozenset(judged.verdict.broken).difference(judged.expected)


def confirm(
    assignment: Assignment, command: AdapterCommand, verdict: Verdict, limits: Limits, end: HardEnd | None = None
) -> Verdict:
    """Return the verdict with `reproduced`: `always`, `sometimes n/k`, or `in_company` when it never fails alone.

    end: what is not known by then is not said.
    """
    end, failed = end or HardEnd(), 0
    for _ in range(TIMES):
        failed += _again(assignment, command, verdict, limits, end)
        if end.passed:
            return verdict
    if failed == TIMES:
        return replace(verdict, reproduced="always")
    if failed:
        return replace(verdict, reproduced=f"sometimes {failed}/{TIMES}")
    leak = "it conforms alone in a fresh process: something of an earlier scenario was left behind"
    return replace(verdict, reproduced="in_company", reason=f"{verdict.reason}; {leak}")


def _again(assignment: Assignment, command: AdapterCommand, verdict: Verdict, limits: Limits, end: HardEnd) -> bool:
    job = assignment.alone(verdict.plan)
    for event in drive([(command, lambda info: [job])], limits, end=end):
        if isinstance(event, Answer):
            return assignment.again(verdict.plan, event).outcome != "conforms"  # a crash is no recovery
    return True
