"""From one observation to its judgements: the requirement checks, then the reference, then what neither explains.

Enters: a prepared scenario, the raw log, the checks that hold here. Leaves: judgements. Must not know adapters or
files.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from bindproof.core.errors import SuiteError
from bindproof.core.model import REFERENCE_REQUIREMENT, Evidence, Expect, Json, Judgement
from bindproof.judge.expected import failures_of
from bindproof.judge.explanation import unexplained
from bindproof.judge.log_differences import Comparison
from bindproof.judge.match import allows
from bindproof.suites import Lenient, Normalising, ObservationError, Prepared, UnfitError

Check = Callable[[Any], Sequence[Evidence] | None]

Expected = tuple[str, Expect]
"""A requirement, and what is expected under it."""


class UnreadableError(Exception):
    """An observation that the reference does not allow is one that a check, or what comes before, cannot read.

    It is wrong, and so is that we cannot say in which way; the message tells the exception.
    """


def judge(
    prepared: Prepared,
    log: list[Json],
    checks: Mapping[str, Check],
    lane_of: Callable[[Json], str],
    expected: Expected | None = None,
) -> tuple[Judgement, ...]:
    """Judge one log: a judgement for each check that applies, and one for the reference, where there is one.

    expected: what the scenario's vector says of its outcome, and the requirement under which that is judged.

    A difference from the reference is explained when a failing check speaks of its record (see `explaining`). One that
    is not breaks the built-in requirement: the spec has a hole, or the reference says too much.

    Raises ObservationError for a log that is none, UnreadableError for one that is unlawful beyond what can be read.
    Any other exception but MemoryError is a mistake of ours: the log is lawful.
    """
    try:
        observed = prepared.observe(log)
    except (ObservationError, SuiteError, MemoryError):
        raise
    except Exception as error:
        raise UnreadableError(f"the observation cannot be read: {_told(error)}") from error
    seen, reading = _pair(observed, prepared)
    judgements: list[Judgement] = []
    failing: list[Evidence] = []
    if expected is not None:
        name, outcome = expected
        unlike = failures_of(_normalised(outcome, prepared), seen, lane_of)
        checks = {**checks, name: _with_outcome(checks.get(name), unlike)}
    for requirement, check in checks.items():
        try:
            failures = check(reading)
        except Exception as error:
            if isinstance(error, MemoryError | SuiteError) or _is_lawful(prepared.prediction, seen, lane_of):
                raise
            raise UnreadableError(f"the check of {requirement} cannot be made: {_told(error)}") from error
        if failures:
            judgements.append(Judgement(requirement, tuple(failures)))
            failing += failures
        elif failures is not None:
            judgements.append(_held(requirement))
    if prepared.prediction.get("open"):
        return tuple(judgements)
    differences = _differences(prepared, seen, lane_of, failing)
    judgements.append(Judgement(REFERENCE_REQUIREMENT, differences) if differences else _held(REFERENCE_REQUIREMENT))
    return tuple(judgements)


def _pair(observed: Any, prepared: Prepared) -> tuple[list[Json], Any]:
    if not isinstance(observed, tuple) or len(observed) != 2 or not isinstance(observed[0], list):
        raise UnfitError(f"`observe` gives no log with what the checks are given: {observed!r:.100}", prepared.observe)
    return observed


def _normalised(outcome: Expect, prepared: Prepared) -> Expect:
    if isinstance(prepared, Normalising) and outcome.error is None:
        return Expect(prepared.normal(outcome.value))
    return outcome


def _with_outcome(check: Check | None, failures: Sequence[Evidence]) -> Check:
    """Return a check that finds what another does, where there is one, and these failures."""
    return lambda reading: [*((check(reading) or ()) if check else ()), *failures]


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


def _is_lawful(prediction: Json, seen: list[Json], lane_of: Callable[[Json], str]) -> bool:
    try:
        return allows(prediction, seen, lane_of)
    except Exception:
        return False


def _told(error: Exception) -> str:
    """Return an exception with the place that raised it, on one line."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({Path(last.filename).name}, line {last.lineno})"


def _unexplained(
    prediction: Json, seen: list[Json], lane_of: Callable[[Json], str], failing: list[Evidence]
) -> tuple[Evidence, ...]:
    """Return what differs from the reference and no failing check explains. Raises as `judge`."""
    try:
        if allows(prediction, seen, lane_of):
            return ()
        return unexplained((Comparison(prediction, seen, lane_of, first=first) for first in (False, True)), failing)
    except (MemoryError, SuiteError):
        raise
    except Exception as error:
        raise UnreadableError(f"the observation cannot be compared: {_told(error)}") from error


@cache
def _held(requirement: str) -> Judgement:
    """Return the judgement of a requirement that holds: the same value each time, because most of them hold."""
    return Judgement(requirement)
