"""From one observation to its judgements: the requirement checks, then the reference, then what neither explains.

Enters: a prepared scenario, the raw log, the checks that hold here. Leaves: judgements. Must not know adapters or
files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any

from bindproof.core.model import REFERENCE_REQUIREMENT, Evidence, Json, Judgement
from bindproof.judge.explanation import unexplained
from bindproof.judge.log_differences import Comparison
from bindproof.judge.match import allows
from bindproof.suites import Lenient, Prepared


def judge(
    prepared: Prepared,
    log: list[Json],
    checks: Mapping[str, Callable[[Any], Sequence[Evidence] | None]],
    lane_of: Callable[[Json], str],
) -> tuple[Judgement, ...]:
    """Judge one log: a judgement for each check that applies, and one for the reference.

    A difference from the reference is explained when a failing check speaks of its record (see `explaining`). One that
    is not breaks the built-in requirement: the spec has a hole, or the reference says too much.
    """
    seen, reading = prepared.observe(log)
    judgements: list[Judgement] = []
    failing: list[Evidence] = []
    for requirement, check in checks.items():
        failures = check(reading)
        if failures:
            judgements.append(Judgement(requirement, tuple(failures)))
            failing += failures
        elif failures is not None:
            judgements.append(_held(requirement))
    differences = _differences(prepared, seen, lane_of, failing)
    judgements.append(Judgement(REFERENCE_REQUIREMENT, differences) if differences else _held(REFERENCE_REQUIREMENT))
    return tuple(judgements)


def _differences(
    prepared: Prepared, seen: list[Json], lane_of: Callable[[Json], str], failing: list[Evidence]
) -> tuple[Evidence, ...]:
    """Return the differences from the reference that no failure explains.

    Where something was accepted that had to be refused, and the suite knows what follows from that, then they are those
    from what follows: the failure explains that it was accepted, and nothing else.
    """
    accepted = frozenset(chain.from_iterable(failure.accepted for failure in failing))
    other = prepared.accepting(accepted) if accepted and isinstance(prepared, Lenient) else None
    if other is None:
        return _unexplained(prepared.prediction, seen, lane_of, failing)
    return _unexplained(other, seen, lane_of, [failure for failure in failing if not failure.accepted])


def _unexplained(
    prediction: Json, seen: list[Json], lane_of: Callable[[Json], str], failing: list[Evidence]
) -> tuple[Evidence, ...]:
    if allows(prediction, seen, lane_of):
        return ()
    return unexplained((Comparison(prediction, seen, lane_of, first=first) for first in (False, True)), failing)


@cache
def _held(requirement: str) -> Judgement:
    """Return the judgement of a requirement that holds: the same value each time, because most of them hold."""
    return Judgement(requirement)
