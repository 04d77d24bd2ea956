"""What the contract allows to be seen of a scenario: lanes of records with matchers.

Enters: a complete scenario in the dialect's own spelling, an edition's name, the dialect as plain data. Leaves: a
prediction
`{"lanes": {lane: [record]}, "after": [[lane, position, lane, position]]}`, or `{"inexpressible": {path, reason}}`.
The lane `program` holds steps and the callbacks that they run inline; each subscriber has the lane of its step's id.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from bindproof_reference.relay import authority, boundary, callbacks, dialects, lifecycle
from bindproof_reference.relay.callbacks import Raised, Replied, ScenarioError
from bindproof_reference.relay.editions import Rules, rules
from bindproof_reference.relay.outcomes import Outcome, malformed_request, read_outcome, whole_outcome
from bindproof_reference.relay.values import ANY, Json, copy, literal

PROGRAM = "program"


def predict(scenario: Json, edition: str, dialect: Json) -> Json:
    """Return the prediction of one scenario; raises ScenarioError when the scenario breaks its language."""
    if not expresses_undefined(dialect) and dialects.holds_undefined(scenario):
        return {"inexpressible": {"path": "$none", "reason": "this language has no undefined"}}
    if boundary.is_raw(scenario):
        return {"lanes": {PROGRAM: [*boundary.predict_raw(scenario, rules(edition)), {"fact": "settled"}]}, "after": []}
    program = _Program(rules(edition), dialect)
    for step in scenario["steps"]:
        program.act(step)
    program.record({"fact": "settled"})
    return {"lanes": program.lanes, "after": program.after}


def expresses_undefined(dialect: Json) -> bool:
    """Tell whether the dialect's language has an undefined beside null."""
    return all(entry["path"] != "$none" for entry in dialect.get("inexpressible", []))


class FailedError(Exception):
    """A call or helper failed before any lifecycle; carries the error as a matcher."""

    def __init__(self, error: Json) -> None:
        super().__init__(error["kind"])
        self.error = error


def failed(kind: str, *, message: Json = None, same_as: Json = None) -> FailedError:
    """Return the failure of a kind; what the contract does not say of the error stays open."""
    return FailedError({"kind": kind, "type": ANY, "message": message or ANY, "code": ANY, "same_as": same_as or ANY})


@dataclass
class _Program:
    """One run in progress: the registries and the records so far."""

    rules: Rules
    dialect: Json
    lanes: dict[str, list[Json]] = field(default_factory=lambda: {PROGRAM: []})
    after: list[list[Json]] = field(default_factory=list)
    intercepts: dict[str, Json] = field(default_factory=dict)
    subscribers: dict[str, str] = field(default_factory=dict)
    finished: dict[str, Json] = field(default_factory=dict)
    entered: dict[str, int] = field(default_factory=dict)

    # -- steps ------------------------------------------------------------------------------------------------------

    def act(self, step: Json) -> None:
        """Do one step and record that it is done."""
        try:
            value = self._value(step)
        except FailedError as ended:
            self.record({"fact": "done", "step": step["as"], "error": ended.error})
            return
        self.finished[step["as"]] = value
        self.record({"fact": "done", "step": step["as"], "value": literal(value)})

    def _value(self, step: Json) -> Json:
        match step["step"]:
            case "register":
                return self._register(step)
            case "flush":
                return None
            case "call":
                return self._call(step)
            case "helper":
                return self._helper(step)
            case other:
                raise ScenarioError(f"step {step['as']}: {other!r} is not a kind of step")

    def _register(self, step: Json) -> None:
        registry: dict[str, Json] = self.subscribers if step["family"] == "subscriber" else self.intercepts
        if step["name"] in registry:
            raise ScenarioError(f"step {step['as']}: a {step['family']} named {step['name']!r} is registered already")
        if step["family"] == "subscriber":
            self.subscribers[step["name"]] = step["as"]
            self.lanes[step["as"]] = []
        else:
            self.intercepts[step["name"]] = step

    def _helper(self, step: Json) -> Json:
        outcome = self._chain(step, step["request"], None, codec=False)
        return dialects.spell_outcome(whole_outcome(outcome, self.rules), self.dialect)

    def _call(self, step: Json) -> Json:
        codec = step["codec"] != "none"
        annotation = self._decode(step) if codec else None
        outcome = self._chain(step, step["request"], annotation, codec=codec)
        request = self._encode(step, outcome) if codec else outcome.request
        call = lifecycle.Call(step["as"], step["name"], step["model"], request, outcome.annotated_request, self.rules)
        audience = tuple(self.subscribers.values())  # LIF-008: one snapshot, after interception
        self._tell(audience, [lifecycle.start(call), *lifecycle.marks(call, outcome.pending_marks)])
        try:
            answer = self._provide(step, request)
        except FailedError:
            self._tell(audience, [lifecycle.end_with_error(call)])
            raise
        self._tell(audience, [lifecycle.end_with_answer(call, answer)])
        return answer

    # -- OUT: the chain -----------------------------------------------------------------------------------------------

    def _chain(self, step: Json, request: Json, annotation: Json, *, codec: bool) -> Outcome:
        outcome = Outcome(request, annotation)
        marks: tuple[Json, ...] = ()
        for intercept in self._effective():
            accepted = self._intercept(intercept, step["name"], outcome)
            refused = authority.refusal(outcome.request, accepted) if codec else None
            if refused is not None:
                raise failed(refused)  # AUT-006
            marks += accepted.pending_marks  # MRK-002
            outcome = Outcome(accepted.request, accepted.annotated_request, marks)  # OUT-004
            if intercept["break_chain"]:  # OUT-006, MRK-009
                break
        return outcome

    def _effective(self) -> list[Json]:
        return sorted(self.intercepts.values(), key=lambda step: (step["priority"], step["name"]))  # OUT-005

    def _intercept(self, intercept: Json, name: str, outcome: Outcome) -> Outcome:
        seen = {"request": outcome.request, "annotated_request": outcome.annotated_request}
        argument = dialects.spell(seen, dialects.own_names(self.dialect, "outcome", "argument"))
        natural = dialects.spell(seen | {"pending_marks": []}, dialects.own_names(self.dialect, "outcome", "reply"))
        reply = self._callback(intercept["as"], intercept["do"], {"name": name, **argument}, natural)
        if isinstance(reply, Raised):
            raise self._raised(intercept["as"], reply)
        undefined = dialects.holds_undefined(reply.reply)  # DLC-007
        canonical = dialects.read_outcome(reply.reply, self.dialect)
        decided = "an undefined" if undefined else read_outcome(canonical, self.rules)
        if isinstance(decided, str):
            self._may_be_refused()
            raise failed("outcome_malformed")  # OUT-008
        return decided

    # -- AUT: the codec ----------------------------------------------------------------------------

    def _decode(self, step: Json) -> Json:
        request = step["request"]
        natural = authority.natural_decode(request)
        reply = self._callback(f"{step['as']}.decode", step["codec"]["decode"], {"request": request}, natural)
        if isinstance(reply, Raised) or not isinstance(reply.reply, dict):
            raise self._codec_failed(reply)
        return reply.reply

    def _encode(self, step: Json, outcome: Outcome) -> Json:
        given = {"annotated_request": outcome.annotated_request, "original": outcome.request}
        argument = dialects.spell(given, dialects.own_names(self.dialect, "encode", "argument"))
        natural = authority.natural_encode(outcome.annotated_request, outcome.request)
        reply = self._callback(f"{step['as']}.encode", step["codec"]["encode"], argument, natural)
        if isinstance(reply, Raised) or malformed_request(reply.reply) is not None:
            raise self._codec_failed(reply)
        return authority.resolved(outcome.request, reply.reply)

    def _codec_failed(self, reply: Replied | Raised) -> FailedError:
        if isinstance(reply, Replied):
            self._may_be_refused()
        return failed("codec_failed")  # AUT-009

    # -- LIF: the provider and the events ----------------------------------------------------------

    def _provide(self, step: Json, request: Json) -> Json:
        headers = authority.provider_headers(request["headers"], self.rules)
        trace = {authority.TRACEPARENT: {"$trace": step["as"]}} if self.rules.runtime_traceparent else {}  # LIF-010
        sent = {
            "headers": {key: literal(value) for key, value in headers.items()} | trace,
            "content": literal(request["content"]),
        }
        callback = f"{step['as']}.provider"
        reply = self._callback(callback, step["provider"], {"request": copy(request)}, {"ok": True}, {"request": sent})
        if isinstance(reply, Raised):
            raise self._raised(callback, reply)
        return None if reply.reply == {"$none": True} else reply.reply

    def _tell(self, audience: tuple[str, ...], events: list[Json]) -> None:
        seen = len(self.lanes[PROGRAM]) - 1
        for subscriber in audience:
            lane = self.lanes[subscriber]
            self.after.append([subscriber, len(lane), PROGRAM, seen])
            lane.extend({"fact": "event", "subscriber": subscriber, "event": event} for event in events)

    # -- records -----------------------------------------------------------------------------------

    def record(self, record: Json) -> None:
        """Add a record to the program's lane."""
        self.lanes[PROGRAM].append(record)

    def _callback(
        self, callback: str, ops: list[Json], given: Json, natural: Json, shown: Json = None
    ) -> Replied | Raised:
        """Run one callback. shown: what its `given` looks like as a matcher, where that differs from the value."""
        count = self.entered.get(callback, 0)
        self.entered[callback] = count + 1
        key = {"callback": callback, "k": count}
        self.record({"fact": "enter", **key, "given": shown or literal(given)})
        reply = callbacks.run(callback, ops, natural, {**self.finished, "given": given}, self.act)
        result = {"raised": reply.text} if isinstance(reply, Raised) else {"reply": literal(reply.reply)}
        self.record({"fact": "leave", **key, **result})
        return reply

    def _may_be_refused(self) -> None:
        """Let the last reply be refused by the binding's constructor as well as at return."""
        left = self.lanes[PROGRAM].pop()
        refused = {**left, "fact": "refused", "error": ANY}
        self.record({"$one_of": [left, refused]})

    def _raised(self, callback: str, reply: Raised) -> FailedError:
        identity = self.rules.original_exception and self.dialect.get("policies", {}).get("exception_identity", False)
        return failed(
            "callback_raised", message={"$text": reply.text}, same_as=callback if identity else None
        )  # OUT-012
