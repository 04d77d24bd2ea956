"""Makes small what a campaign finds, as soon as it is found.

Enters: verdicts as they are reached. Leaves: their lines, each after the findings that it is the first to show; vectors
where they are to be saved.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from bindproof.core.errors import SuiteError
from bindproof.core.model import Verdict
from bindproof.drive import HardEnd, Limits
from bindproof.results import Emit
from bindproof.runner.assignment import Assignment
from bindproof.runner.campaign.findings import Findings
from bindproof.runner.campaign.saving import saved
from bindproof.runner.loop import Judged, Progress
from bindproof.suites.mistakes import telling_mistakes


class Shrinking:
    """The policy of a campaign.

    end: what is found is as small as it is by then. save: a folder for what is found, None: it stands in the log alone.
    """

    def __init__(self, limits: Limits, end: HardEnd, save: Path | None, emit: Emit, progress: Progress) -> None:
        self._findings, self._save, self._emit = Findings(limits, end, progress), save, emit

    def recall(self, assignment: Assignment, verdict: Verdict) -> None:
        """Nothing is to be done: what was found is found again."""

    def take(self, judged: Judged) -> None:
        """Emit what is found, then the verdict's line, without what was seen and allowed: its scenario makes both.

        A mistake in the suite's code leaves it as large as it is by then, and is told at the end of the run.
        """
        line = msgspec.structs.replace(judged.line(), observation=None, prediction=None)
        found: list[str] = []
        try:
            with telling_mistakes():
                found = self._findings.of(judged.assignment, judged.command, judged.verdict)
        except SuiteError as error:
            judged.assignment.mistake = judged.assignment.mistake or error
        finally:
            for fresh in self._findings.taken():
                self._emit(fresh if self._save is None else saved(fresh, self._save))
            self._emit(msgspec.structs.replace(line, found=tuple(found)) if found else line)

    def finish(self) -> None:
        """Nothing is left to do."""

    def close(self) -> None:
        """Nothing was kept."""
