"""Faults of the chapter *Policies of several rules* (POL)."""

from __future__ import annotations

from bindproof.suite_api import Fault, Json
from bindproof.suites.interaction.faults.planting import planting
from bindproof.suites.interaction.faults.spoiled import PLANTED
from bindproof.suites.interaction.policies import FUNCTIONS, Decided, applies, decided

FAULTS: dict[str, Fault] = {}


plant = planting(FAULTS, "policy", decided, due=lambda found: found.end is not None and not found.fails)


def _decides(found: Decided, rule: Json, action: str | None = None) -> bool:
    """Have another rule decide, or none of the engine's."""
    if found.decision is None:
        return False
    told = {**found.decision, "rule": rule, "action": action or found.decision["action"]}
    found.log[found.log.index(found.decision)] = told
    return True


def _instead(found: Decided, others: list[Json]) -> bool:
    """Have one of these rules decide instead of the one that did."""
    return found.decider is not None and bool(others) and _decides(found, others[0]["id"], others[0]["action"])


@plant("lower_rule_decides", "a rule of a lower priority decides", "POL-001")
def _(found: Decided) -> bool:
    matching = found.course.matching
    return _instead(found, [rule for rule in matching if rule["priority"] < matching[0]["priority"]])


@plant("later_rule_decides", "of rules of one priority another than the first by id decides", "POL-002")
def _(found: Decided) -> bool:
    matching = found.course.matching
    return _instead(found, [rule for rule in matching[1:] if rule["priority"] == matching[0]["priority"]])


@plant("deaf_rule_decides", "a rule decides that does not apply", "POL-003")
def _(found: Decided) -> bool:
    others = [rule["id"] for rule in found.scenario["steps"] if not applies(rule)]
    return not found.scenario["roles"] and bool(others) and _decides(found, others[0])


@plant("denies_by_default", "a call is denied that nobody says otherwise of", "POL-004")
def _(found: Decided) -> bool:
    return found.course.action == "allow" and _decides(found, None, "deny")


@plant("knows_no_functions", "a run fails one of whose conditions is a function", "POL-005")
def _(found: Decided) -> bool:
    asked = [one for one in found.scenario["steps"] if one["enabled"] and one["subject"] != "tool"]
    if found.course.action is None or not any(rule["when"] in FUNCTIONS for rule in asked):
        return False
    found.log[:] = [{"fact": "ended", "error": PLANTED}]
    return True


@plant("roles_overrule", "a role allows what the engine does not", "POL-006")
def _(found: Decided) -> bool:
    return found.course.engine != "allow" and _decides(found, None, "allow")


@plant("roles_are_ignored", "a call is allowed that a role does not allow", "POL-007")
def _(found: Decided) -> bool:
    return found.course.engine == "allow" and found.course.action != "allow" and _decides(found, None, "allow")


@plant("consults_on", "a role is consulted after another has decided", "POL-008")
def _(found: Decided) -> bool:
    asked = len(found.course.consulted)
    if found.decision is None or asked == len(found.scenario["roles"]):
        return False
    found.log.insert(found.log.index(found.decision), {"fact": "consulted", "role": asked + 1})
    return True


@plant("survives_a_crash", "a run goes on one of whose roles crashes", "POL-009")
def _(found: Decided) -> bool:
    if found.course.action is not None:
        return False
    found.log[found.log.index(found.end)] = {"fact": "ended", "value": {"state": "completed", "text": "done"}}
    return True
