"""Chapter *Workers* (WRK): what a managed call comes to whose only request intercept is a worker's.

Enters: the steps `worker` of a scenario, the edition's rules. Leaves: the records of its only lane: `done` for each
step, then what is measured of each.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field

from bindproof_reference.relay import cells
from bindproof_reference.relay.editions import Rules
from bindproof_reference.relay.marks import full_form
from bindproof_reference.relay.outcomes import Outcome, read_outcome
from bindproof_reference.relay.values import ANY, Json, literal, only

REQUEST: Json = {"headers": {}, "content": {"messages": []}}
SCHEMA = "nemo.relay.LlmRequestInterceptOutcome@2"
LARGEST = 2**22
"""The largest message that a host takes, in bytes (WRK-010)."""

KNOWN = ("request", "annotated_request", "pending_marks", "headers", "content", "name", "category", "category_profile")
"""Members of objects of the contract: none is stated twice (WRK-002)."""

TOLD = ("name", "category", "category_profile", "data")
"""What is measured of a mark."""


class AnsweredBadlyError(Exception):
    """A call fails because of what its worker answers; carries the error as a matcher."""

    def __init__(self, kind: str, message: Json = None) -> None:
        super().__init__(kind)
        self.error = {"kind": kind, "type": ANY, "message": message or ANY, "code": ANY, "same_as": None}


def is_of_worker(scenario: Json) -> bool:
    """Tell whether a scenario is made of steps `worker`."""
    return any(step["step"] == "worker" for step in scenario["steps"])


def predict_worker(scenario: Json, rules: Rules) -> list[Json]:
    """Return the records of a scenario of steps `worker`, without the last one."""
    host = _Host(rules)
    done = [host.act(step) for step in scenario["steps"]]
    return done + [{"fact": "measure", "name": name, "value": value} for name, value in host.measured.items()]


@dataclass
class _Host:
    """One run in progress: whether the worker is there, and what is measured."""

    rules: Rules
    measured: dict[str, Json] = field(default_factory=dict)
    gone: bool = False

    def act(self, step: Json) -> Json:
        """Do one step; return its record."""
        facts: Json = {"asked": 0 if self.gone else 1, "cancelled": ANY, "sent": [], "events": [], "marks": []}
        if self.rules.cancelled_workers_told:
            facts["cancelled"] = 1 if step["how"] == "never" and not self.gone else 0  # WRK-006
        self.measured[step["as"]] = facts
        try:
            outcome = self._answer(step)
        except AnsweredBadlyError as bad:  # WRK-007
            return {"fact": "done", "step": step["as"], "error": bad.error}
        marks = [full_form(mark, self.rules) for mark in outcome.pending_marks]
        facts["sent"] = [literal(outcome.request["content"])]  # WRK-008
        facts["events"] = ["start", *("mark" for _ in marks), "end"]
        facts["marks"] = [{name: literal(mark[name]) for name in TOLD} for mark in marks]
        return {"fact": "done", "step": step["as"], "value": {"ok": True}}

    def _answer(self, step: Json) -> Outcome:
        if step["how"] == "ends":
            self.gone = True
        if self.gone:
            raise AnsweredBadlyError("callback_raised")  # WRK-005
        if step["how"] == "never":
            raise AnsweredBadlyError("cancelled")  # WRK-006
        if step["result"] == "error":
            raise AnsweredBadlyError("callback_raised", {"$text": step["message"]})  # WRK-004
        if step["result"] != "outcome":
            raise AnsweredBadlyError("outcome_malformed")  # WRK-003
        text = cells.octets(step["outcome"])
        if text is not None and len(text) > LARGEST:
            raise AnsweredBadlyError("callback_raised")  # WRK-010
        if step["schema"] != SCHEMA:
            raise AnsweredBadlyError("outcome_malformed")  # WRK-001
        read = Outcome(REQUEST) if text is None else self._outcome(text)
        if isinstance(read, str):
            raise AnsweredBadlyError("outcome_malformed")  # WRK-002
        return read

    def _outcome(self, text: bytes) -> Outcome | str:
        try:
            value, pairs = json.loads(text.decode(), parse_constant=refused), json.loads(text, object_pairs_hook=tuple)
        except ValueError:
            return "it is no JSON"
        if any(map(_is_doubled, _parts(pairs))):
            return "a member is stated twice"
        return read_outcome(known(value, self.rules), self.rules)


def known(value: Json, rules: Rules) -> Json:
    """Return an outcome without the members that it does not have, nor its marks (WRK-009)."""
    outcome = only(value, rules.outcome_fields)
    marks = outcome.get("pending_marks") if isinstance(outcome, dict) else None
    if isinstance(marks, list):
        outcome["pending_marks"] = [only(mark, rules.mark_fields) for mark in marks]
    return outcome


def refused(word: str) -> Json:
    """Refuse a number that JSON does not have; raises ValueError."""
    raise ValueError(word)


def _parts(outcome: Json) -> Iterator[Json]:
    """Yield an outcome, its request and its marks, each as pairs."""
    yield outcome
    for name, value in outcome if isinstance(outcome, tuple) else ():
        if name == "request":
            yield value
        elif name == "pending_marks" and isinstance(value, list):
            yield from value


def _is_doubled(part: Json) -> bool:
    names = [name for name, _ in part] if isinstance(part, tuple) else []
    return any(name in KNOWN and names.count(name) > 1 for name in names)
