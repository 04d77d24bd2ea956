"""How many generated scenarios exercised what."""

from __future__ import annotations

import msgspec

from bindproof.core.origins import Generated
from bindproof.core.request import Campaign, RunRequest
from bindproof.results import AdapterLine, Broken, Fold, Line, RunLine, Speaks, VerdictLine
from bindproof.results.exercise import Exercise


def log(run_line: RunLine, minimum: int = 0) -> list[Line]:
    return [
        msgspec.structs.replace(run_line, request=RunRequest(campaign=Campaign(minimum=minimum))),
        AdapterLine("node", "ready", suites=(Speaks("relay", "0.9", "node", 4),)),
        AdapterLine("reference", "ready", suites=(Speaks("relay", "0.10", "wire", 0),)),
        VerdictLine("generated/0/0", "relay", "node", "conforms", held=("OUT-001", "MRK-001"), origin=Generated(0, 0)),
        VerdictLine(
            "generated/0/1",
            "relay",
            "node",
            "diverges",
            held=("OUT-001",),
            broken=(Broken("DLC-001", (), "x"),),
            origin=Generated(0, 1),
        ),
        VerdictLine("relay/marks/one", "relay", "node", "conforms", held=("OUT-001",)),
        VerdictLine("generated/0/2", "generated", "node", "conforms", held=("OUT-001",)),
    ]


def test_held_and_broken_count_in_generated_scenarios_alone(run_line: RunLine) -> None:
    exercise = Exercise()
    for line in log(run_line):
        exercise.add(line)
    assert exercise.adapters == ["node"]
    assert {facts.id: counts for facts, counts in exercise.rows()} == {"OUT-001": [2], "MRK-001": [1], "DLC-001": [1]}


def test_what_is_exercised_too_little_is_red_where_that_is_asked_for(run_line: RunLine) -> None:
    assert Fold.over(log(run_line)).summary().exit == 0
    assert Fold.over(log(run_line, minimum=1)).summary().exit == 0
    summary = Fold.over(log(run_line, minimum=2)).summary()
    assert summary.exit == 1
    assert summary.why == "too few scenarios exercised MRK-001 on node (1 of 2), DLC-001 on node (1 of 2)"
