"""From one observation to its judgements: the requirement checks, then the reference, then what neither explains.

Enters: a prepared scenario, the raw log, the checks that hold here. Leaves: judgements. Must not know adapters or
files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from bindproof.core.model import REFERENCE_REQUIREMENT, Evidence, Json, Judgement
from bindproof.judge.match import compare
from bindproof.suites import Prepared

EVERY_LANE = "*"
"""The lane of an evidence that explains a difference in any lane."""


def judge(
    prepared: Prepared,
    log: list[Json],
    checks: Mapping[str, Callable[[Any], Sequence[Evidence] | None]],
    lane_of: Callable[[Json], str],
) -> tuple[Judgement, ...]:
    """Judge one log: a judgement for each check that applies, and one for the reference.

    A difference from the reference is explained when a failing check speaks of the same lane, or of every lane. One
    that is not breaks the built-in requirement: the spec has a hole, or the reference says too much.
    """
    seen, view = prepared.observe(log)
    judgements: list[Judgement] = []
    explained: set[str] = set()
    for requirement, check in checks.items():
        failures = check(view)
        if failures:
            judgements.append(Judgement(requirement, tuple(failures)))
            explained.update([evidence.lane for evidence in failures])
        elif failures is not None:
            judgements.append(_held(requirement))
    differences = [] if EVERY_LANE in explained else compare(prepared.prediction, seen, lane_of)
    unexplained = tuple([difference for difference in differences if difference.lane not in explained])
    judgements.append(Judgement(REFERENCE_REQUIREMENT, unexplained) if unexplained else _held(REFERENCE_REQUIREMENT))
    return tuple(judgements)


@cache
def _held(requirement: str) -> Judgement:
    """Return the judgement of a requirement that holds: the same value each time, because most of them hold."""
    return Judgement(requirement)
