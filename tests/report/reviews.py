"""Reviewers' pages of texts that try to be more than text."""

from __future__ import annotations

import io

from bindproof.evolve.gate import Fault
from bindproof.evolve.review import Evidence, Review, Row
from bindproof.report.review import write_page
from bindproof.spec.problem import Problem
from tests.report.hostile import EVIL


def page_of(review: Review, *, with_runs: bool = True) -> str:
    """The page of one step."""
    stream = io.StringIO()
    write_page([review], stream, with_runs=with_runs)
    return stream.getvalue()


def hostile_review() -> str:
    """A page in which everything that it shows is as bad as it can be."""
    row = Row(
        EVIL,
        EVIL,
        EVIL,
        EVIL,
        True,
        (Evidence(EVIL, "breaking", "WITNESS", EVIL, EVIL), Evidence(EVIL, "unknown", "UNKNOWN", EVIL, "")),
        EVIL,
        ((EVIL, EVIL),),
        ((EVIL, EVIL),) * 7,
        {EVIL: "becomes non-conformant", f"x{EVIL}": "keeps it"},
    )
    bare = Row(EVIL, EVIL, EVIL, EVIL, False, (Evidence(EVIL, "safe", "PROVED", EVIL, ""),), "", (), (), None)
    fault = Fault(Problem(EVIL, 1, EVIL), EVIL)
    return page_of(Review(EVIL, EVIL, (fault,), (row, bare), {EVIL: (EVIL,)}, (EVIL,), (EVIL,)))
