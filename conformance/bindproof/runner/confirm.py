"""Confirms unexpected failures: each is tried again alone, in fresh processes, before it is reported.

Enters: an assignment and its unexpected verdicts. Leaves: the same verdicts with `reproduced`. One of the named loops
around the drive.
"""

from __future__ import annotations

from dataclasses import replace

from bindproof.core.model import AdapterCommand, Verdict
from bindproof.drive import Answer, Limits, drive
from bindproof.runner.assignment import Assignment

TIMES = 3
"""How often a failure is tried again."""


def confirm(assignment: Assignment, command: AdapterCommand, verdict: Verdict, limits: Limits) -> Verdict:
    """Return the verdict with `reproduced`: `always`, `sometimes n/k`, or `in_company` when it never fails alone."""
    failed = sum(_again(assignment, command, verdict, limits) for _ in range(TIMES))
    if failed == TIMES:
        return replace(verdict, reproduced="always")
    if failed:
        return replace(verdict, reproduced=f"sometimes {failed}/{TIMES}")
    leak = "it conforms alone in a fresh process: something of an earlier scenario was left behind"
    return replace(verdict, reproduced="in_company", reason=f"{verdict.reason}; {leak}")


def _again(assignment: Assignment, command: AdapterCommand, verdict: Verdict, limits: Limits) -> bool:
    job = assignment.alone(verdict.plan)
    for event in drive([(command, lambda info: [job])], limits):
        if isinstance(event, Answer):
            return assignment.again(verdict.plan, event).outcome != "conforms"  # a crash is no recovery
    return True
