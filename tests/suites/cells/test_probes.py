"""The probes of the code-mode host: each is accounted for, and what none of them judges says why not."""

from __future__ import annotations

from bindproof.spec.sources import read_sources
from tests.cells import SPEC

PROBES = [f"C{number}" for number in range(1, 34)]
RULES = {rule.place: rule for rule in read_sources(SPEC)[0] if rule.document == "observed"}


def test_each_probe_is_judged_by_a_requirement_or_says_why_not() -> None:
    assert [place for place in RULES if place.startswith("C")] == PROBES
    assert [place for place, rule in RULES.items() if not rule.requirements and not rule.open] == []
