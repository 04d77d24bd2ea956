"""Scenarios in, observations out: schedule, deadlines, restarts and blame for all adapters of a run.

Enters: adapter commands and jobs. Leaves: `Ready`, `Answer`, `Unanswered` and `Failed`. Must not know suites or
judging.
"""

from __future__ import annotations

from bindproof.drive.loop import drive
from bindproof.drive.values import Answer, Failed, HardEnd, Job, Limits, Pause, Ready, Unanswered

__all__ = ["Answer", "Failed", "HardEnd", "Job", "Limits", "Pause", "Ready", "Unanswered", "drive"]
