"""Chapter *C boundary* (CFF): what functions of the C library answer to arguments and replies of any kind.

Enters: the raw steps of a scenario, the edition's rules. Leaves: the records of its only lane: `done` for each step,
then what is measured of each. Events are not recorded, but the large ones are counted.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from bindproof_reference.relay import authority, cells
from bindproof_reference.relay.cells import FlawError, UnreadableError
from bindproof_reference.relay.editions import Rules
from bindproof_reference.relay.events import ERROR, OK, Emitted, Span, of_edition
from bindproof_reference.relay.llm_call import mark_events, model_profile, with_annotation
from bindproof_reference.relay.outcomes import (
    Outcome,
    UnpredictableError,
    malformed_request,
    read_outcome,
    whole_outcome,
)
from bindproof_reference.relay.scopes import ROOT
from bindproof_reference.relay.values import ANY, Json, literal

REQUEST: Json = {"headers": {}, "content": {"messages": []}}
MEASURED_BYTES = 2**20
"""What is of at least so many bytes is counted: smaller texts cannot be told from what else is in memory."""

OUTPUTS = ("call", "helper", "outcome")
"""The functions that have a place for an output."""


TAKEN_AS_EMPTY = ("NULL_POINTER", "INVALID_UTF8")
"""Statuses of the flaws with which an argument can be taken for an empty one."""


class RefusedError(Exception):
    """A function does not answer OK; carries the status's name, and the kind of error that it is."""

    def __init__(self, code: Json, kind: str = "invalid_argument") -> None:
        super().__init__(kind)
        self.error = {"kind": kind, "type": ANY, "message": ANY, "code": code, "same_as": None}


def is_raw(scenario: Json) -> bool:
    """Tell whether a scenario is made of raw steps."""
    return any(step["step"] == "raw" for step in scenario["steps"])


def predict_raw(scenario: Json, rules: Rules, accepted: frozenset[str] = frozenset()) -> list[Json]:
    """Return the records of a scenario of raw steps, without the last one.

    accepted: the steps whose function takes texts that are not UTF-8, and a null, as best it can, instead of refusing
    them; raises UnpredictableError where nobody can say as what.
    """
    library = _Library(rules, accepted)
    done = [library.act(step) for step in scenario["steps"]]
    return done + [{"fact": "measure", "name": name, "value": value} for name, value in library.measured.items()]


@dataclass
class _Library:
    """One run in progress: what is registered, what is measured, whether the last function failed."""

    rules: Rules
    accepted: frozenset[str]
    names: dict[str, set[bytes]] = field(default_factory=dict)
    intercepts: dict[bytes, Json] = field(default_factory=dict)
    subscribers: list[str] = field(default_factory=list)
    measured: dict[str, Json] = field(default_factory=dict)
    failed: bool = False
    lenient: bool = False
    """The step that is done is one of those that are accepted."""

    def act(self, step: Json) -> Json:
        """Do one step; return its record."""
        has_output = step["function"] in OUTPUTS and step["with"].get("out", "") is not None
        facts = self.measured[step["as"]] = {"output": None, "freed": _handed(step), "inside": None}  # CFF-004, CFF-005
        facts |= {kind: {"given": 0, "freed": 0} for kind in ("texts", "events", "handles")}
        self.lenient = step["as"] in self.accepted
        try:
            value = self._value(step)
        except RefusedError as refused:
            self.failed = True
            facts["output"] = "null" if has_output else None  # CFF-003
            return {"fact": "done", "step": step["as"], "error": refused.error}
        self.failed = False
        facts["output"] = "text" if has_output else None
        return {"fact": "done", "step": step["as"], "value": value}

    def _value(self, step: Json) -> Json:
        given = step["with"]
        match step["function"]:
            case "call":
                return self._call(step, given)
            case "helper":
                return self._helper(given)
            case "outcome":
                return self._outcome(given)
            case "last_error":
                return self._last_error(given.get("thread", "own"))
            case _:
                return self._register(step, given)

    # -- functions ----------------------------------------------------------------------------------------------------

    def _call(self, step: Json, given: Json) -> Json:
        name, request, model, _, _ = self._taken(
            lambda: cells.text(given.get("name", "gpt")),
            lambda: _request(given),
            lambda: None if given.get("model") is None else cells.text(given["model"]),
            lambda: cells.pointer(given, "provider"),
            lambda: cells.pointer(given, "out"),
        )
        codec = "decode" in step["replies"]
        annotation = self._decoded(step, request) if codec else None
        outcome = self._chain(Outcome(request, annotation), codec=codec)
        sent = self._encoded(step, outcome.request) if codec else outcome.request
        span = Span(step["as"], "llm", name.decode(), ROOT, ROOT)
        profile = model_profile(None if model is None else model.decode())
        start = span.start(sent, with_annotation(profile, outcome.annotated_request), None)
        self._tell([start, *mark_events(span, outcome.pending_marks)])
        if step["inside"] == "flush":
            self.measured[step["as"]]["inside"] = "OK"  # CFF-011
        try:
            answer = self._reply(step, "provider", {"ok": True})
        except UnreadableError:
            self._tell([span.end(None, profile, ERROR)])
            raise RefusedError(ANY, "callback_raised") from None  # CFF-007, CFF-009
        self._tell([span.end(answer, profile, OK)])
        return literal(answer)

    def _decoded(self, step: Json, request: Json) -> Json:
        self._count(step, "handles", cells.size(request))
        try:
            annotation = self._reply(step, "decode", None)
        except UnreadableError:
            raise RefusedError(ANY, "codec_failed") from None
        if not isinstance(annotation, dict):
            raise RefusedError(ANY, "codec_failed")
        return annotation

    def _encoded(self, step: Json, request: Json) -> Json:
        self._count(step, "handles", cells.size(request))
        try:
            return authority.resolved(request, request | {"content": self._reply(step, "encode", {})})
        except UnreadableError:
            raise RefusedError(ANY, "codec_failed") from None

    def _helper(self, given: Json) -> Json:
        _, request, _ = self._taken(
            lambda: None if given.get("name") is None else cells.text(given["name"]),
            lambda: _request(given),
            lambda: cells.pointer(given, "out"),
        )
        return whole_outcome(self._chain(Outcome(request), codec=False), self.rules)

    def _outcome(self, given: Json) -> Json:
        _, _, read = self._taken(
            lambda: cells.pointer(given, "handle"),
            lambda: cells.pointer(given, "out"),
            lambda: _constructed(given, self.rules),
        )
        return whole_outcome(read, self.rules)

    def _last_error(self, thread: Json) -> Json:
        if thread == "other":
            return None  # CFF-010
        return {"$text": ""} if self.failed else ANY

    def _register(self, step: Json, given: Json) -> None:
        taken = self.names.setdefault(step["function"], set())
        name, _ = self._taken(
            lambda: _free(taken, cells.text(given.get("name", step["as"]))), lambda: cells.pointer(given, "callback")
        )
        taken.add(name)
        if step["function"] == "register_intercept":
            self.intercepts[name] = step
        else:
            self.subscribers.append(step["as"])

    def _taken(self, *arguments: Callable[[], Json]) -> list[Json]:
        """Return what each argument is. Where several are refused it is open which of them the function names."""
        found: list[Json] = []
        flaws: list[str] = []
        for argument in arguments:
            try:
                found.append(argument())
            except FlawError as flaw:
                flaws += flaw.statuses
                found.append(b"")
        if flaws and self.lenient and not set(flaws) <= set(TAKEN_AS_EMPTY):
            raise UnpredictableError(", ".join(flaws))
        if flaws and not self.lenient:
            raise RefusedError({"$one_of": sorted(set(flaws))} if len(flaws) > 1 else flaws[0])
        return found

    # -- callbacks ----------------------------------------------------------------------------------------------------

    def _chain(self, outcome: Outcome, *, codec: bool) -> Outcome:
        marks: tuple[Json, ...] = ()
        for _, intercept in sorted(self.intercepts.items()):  # OUT-005
            decided = self._intercept(intercept, outcome)
            refused = authority.refusal(outcome.request, decided) if codec else None
            if refused is not None:
                raise RefusedError(ANY, refused)
            outcome = decided
            marks += outcome.pending_marks
        return Outcome(outcome.request, outcome.annotated_request, marks)

    def _intercept(self, step: Json, outcome: Outcome) -> Outcome:
        facts, replies = self.measured[step["as"]], step["replies"]
        self._count(step, "handles", cells.size(outcome.request))
        if step["inside"] is not None and facts["inside"] is None:
            facts["inside"] = "OK"  # CFF-011
            with suppress(RefusedError):
                self._chain(Outcome(REQUEST), codec=False)
        try:
            reply = self._reply(step, "outcome", None) if "outcome" in replies else None
            read = _passed_on(outcome) if "outcome" not in replies else read_outcome(reply, self.rules)
        except UnreadableError:
            read = "unreadable"
        if replies.get("status", "OK") != "OK":
            raise RefusedError(ANY, "callback_raised")
        if isinstance(read, str):
            raise RefusedError(ANY, "outcome_malformed")
        return read

    def _reply(self, step: Json, name: str, natural: Json) -> Json:
        """Return what a callback answers with."""
        if name not in step["replies"]:
            return natural
        self._count(step, "texts", len(cells.octets(step["replies"][name]) or b""))
        if not self.lenient:
            return cells.reply(step["replies"][name])
        try:
            return cells.reply(step["replies"][name], "replace")
        except UnreadableError as unreadable:
            raise UnpredictableError from unreadable

    def _tell(self, events: list[Emitted]) -> None:
        for event in events:
            for subscriber in self.subscribers:
                self._count({"as": subscriber}, "events", cells.size(of_edition(event, self.rules).matcher()))

    def _count(self, step: Json, kind: str, size: int) -> None:
        """Count what crosses the boundary, where it is large: all of it is freed (CFF-001, CFF-012 to CFF-014)."""
        if size >= MEASURED_BYTES:
            facts = self.measured[step["as"]]
            facts[kind] = {count: seen + 1 for count, seen in facts[kind].items()}


def _handed(step: Json) -> dict[str, int]:
    """Return how often each user data that the step hands over is freed: once."""
    if step["function"] == "call":
        return {"provider": 1} | ({"codec": 1} if "decode" in step["replies"] else {})
    return {"callback": 1} if step["function"].startswith("register_") else {}


def _request(given: Json) -> Json:
    request = cells.argument(given["request"]) if "request" in given else REQUEST
    if malformed_request(request) is not None:
        raise FlawError("INVALID_JSON")  # CFF-002
    return request


def _constructed(given: Json, rules: Rules) -> Outcome:
    absent: Json = {"annotated_request": None, "pending_marks": []}
    stated = {name: cells.argument(given[name]) for name in absent if given.get(name) is not None}
    read = read_outcome({"request": REQUEST, **absent, **stated}, rules)
    if isinstance(read, str):
        raise FlawError("INVALID_JSON")  # CFF-002
    return read


def _free(taken: set[bytes], name: bytes) -> bytes:
    if name in taken:
        raise FlawError("ALREADY_EXISTS")
    return name


def _passed_on(outcome: Outcome) -> Outcome:
    return Outcome(outcome.request, outcome.annotated_request)
