"""Faults of the chapter *Retries* (AGN)."""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.suite_api import Fault
from bindproof.suites.interaction.faults.spoiled import Spoiled, plant
from bindproof.suites.interaction.trying import LASTING, PASSING, tried

FAULTS: dict[str, Fault] = {}


def _repeated(spoiled: Spoiled) -> Iterator[list[int]]:
    """Yield the places of the calls of each model that is called more than once."""
    for part in spoiled.reading.parts:
        yield from (places for _, due, places in part.owed if due > 1 and len(places) == due)


def _once_more(
    spoiled: Spoiled, *errors: str, idempotent: bool, unlike: tuple[str, ...] = (), begun: bool | None = None
) -> bool:
    """Have a model that fails be called once more. begun: whether its stream has to have begun, where that matters."""
    if spoiled.full["idempotent"] != idempotent:
        return False
    for part in spoiled.reading.parts:
        step = part.fate.step
        of_error = step["error"] not in unlike and (not errors or step["error"] in errors)
        wanted = of_error and begun in (None, step["begun"])
        for model, _, places in part.owed if wanted else ():
            if not tried(spoiled.full, step, model)[1]:
                return spoiled.put(places[-1] + 1, spoiled.log[places[-1]])
    return False


@plant(FAULTS, "gives_up", "a call that failed is not made again as often as it may", "AGN-001")
def _(spoiled: Spoiled) -> bool:
    return any(spoiled.drop(places[-1:]) for places in _repeated(spoiled))


@plant(FAULTS, "never_gives_up", "a call is made again more often than it may", "AGN-002")
def _(spoiled: Spoiled) -> bool:
    return _once_more(spoiled, *PASSING, idempotent=True, begun=False)


@plant(FAULTS, "careless", "a call is made again whose repetition is not safe", "AGN-003")
def _(spoiled: Spoiled) -> bool:
    return _once_more(spoiled, idempotent=False)


@plant(FAULTS, "insists", "a call is made again that fails for a reason that stays", "AGN-004")
def _(spoiled: Spoiled) -> bool:
    return _once_more(spoiled, *LASTING, idempotent=True)


@plant(FAULTS, "hopes", "a call is made again that fails for an unknown reason", "AGN-005")
def _(spoiled: Spoiled) -> bool:
    return _once_more(spoiled, idempotent=True, unlike=(*PASSING, *LASTING))


@plant(FAULTS, "hurries", "a call is made again without a pause", "AGN-006")
def _(spoiled: Spoiled) -> bool:
    return bool(spoiled.full["base"]) and any(spoiled.edit(places[-1], waited=0) for places in _repeated(spoiled))


@plant(FAULTS, "begins_anew", "a stream that broke when it had begun is begun anew", "AGN-007")
def _(spoiled: Spoiled) -> bool:
    return _once_more(spoiled, *PASSING, idempotent=True, begun=True)
