"""Which differences from the reference a failing check explains: those in the records that its evidence speaks of.

Enters: evidence of failing checks, differences. Leaves: the differences that nothing explains. Judges nothing.

| evidence has | it speaks of |
|-|-|
| `record`, `also` | these records; with `at`, of the first one what is at that place and below |
| `about` | what is missing or too much of what these names name, in its lane, with EVERY_LANE in all |
| no `record` and no `about` | what is missing in its lane |
| EVERY_LANE and no `about` | all of the step that its `record` belongs to |
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bindproof.core.model import EVERY_LANE, Evidence
from bindproof.judge.log_differences import Comparison, Discrepancy


def unexplained(comparisons: Iterable[Comparison], failures: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Return the differences that no failure explains.

    comparisons: readings of one log, which differ in which of its identities is right. Of them the one counts of which
    least is left: where a failing check says which identity is wrong, the others are right. They are read one by one,
    and no more where nothing is left.
    """
    best: tuple[Evidence, ...] | None = None
    for one in comparisons:
        left = _left(one, failures)
        if not left:
            return ()
        best = left if best is None or len(left) < len(best) else best
    return best or ()


def _left(comparison: Comparison, failures: Sequence[Evidence]) -> tuple[Evidence, ...]:
    return tuple(
        [
            one.evidence
            for one in comparison.found
            if not any(_explains(failure, one, comparison) for failure in failures)
        ]
    )


def _explains(failure: Evidence, found: Discrepancy, comparison: Comparison) -> bool:
    return _of_its_records(failure, found) or _of_its_names(failure, found, comparison)


def _of_its_records(failure: Evidence, found: Discrepancy) -> bool:
    if failure.record is not None and failure.record in found.involved:
        return failure.record != found.evidence.record or _touch(failure.at, found.evidence.at)
    return not found.involved.isdisjoint(failure.also)


def _touch(one: str, other: str) -> bool:
    """Tell whether one of two pointers is at or below the other."""
    return f"{one}/".startswith(f"{other}/") or f"{other}/".startswith(f"{one}/")


def _of_its_names(failure: Evidence, found: Discrepancy, comparison: Comparison) -> bool:
    difference = found.evidence
    everywhere = failure.lane == EVERY_LANE
    if not everywhere and failure.lane != difference.lane:
        return False
    if failure.about:
        return not found.changed and not set(failure.about).isdisjoint(difference.about)
    if not everywhere:
        return failure.record is None and difference.record is None
    if not difference.about:
        return not comparison.placed or (not found.changed and bool(found.involved))
    own = comparison.steps(failure.record) if failure.record is not None else set()
    return not own or not own.isdisjoint(difference.about)
