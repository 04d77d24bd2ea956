"""Verdicts of a log that are held against expectations again.

Enters: verdict lines. Leaves: the same lines, with what is known of each looked up anew.
Must not know how a verdict was reached.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from bindproof.core.model import ADAPTER_FAULTS, Verdict
from bindproof.core.origins import FromFile, FromVector, Origin, TwinOf
from bindproof.results import VerdictLine, verdict_of
from bindproof.runner.known_divergences import Expectations


class Known:
    """What is known of one adapter, and which of it occurred: takes all its verdicts of one suite.

    twins: the verdicts of positive twins that did not conform. A log may have them after their negatives.
    """

    def __init__(self, expectations: Expectations, twins: Mapping[TwinOf, VerdictLine]) -> None:
        self.expectations = expectations
        self._twins = twins

    def held_against(self, line: VerdictLine) -> VerdictLine:
        """Return the line with the expectations that name it, and note which of them occurred."""
        verdict = replace(verdict_of(line), expected_by=None)
        self.expectations.see(verdict)
        named = self.expectations.of_failures(verdict)
        return replace(
            line,
            broken=tuple([replace(one, expected_by=named.get(one.requirement)) for one in line.broken]),
            expected_by=self._of_the_whole(verdict),
        )

    def _of_the_whole(self, verdict: Verdict) -> str | None:
        twin = self._twin(verdict.plan.origin)
        if verdict.outcome == "not_run" and twin is not None:
            return self.expectations.of_twin(verdict_of(twin))
        return self.expectations.of_outcome(verdict) if verdict.outcome in ADAPTER_FAULTS else None

    def _twin(self, origin: Origin) -> VerdictLine | None:
        return self._twins.get(TwinOf(origin)) if isinstance(origin, FromVector | FromFile) else None
