"""Findings that look alike are one, with the others beside it."""

from __future__ import annotations

import io
from typing import Any

from msgspec.structs import replace

from bindproof.core.likeness import shape_of
from bindproof.core.model import Evidence
from bindproof.report.digest import Digest
from bindproof.report.findings import groups, print_findings
from bindproof.report.printing import console_on
from bindproof.results import FindingLine

Json = Any


def finding(number: int, scenario: Json, observed: Json = 2, breaks: str = "ABC-001") -> FindingLine:
    failure = Evidence("program", "another value came out", 0, 1, observed, "/value")
    return FindingLine(f"s/found/{number}", "s", "a", "diverges", f"generated/0/{number}", scenario, breaks, (failure,))


FINDINGS = [
    finding(1, {"text": "longer"}),
    finding(2, {"text": "b"}),
    finding(3, {"text": "c"}, observed="a text"),
    finding(4, {"text": "d"}, breaks="ABC-002"),
    finding(5, {"text": "long"}),
]


def test_the_smallest_of_those_that_look_alike_comes_first() -> None:
    assert [[one.id[-1] for one in group] for group in groups(FINDINGS)] == [["2", "5", "1"], ["3"], ["4"]]


def test_what_has_the_cause_of_another_stands_beside_it_and_true_and_false_are_one() -> None:
    wrong = finding(1, {"text": "a"}, observed=True), finding(2, {"text": "bb"}, observed=False)
    within = replace(finding(3, {"text": "ccc"}, observed="a text"), cause=shape_of(wrong[0].failures[0]))
    assert [[one.id[-1] for one in group] for group in groups([*wrong, within])] == [["1", "2", "3"]]


def test_twenty_of_one_cause_are_one_with_the_others_beside_it() -> None:
    digest = Digest()
    digest.findings = [finding(number, {"text": number * "x"}) for number in range(1, 21)]
    stream = io.StringIO()
    print_findings(console_on(stream), digest, {})
    text = stream.getvalue()
    assert text.count("another value came out") == 1
    assert "19 more findings that look like it" in text
