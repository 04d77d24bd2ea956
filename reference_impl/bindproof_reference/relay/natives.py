"""Chapter *Native plugins* (NAT): whether a host takes a plugin, and what calls come to that the plugin answers.

Enters: the steps `load` and `native` of a scenario, the edition's rules. Leaves: the records of its only lane: `done`
for each step, then what is measured of each.
"""

from __future__ import annotations

import json

from bindproof_reference.relay import cells
from bindproof_reference.relay.editions import Rules
from bindproof_reference.relay.marks import full_form
from bindproof_reference.relay.outcomes import Outcome, read_outcome
from bindproof_reference.relay.values import Json, literal
from bindproof_reference.relay.workers import REQUEST, TOLD, AnsweredBadlyError, known, refused

TAKEN: Json = {"range": "own", "digest": "own", "enabled": False, "abi": "own"}
"""What a host takes a plugin for: NAT-008 to NAT-010, NAT-012."""

MARK: Json = {"name": "typed", "category": "custom", "category_profile": {"subtype": "t"}, "data": 1}
"""The mark of an outcome of the typed interface."""


def is_of_plugin(scenario: Json) -> bool:
    """Tell whether a scenario is made of steps `load` and `native`."""
    return any(step["step"] in ("load", "native") for step in scenario["steps"])


def predict_native(scenario: Json, rules: Rules) -> list[Json]:
    """Return the records of such a scenario, without the last one."""
    loads = [step for step in scenario["steps"] if step["step"] == "load"]
    refusal = next((kind for step in loads if (kind := _refusal(step))), None)
    done: list[Json] = []
    measured: list[Json] = []
    for step in scenario["steps"]:
        record, facts = _load(refusal) if step["step"] == "load" else _call(step, refusal is None, rules)
        done.append({"fact": "done", "step": step["as"], **record})
        measured.append({"fact": "measure", "name": step["as"], "value": facts})
    return done + measured


def _refusal(load: Json) -> str | None:
    """Return the kind of the error that a load ends in; None where the plugin is taken."""
    if any(load[name] != value for name, value in TAKEN.items()) or not _is_trusted(load["signature"], load["policy"]):
        return "invalid_argument"
    return None if load["register"] == "success" else "callback_raised"  # NAT-016


def _is_trusted(signature: str, policy: str) -> bool:
    if signature == "unstated":
        return policy in ("integrity_only", "signature_if_present")  # NAT-011
    return signature == "own" or policy == "integrity_only"  # NAT-017


def _load(refusal: str | None) -> tuple[Json, Json]:
    if refusal is None:
        return {"value": None}, {"freed": 1}  # NAT-014
    was_registered = refusal == "callback_raised"
    return {"error": AnsweredBadlyError(refusal).error}, {"freed": int(was_registered)}


def _call(step: Json, taken: bool, rules: Rules) -> tuple[Json, Json]:
    facts: Json = {"asked": int(taken), "sent": [], "events": [], "marks": []}
    try:
        outcome = _answer(step, rules) if taken else Outcome(REQUEST)  # NAT-013
    except AnsweredBadlyError as bad:  # NAT-006
        return {"error": bad.error}, facts
    marks = [full_form(mark, rules) for mark in outcome.pending_marks]
    facts["sent"] = [literal(outcome.request["content"])]  # NAT-001
    facts["events"] = ["start", *("mark" for _ in marks), "end"]
    facts["marks"] = [{name: literal(mark[name]) for name in TOLD} for mark in marks]
    return {"value": {"ok": True}}, facts


def _answer(step: Json, rules: Rules) -> Outcome:
    match step["result"]:
        case "typed":
            return Outcome(REQUEST, pending_marks=(MARK,))
        case "error" | "status":
            raise AnsweredBadlyError("callback_raised", {"$text": step["message"]})  # NAT-004
        case "panic":
            raise AnsweredBadlyError("callback_raised")  # NAT-005
        case "nothing":
            raise AnsweredBadlyError("outcome_malformed")  # NAT-003
    text = cells.octets(step["outcome"])
    read = Outcome(REQUEST) if text is None else _read(text, rules)
    if isinstance(read, str):
        raise AnsweredBadlyError("outcome_malformed")  # NAT-002
    return read


def _read(text: bytes, rules: Rules) -> Outcome | str:
    try:
        value = json.loads(text.decode(), parse_constant=refused)
    except ValueError:
        return "it is no JSON"
    return read_outcome(known(value, rules), rules)  # NAT-007
