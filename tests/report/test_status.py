"""What one scenario's verdict makes of the requirements that it is about."""

from __future__ import annotations

import pytest

from bindproof.core.model import VerdictOutcome
from bindproof.report.digest import Digest, Status
from bindproof.results import AdapterLine, Line, RunLine, Speaks, VerdictLine

ABOUT = ("MRK-001",)


def status(run_line: RunLine, *verdicts: VerdictLine) -> Status:
    """The status of MRK-001 on node after these verdicts."""
    ready = AdapterLine("node", "ready", target="n", version="1", suites=(Speaks("relay", "0.10", "node", 1),))
    lines: list[Line] = [run_line, ready, *verdicts]
    digest = Digest()
    for line in lines:
        digest.add(line)
    return digest.status("node", "MRK-001")


@pytest.mark.parametrize(
    ("outcome", "expected_by", "found"),
    [
        ("unsupported", None, "unsupported"),
        ("inexpressible", None, "inexpressible"),
        ("crash", "its process ends", "lost"),
        ("timeout", "it hangs", "lost"),
        ("crash", None, "not exercised"),
        ("not_run", None, "not exercised"),
    ],
)
def test_what_was_not_judged(
    run_line: RunLine, outcome: VerdictOutcome, expected_by: str | None, found: Status
) -> None:
    line = VerdictLine("relay/a", "relay", "node", outcome, exercises=ABOUT, expected_by=expected_by)
    assert status(run_line, line) == found


def test_a_scenario_that_ran_counts_before_one_that_is_lost(run_line: RunLine) -> None:
    lost = VerdictLine("relay/a", "relay", "node", "crash", exercises=ABOUT, expected_by="its process ends")
    held = VerdictLine("relay/b", "relay", "node", "conforms", held=ABOUT)
    assert status(run_line, lost, held) == status(run_line, held, lost) == "held"
