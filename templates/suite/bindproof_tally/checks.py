"""The requirements as predicates: None where one does not apply, else what fails, in an empty list nothing.

They are written from the chapter's words and never call the reference: two judges that find each other's mistakes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from bindproof.suite_api import Evidence
from bindproof_tally.observation import Done, Reading

Check = Callable[[Reading], Sequence[Evidence] | None]

CHECKS: dict[str, Check] = {}


def check(requirement: str) -> Callable[[Check], Check]:
    """Make a function the check of a requirement."""
    return lambda function: CHECKS.setdefault(requirement, function)


@check("TAL-001")
def adds(reading: Reading) -> list[Evidence] | None:
    """Adding makes the total that much larger."""
    steps = reading.of("add")
    return list(_unlike(steps, [step.before + step.number for step in steps])) if steps else None


@check("TAL-002")
def stops_at_zero(reading: Reading) -> list[Evidence] | None:
    """Taking makes the total that much smaller, and never less than zero."""
    steps = reading.of("take")
    return list(_unlike(steps, [max(0, step.before - step.number) for step in steps])) if steps else None


def _unlike(steps: list[Done], wanted: list[int]) -> Iterator[Evidence]:
    for step, total in zip(steps, wanted, strict=True):
        if step.after != total:
            text = f"the total after step {step.index}"
            # all later totals count on from a wrong one: they differ from the reference for this reason too
            yield Evidence("program", text, step.index, total, step.after, also=step.later)
