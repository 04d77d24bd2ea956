"""Checks of the chapter *Policies of several rules* (POL)."""

from __future__ import annotations

from bindproof.suite_api import Evidence, Json
from bindproof.suites.interaction.checks.common import Check, Found, astray, goes, register
from bindproof.suites.interaction.policies import FUNCTIONS, Decided, applies

CHECKS: dict[str, Check] = {}


def _decides(seen: Decided, text: str, others: list[Json]) -> list[Evidence]:
    """Judge that none of these rules is the one that decides."""
    decider = seen.decider
    if decider is None or decider not in others:
        return []
    first = seen.course.matching[0]["id"] if seen.course.matching else None
    return [astray(text, first, decider["id"])]


@register(CHECKS, "POL-001", Decided)
def by_priority(seen: Decided) -> Found:
    """Of the rules that apply one of the highest priority decides."""
    matching = seen.course.matching
    lower = [rule for rule in matching if rule["priority"] < matching[0]["priority"]]
    return _decides(seen, "the rule of the highest priority decides", lower) if lower else None


@register(CHECKS, "POL-002", Decided)
def by_id(seen: Decided) -> Found:
    """Of the rules of the highest priority that apply the one whose id comes first decides."""
    matching = seen.course.matching
    later = [rule for rule in matching[1:] if rule["priority"] == matching[0]["priority"]]
    return _decides(seen, "of rules of one priority the first by id decides", later) if later else None


@register(CHECKS, "POL-003", Decided)
def applying(seen: Decided) -> Found:
    """No rule decides that does not apply."""
    others = [rule for rule in seen.scenario["steps"] if not applies(rule)]
    return _decides(seen, "a rule that does not apply decides nothing", others) if others else None


@register(CHECKS, "POL-004", Decided)
def by_default(seen: Decided) -> Found:
    """What nobody says otherwise of is allowed."""
    return _comes_to(seen, "what nobody says otherwise of is allowed") if seen.course.action == "allow" else None


def _comes_to(seen: Decided, text: str) -> Found:
    """Judge the action that is decided on; that another rule decides is told by the chapter's first rules."""
    if seen.decision is None:
        return None
    due = [rule["id"] for rule in seen.course.matching[:1]]
    if seen.decider is not None and seen.decider["id"] not in due:
        return None
    return goes(text, seen.course.action, seen.decision["action"])


@register(CHECKS, "POL-005", Decided)
def functions(seen: Decided) -> Found:
    """A function may be a condition."""
    asked = [one for one in seen.scenario["steps"] if one["enabled"] and one["subject"] != "tool"]
    if not any(rule["when"] in FUNCTIONS for rule in asked):
        return None
    return [astray("a function may be a condition", "decided", seen.end["error"]["kind"])] if seen.fails else []


@register(CHECKS, "POL-006", Decided)
def engine_first(seen: Decided) -> Found:
    """What the engine does not allow is decided so."""
    text = "what the engine does not allow is decided so"
    return None if seen.course.engine == "allow" else _comes_to(seen, text)


@register(CHECKS, "POL-007", Decided)
def first_role(seen: Decided) -> Found:
    """The first role decides that does not allow."""
    if seen.course.engine != "allow" or seen.course.action in ("allow", None):
        return None
    return _comes_to(seen, "the first role decides that does not allow")


@register(CHECKS, "POL-008", Decided)
def in_order(seen: Decided) -> Found:
    """Roles are consulted in their order, to the first that does not allow."""
    if not seen.scenario["roles"] or seen.fails or seen.decider in seen.course.matching[1:]:
        return None
    found = [record["role"] for record in seen.of("consulted")]
    return goes("roles are consulted in order, to the first that does not allow", seen.course.consulted, found)


@register(CHECKS, "POL-009", Decided)
def crash(seen: Decided) -> Found:
    """A role that crashes fails the run, and no model is called."""
    if seen.course.action is not None or seen.end is None or seen.fails:
        return None
    text = "a role that crashes fails the run"
    if seen.of("called"):
        return [astray(text, "no call", "called")]
    return goes(text, "crashed", seen.end["error"]["kind"] if "error" in seen.end else "a value")
