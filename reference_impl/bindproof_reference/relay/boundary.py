"""Chapter *C boundary* (CFF): what functions of the C library answer to arguments and replies of any kind.

Enters: the raw steps of a scenario. Leaves: the records of its only lane: `done` for each step, then what is measured
of each. Of the library it knows as much as the chapter says: no events, no marks.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from bindproof_reference.relay.marks import full_form
from bindproof_reference.relay.outcomes import Outcome, malformed_request, read_outcome
from bindproof_reference.relay.values import ANY, Json, literal

REQUEST: Json = {"headers": {}, "content": {"messages": []}}
MEASURED_BYTES = 2**20
"""Outcomes of at least so many bytes are counted: smaller ones cannot be told from what else is in memory."""

EITHER: Json = {"$one_of": ["NULL_POINTER", "INVALID_JSON"]}
NOT_UTF8: Json = {"$one_of": ["INVALID_UTF8", "INVALID_JSON"]}


class RefusedError(Exception):
    """A function does not answer OK; carries the status's name, and the kind of error that it is."""

    def __init__(self, code: Json, kind: str = "invalid_argument") -> None:
        super().__init__(kind)
        self.error = {"kind": kind, "type": ANY, "message": ANY, "code": code, "same_as": None}


class UnreadableError(Exception):
    """A reply that is null, not UTF-8 or not JSON."""


def is_raw(scenario: Json) -> bool:
    """Tell whether a scenario is made of raw steps."""
    return any(step["step"] == "raw" for step in scenario["steps"])


def predict_raw(scenario: Json) -> list[Json]:
    """Return the records of a scenario of raw steps, without the last one."""
    library = _Library()
    done = [library.act(step) for step in scenario["steps"]]
    return done + [{"fact": "measure", "name": name, "value": value} for name, value in library.measured.items()]


@dataclass
class _Library:
    """One run in progress: what is registered, what is measured, whether the last function failed."""

    names: dict[str, set[bytes]] = field(default_factory=dict)
    intercepts: list[Json] = field(default_factory=list)
    measured: dict[str, Json] = field(default_factory=dict)
    failed: bool = False

    def act(self, step: Json) -> Json:
        """Do one step; return its record."""
        facts = self.measured[step["as"]] = {
            "output": None,
            "freed": {},
            "texts": {"given": 0, "freed": 0},
            "inside": None,
        }
        has_output = step["function"] in ("call", "helper", "outcome") and step["with"].get("out", "") is not None
        facts["freed"] = _handed(step)  # CFF-004, CFF-005
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
                value = self._call(given, step["replies"])
                self.measured[step["as"]]["inside"] = None if step["inside"] is None else "OK"  # CFF-011
                return value
            case "helper":
                return self._helper(given)
            case "outcome":
                return self._outcome(given)
            case "last_error":
                return self._last_error(given.get("thread", "own"))
            case _:
                return self._register(step, given)

    def _call(self, given: Json, replies: Json) -> Json:
        _text(given.get("name", "gpt"))
        request = _request(given)
        if given.get("model") is not None:
            _text(given["model"])
        _pointer(given, "provider")
        _pointer(given, "out")
        codec = "decode" in replies
        try:
            annotation = _reply(replies["decode"]) if codec else None
        except UnreadableError:
            raise RefusedError(ANY, "codec_failed") from None  # CFF-007, CFF-009
        self._chain(Outcome(request, annotation))
        try:
            if codec:
                _reply(replies.get("encode", "{}"))
        except UnreadableError:
            raise RefusedError(ANY, "codec_failed") from None
        try:
            return literal(_reply(replies.get("provider", '{"ok":true}')))
        except UnreadableError:
            raise RefusedError(ANY, "callback_raised") from None

    def _helper(self, given: Json) -> Json:
        if given.get("name") is not None:
            _text(given["name"])
        request = _request(given)
        _pointer(given, "out")
        return _whole(self._chain(Outcome(request)))

    def _chain(self, outcome: Outcome) -> Outcome:
        marks: tuple[Json, ...] = ()
        for intercept in self.intercepts:
            outcome = self._intercept(intercept, outcome)
            marks += outcome.pending_marks
        return Outcome(outcome.request, outcome.annotated_request, marks)

    def _intercept(self, step: Json, outcome: Outcome) -> Outcome:
        facts, replies = self.measured[step["as"]], step["replies"]
        if step["inside"] is not None:
            facts["inside"] = "OK"  # CFF-011
        if "outcome" in replies and len(_octets(replies["outcome"]) or b"") >= MEASURED_BYTES:
            facts["texts"] = {count: seen + 1 for count, seen in facts["texts"].items()}  # CFF-001
        if replies.get("status", "OK") != "OK":
            raise RefusedError(ANY, "callback_raised")
        try:
            read = read_outcome(_reply(replies["outcome"])) if "outcome" in replies else outcome
        except UnreadableError:
            raise RefusedError(ANY, "outcome_malformed") from None
        if isinstance(read, str):
            raise RefusedError(ANY, "outcome_malformed")
        return read

    def _outcome(self, given: Json) -> Json:
        _pointer(given, "handle")
        annotation = _json(given["annotated_request"]) if given.get("annotated_request") is not None else None
        marks = _json(given["pending_marks"]) if given.get("pending_marks") is not None else []
        read = read_outcome({"request": REQUEST, "annotated_request": annotation, "pending_marks": marks})
        if isinstance(read, str):
            raise RefusedError("INVALID_JSON")  # CFF-002
        _pointer(given, "out")
        return _whole(read)

    def _last_error(self, thread: Json) -> Json:
        if thread == "other":
            return None  # CFF-010
        return {"$text": ""} if self.failed else ANY

    def _register(self, step: Json, given: Json) -> None:
        name = _text(given.get("name", step["as"]))
        _pointer(given, "callback")
        taken = self.names.setdefault(step["function"], set())
        if name in taken:
            raise RefusedError("ALREADY_EXISTS")
        taken.add(name)
        if step["function"] == "register_intercept":
            self.intercepts.append(step)


def _handed(step: Json) -> dict[str, int]:
    """Return how often each user data that the step hands over is freed: once."""
    if step["function"] == "call":
        return {"provider": 1} | ({"codec": 1} if "decode" in step["replies"] else {})
    return {"callback": 1} if step["function"].startswith("register_") else {}


def _octets(cell: Json) -> bytes | None:
    if cell is None:
        return None
    if isinstance(cell, str):
        return cell.encode()
    return str(cell["text"]).encode() + bytes.fromhex(cell["bytes"]) + b" " * int(cell["pad"])


def _text(cell: Json) -> bytes:
    found = _octets(cell)
    if found is None:
        raise RefusedError("NULL_POINTER")  # CFF-008
    if not _is_utf8(found):
        raise RefusedError("INVALID_UTF8")  # CFF-006
    return found


def _is_utf8(found: bytes) -> bool:
    try:
        found.decode()
    except UnicodeDecodeError:
        return False
    return True


def _pointer(given: Json, name: str) -> None:
    if given.get(name, "") is None:
        raise RefusedError("NULL_POINTER")  # CFF-008


def _json(cell: Json) -> Json:
    found = _octets(cell)
    if found is None:
        raise RefusedError(EITHER)  # CFF-008
    if not _is_utf8(found):
        raise RefusedError(NOT_UTF8)  # CFF-006
    try:
        return json.loads(found)
    except ValueError:
        raise RefusedError("INVALID_JSON") from None  # CFF-002


def _request(given: Json) -> Json:
    request = _json(given["request"]) if "request" in given else REQUEST
    if malformed_request(request) is not None:
        raise RefusedError("INVALID_JSON")  # CFF-002
    return request


def _reply(cell: Json) -> Json:
    found = _octets(cell)
    try:
        return json.loads((found or b"").decode())
    except ValueError:
        raise UnreadableError from None


def _whole(outcome: Outcome) -> Json:
    return {
        "request": outcome.request,
        "annotated_request": outcome.annotated_request,
        "pending_marks": [full_form(mark) for mark in outcome.pending_marks],
        "optimization_contributions": [],
    }
