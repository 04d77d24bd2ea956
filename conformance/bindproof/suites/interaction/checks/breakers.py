"""Checks of the chapter *Breakers* (BRK)."""

from __future__ import annotations

from bindproof.suite_api import Evidence
from bindproof.suites.interaction.checks.common import Check, Found, astray, each, goes, register
from bindproof.suites.interaction.fates import candidates
from bindproof.suites.interaction.names import Resolved
from bindproof.suites.interaction.reading import Part, Reading

CHECKS: dict[str, Check] = {}


def _standing(part: Part, *wanted: str) -> list[str]:
    """Return the models whose breakers stand like this, to the one that leads the step elsewhere."""
    names = list(part.fate.breakers)
    judged = names if part.misled is None else names[: names.index(part.misled) + 1]
    return [model for model in judged if part.fate.breakers[model] in wanted]


@register(CHECKS, "BRK-001")
def rejects(reading: Reading) -> Found:
    """A model that failed too often in a row is not called for a while."""

    def judge(part: Part) -> list[Evidence]:
        shut = _standing(part, "shut")
        return goes("no model is called whose breaker is open", [], [name for name, _ in part.taken if name in shut])

    return each((part for part in reading.met if _standing(part, "shut")), judge)


def _lets_through(reading: Reading, text: str, standing: str) -> Found:
    def judge(part: Part) -> list[Evidence]:
        seen = [name for name, _ in part.taken]
        return goes(text, [], [name for name in _standing(part, standing) if name not in seen])

    return each((part for part in reading.met if _standing(part, standing)), judge)


@register(CHECKS, "BRK-002")
def not_too_early(reading: Reading) -> Found:
    """A model that failed once less is called."""
    return _lets_through(reading, "a breaker does not open before its threshold", "near")


@register(CHECKS, "BRK-003")
def cools_down(reading: Reading) -> Found:
    """Once the cooldown has passed, the model is called again."""
    return _lets_through(reading, "a breaker lets calls through after its cooldown", "cooled")


@register(CHECKS, "BRK-004")
def not_prolonged(reading: Reading) -> Found:
    """What a breaker rejects meanwhile does not keep it open."""
    return _lets_through(reading, "rejected calls do not keep a breaker open", "outlasted")


@register(CHECKS, "BRK-005")
def next_one(reading: Reading) -> Found:
    """A model whose breaker is open is followed by the next one."""
    order = candidates(reading.scenario)

    def applies(part: Part) -> bool:
        called = {name for name, _ in part.taken}
        shut = _standing(part, "shut")
        return bool(shut) and not called & set(shut) and bool(behind(part))

    def behind(part: Part) -> list[str]:
        first = min(order.index(name) for name in _standing(part, "shut"))
        return [name for name in order[first + 1 :] if name in part.fate.models]

    def judge(part: Part) -> list[Evidence]:
        seen = [name for name, _ in part.taken]
        text = "a model whose breaker is open is followed by the next one"
        return goes(text, [], [name for name in behind(part) if name not in seen])

    return each((part for part in reading.met if applies(part)), judge)


@register(CHECKS, "BRK-006", Resolved)
def one_for_each_provider(seen: Resolved) -> Found:
    """A model is called although one of that name is rejected which another provider has."""
    if not seen.shared:
        return None
    text = "the breaker of another provider's model rejects nothing"
    return [astray(text, [one.provider, one.model], seen.tried) for one in seen.rejected]
