"""Faults of the chapter *Breakers* (BRK)."""

from __future__ import annotations

from bindproof.suite_api import Fault
from bindproof.suites.interaction.faults.planting import planting
from bindproof.suites.interaction.faults.spoiled import Spoiled, plant
from bindproof.suites.interaction.names import Resolved, resolved

FAULTS: dict[str, Fault] = {}


@plant(FAULTS, "knows_no_breaker", "a model is called whose breaker is open", "BRK-001")
def _(spoiled: Spoiled) -> bool:
    for part in spoiled.reading.parts:
        if "shut" in part.fate.breakers.values():
            name = next(model for model, standing in part.fate.breakers.items() if standing == "shut")
            places = part.of("event", "llm_called")
            return bool(places) and spoiled.put(places[0] + 1, spoiled.call(part.fate.number, model=name))
    return False


def _rejects(spoiled: Spoiled, standing: str) -> bool:
    """Leave out the only call of a step, of a model whose breaker stands like this."""
    for part in spoiled.reading.parts:
        wanted = [name for name in part.fate.models if part.fate.breakers.get(name) == standing]
        if wanted and len(part.calls) == 1 and list(part.fate.breakers.values()) == [standing]:
            return spoiled.drop(part.of("called"))
    return False


@plant(FAULTS, "opens_too_early", "a model is not called that failed once less than it may", "BRK-002")
def _(spoiled: Spoiled) -> bool:
    return _rejects(spoiled, "near")


@plant(FAULTS, "never_closes", "a model is not called although its cooldown has passed", "BRK-003")
def _(spoiled: Spoiled) -> bool:
    return _rejects(spoiled, "cooled")


@plant(FAULTS, "prolongs", "a model is not called because calls of it were rejected", "BRK-004")
def _(spoiled: Spoiled) -> bool:
    return _rejects(spoiled, "outlasted")


@plant(FAULTS, "stops_at_a_breaker", "no model is called after one whose breaker is open", "BRK-005")
def _(spoiled: Spoiled) -> bool:
    for part in spoiled.reading.parts:
        if list(part.fate.breakers.values()) == ["shut"] and len(part.calls) == 1:
            return spoiled.drop(part.of("called"))
    return False


@planting(FAULTS, "names", resolved)("one_breaker_for_all", "a breaker rejects another provider's model", "BRK-006")
def _(found: Resolved) -> bool:
    for one in found.shared:
        record = {"fact": "tried", "provider": one.provider, "model": one.model}
        if record in found.log and len(found.tried) == len({(each.provider, each.model) for each in found.meant}):
            found.log.remove(record)
            return True
    return False
