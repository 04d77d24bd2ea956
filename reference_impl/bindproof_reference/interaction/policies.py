"""What is allowed to be seen of a call that rules and roles decide on.

Enters: a complete scenario that is `of` a policy. Leaves: records in their order.
"""

from __future__ import annotations

from typing import Any

from bindproof_reference.interaction.records import ANY, HELLO, called, refusal

Json = Any


def decided(scenario: Json) -> list[Json]:
    """Return the records of one run."""
    rule = _first_rule(scenario["steps"])
    action = "allow" if rule is None else rule["action"]
    log: list[Json] = []
    by: Json = None if rule is None else rule["id"]
    if action == "allow":
        for number, says in enumerate(scenario["roles"], 1):  # POL-008: to the first that does not allow
            log.append({"fact": "consulted", "role": number})
            by = ANY  # whose decision a call is that all allow, nothing says
            if says == "crash":
                return [*log, {"fact": "ended", "error": refusal("crashed")}]
            if says not in ("allow", "nothing"):
                action = says
                break
    log.append({"fact": "decided", "action": action, "rule": by})
    return log + _follows(action)


def _first_rule(rules: list[Json]) -> Json:
    """Return the rule that decides, or None."""
    matching = [
        rule
        for rule in rules
        if rule["enabled"] and rule["subject"] != "tool" and rule["when"] in ("always", "call", "function")
    ]
    # POL-001, POL-002
    return min(matching, key=lambda rule: (-rule["priority"], rule["id"]), default=None)


def _follows(action: str) -> list[Json]:
    """Return what follows a decision: people say yes to whatever they are asked."""
    if action == "deny":
        return [{"fact": "ended", "error": refusal("denied")}]
    log: list[Json] = []
    messages = [HELLO]
    if action != "allow":
        log.append({"fact": "asked", "what": "input" if action == "input" else "approval", "step": 1})
    if action == "input":
        messages.append({"role": "user", "text": "go"})
    log.append(called(1, messages))
    log.append({"fact": "ended", "value": {"state": "completed", "text": "done"}})
    return log
