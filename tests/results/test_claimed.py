"""A claim that no run judged has a whole run end with 3."""

from __future__ import annotations

import msgspec
import pytest

from bindproof.core.request import RunRequest
from bindproof.results import AdapterLine, Broken, ClassFacts, Fold, Line, RunLine, Speaks, SummaryLine, VerdictLine

OTHER = VerdictLine("relay/a", "relay", "a", "conforms", held=("OUT-001",))
HELD = VerdictLine("relay/b", "relay", "a", "conforms", held=("MRK-001",))
BROKEN = VerdictLine("relay/b", "relay", "a", "diverges", broken=(Broken("MRK-001", (), "shipped#1"),))
CRASH = VerdictLine("relay/b", "relay", "a", "crash", expected_by="shipped#2", exercises=("MRK-001",))
UNSUPPORTED = VerdictLine("relay/b", "relay", "a", "unsupported", exercises=("MRK-001",))


def ended(run: RunLine, *verdicts: VerdictLine, edition: str = "0.10", of: str = "MRK-001") -> SummaryLine:
    """How a run ends in which `a` claims a class of one requirement."""
    suite = msgspec.structs.replace(run.suites[0], classes=(ClassFacts("marks", "Marks", (of,)),))
    adapter = AdapterLine("a", "ready", suites=(Speaks("relay", edition, "python", len(verdicts), ("marks",)),))
    lines: list[Line] = [msgspec.structs.replace(run, suites=(suite,)), adapter, *verdicts]
    return Fold.over(lines).summary()


def test_a_claim_of_which_nothing_was_judged_ends_a_run(run_line: RunLine) -> None:
    summary = ended(run_line, OTHER, UNSUPPORTED)
    assert (summary.exit, summary.why) == (3, "nothing was judged of class marks of a, which it claims to keep")


@pytest.mark.parametrize("verdict", [HELD, BROKEN, CRASH], ids=["held", "known", "known crash"])
def test_what_was_seen_of_a_claim_is_enough(run_line: RunLine, verdict: VerdictLine) -> None:
    assert ended(run_line, OTHER, verdict).exit == 0


def test_a_claim_that_asks_for_nothing_in_the_edition_is_not_missed(run_line: RunLine) -> None:
    assert ended(run_line, OTHER, edition="0.9", of="MRK-002").exit == 0


def test_a_part_of_a_run_judges_no_claim(run_line: RunLine) -> None:
    run = msgspec.structs.replace(run_line, request=RunRequest(vectors=("relay/a",)))
    assert ended(run, OTHER).exit == 0
