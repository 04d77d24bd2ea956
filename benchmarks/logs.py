"""Logs of any size, made up: what costs something in a report is how much there is, and not what it says.

Enters: sizes. Leaves: the lines of a log.
"""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Evidence
from bindproof.results import (
    FORMAT,
    AdapterLine,
    Broken,
    Fold,
    Line,
    RequirementFacts,
    RunLine,
    Speaks,
    SuiteFacts,
    VerdictLine,
)

CHAPTERS = 12
EDITION = "0.10"

SCENARIO = {
    "steps": [
        {"step": "register", "family": "subscriber", "name": "s", "as": "s"},
        {"step": "call", "name": "gpt", "kind": "llm", "as": "c", "request": {"headers": {}, "content": {"n": 1}}},
    ]
}
SEEN = [
    {"fact": "done", "step": "s", "value": None},
    {"fact": "enter", "callback": "c.provider", "k": 0, "given": {"request": {"headers": {}, "content": {"n": 1}}}},
    {"fact": "leave", "callback": "c.provider", "k": 0, "reply": {"ok": True}},
    {"fact": "event", "subscriber": "s", "event": {"kind": "scope", "scope_category": "start", "name": "gpt"}},
    {"fact": "event", "subscriber": "s", "event": {"kind": "scope", "scope_category": "end", "name": "gpt"}},
    {"fact": "done", "step": "c", "value": {"ok": True}},
]
DUE = {
    "lanes": {
        "program": [*SEEN[:3], SEEN[5]],
        "s": [SEEN[3], {"fact": "event", "subscriber": "s", "event": {"kind": "mark", "name": "m"}}, SEEN[4]],
    }
}


def requirements(count: int) -> tuple[RequirementFacts, ...]:
    """Return so many requirements, in chapters."""
    levels = ("MUST", "MUST", "SHOULD", "MAY")
    return tuple(
        RequirementFacts(
            f"REQ-{number:03}",
            levels[number % len(levels)],
            f"What number {number} is about",
            f"The runtime does what number {number} says, each time, and tells each subscriber of it once.",
            f"Chapter {number * CHAPTERS // count + 1}",
            (EDITION,),
        )
        for number in range(count)
    )


def lines(targets: int, rules: int, verdicts: int, *, diverging: int = 50) -> Iterator[Line]:
    """Yield the lines of a log. diverging: about so many verdicts diverge, no two of one requirement and target."""
    facts = requirements(rules)
    names = [f"target-{number}" for number in range(targets)]
    each = verdicts // targets
    run = RunLine(
        format=FORMAT,
        bindproof="0.1.0",
        python="3.11.7",
        platform="linux",
        spec="ab" * 32,
        started="2026-01-02T03:04:05+00:00",
        suites=(SuiteFacts("relay", facts),),
        adapters=tuple(names),
    )
    fold = Fold()
    every = max(1, verdicts // diverging) if diverging else verdicts + 1
    number = 0
    for name in ("", *names):
        if not name:
            fold.add(run)
            yield run
            continue
        adapter = AdapterLine(name, "ready", target=name, version="1", suites=(Speaks("relay", EDITION, "wire", each),))
        fold.add(adapter)
        yield adapter
        for scenario in range(each):
            number += 1
            rule = facts[scenario % rules].id
            line = (
                _diverging(name, scenario, rule)
                if number % every == 0
                else VerdictLine(f"relay/chapter/scenario-{scenario}", "relay", name, "conforms", held=(rule,))
            )
            fold.add(line)
            yield line
    yield fold.summary()


def _diverging(name: str, scenario: int, rule: str) -> VerdictLine:
    failure = Evidence("s", "a mark is missing", 4, ["start", "mark", "end"], ["start", "end"])
    return VerdictLine(
        f"relay/chapter/scenario-{scenario}",
        "relay",
        name,
        "diverges",
        title=f"A call, told of once, number {scenario}",
        broken=(Broken(rule, (failure, failure)),),
        scenario=SCENARIO,
        observation=SEEN,  # type: ignore[arg-type]
        prediction=DUE,
        reproduced="always",
    )
